// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "simulation.hpp"

#include <cstdint>
#include <vector>

/// How the learned grace is judged, with seeds and spreads that were not used to make it.
namespace flush_bench {

using strict_level = level_of<db::strict>;
using riding_level = level_of<db::riding>;
using learned_level = level_of<db::grouped<db::learned_grace<>>>;
using unsafe_level = level_of<db::deferred_unsafe<1'000'000'000>>;
using swept_level = level_of<db::grouped<swept_grace>>;

/// The lowest ratios of a set of cells, in thousandths.
struct worst {
    unsigned cells = 0;
    std::uint64_t best = 9'999;     ///< to the best fixed grace
    std::uint64_t buffered = 9'999; ///< to the double buffer
};

[[nodiscard]] inline std::uint64_t best_fixed(traffic const& t, bool quick) {
    std::uint64_t best = 0;
    for (std::uint64_t g = 5'000; g <= 20'000'000; g = quick ? g * 3 : g * 3 / 2) {
        swept_grace::ns = g;
        std::uint64_t const rate = simulate<swept_level>(t).rate();
        best = rate > best ? rate : best;
    }
    return best;
}

[[nodiscard]] inline worst judge(std::vector<traffic> const& cells, bool quick) {
    worst w;
    for (traffic const& t : cells) {
        std::uint64_t const learned = simulate<learned_level>(t).rate() * 1'000;
        std::uint64_t const best = learned / best_fixed(t, quick);
        std::uint64_t const buffered = learned / simulate<double_buffer>(t).rate();
        ++w.cells;
        w.best = best < w.best ? best : w.best;
        w.buffered = buffered < w.buffered ? buffered : w.buffered;
    }
    return w;
}

[[nodiscard]] inline std::uint64_t time_for(traffic const& t) {
    return 8'000 * (t.flush + t.mean);
}

/// Closed loops whose times spread evenly.
[[nodiscard]] inline std::vector<traffic> closed_cells(bool quick) {
    std::vector<traffic> cells;
    std::uint64_t seed = 90'001;
    for (unsigned const n : {1U, 2U, 5U, 16U, 48U}) {
        for (std::uint64_t const flush : {60'000U, 250'000U, 1'700'000U, 6'000'000U, 17'500'000U}) {
            for (unsigned const spread : {7U, 26U, 45U}) {
                for (std::uint64_t const mean : {83'000U, 900'000U}) {
                    if (quick and (spread != 26 or n == 48)) {
                        continue;
                    }
                    traffic t{.writers = n, .flush = flush, .mean = mean, .spread = spread, .seed = ++seed};
                    t.time = time_for(t);
                    cells.push_back(t);
                }
            }
        }
    }
    return cells;
}

/// Requests that come at random.
[[nodiscard]] inline std::vector<traffic> open_cells(pace how, bool quick) {
    std::vector<traffic> cells;
    std::uint64_t seed = 70'001;
    for (unsigned const n : {2U, 6U, 16U, 48U}) {
        for (std::uint64_t const flush : {60'000U, 250'000U, 1'700'000U, 6'000'000U, 17'500'000U}) {
            for (std::uint64_t const mean : {83'000U, 900'000U, 6'000'000U}) {
                if (quick and (n == 48 or flush < 1'000'000)) {
                    continue;
                }
                traffic t{.writers = n, .flush = flush, .mean = mean, .how = how, .seed = ++seed};
                t.time = time_for(t);
                cells.push_back(t);
            }
        }
    }
    return cells;
}

} // namespace flush_bench
