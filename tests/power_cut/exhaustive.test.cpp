// SPDX-License-Identifier: BSL-1.0
// Every history of the listed events, up to a length: at each step all that can happen, over two streams and two
// domains. Histories that differ only in the names of streams and domains are one.
#include "levels.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

using namespace power_cut;

namespace {

constexpr unsigned domains = 2;
constexpr unsigned streams = 2;
constexpr std::size_t longest = 7;

/// What a kind is about; the numbers of an event stand for these.
enum class about { nothing, domain, stream, stream_and_domain };

struct letter {
    kind what;
    about of;
};

constexpr std::array alphabet{
    letter{kind::write, about::domain},        letter{kind::flush, about::stream_and_domain},
    letter{kind::flush_all, about::stream},    letter{kind::barrier, about::stream_and_domain},
    letter{kind::end_done, about::domain},     letter{kind::end_busy, about::domain},
    letter{kind::end_failed, about::domain},   letter{kind::time_out, about::domain},
    letter{kind::late_done, about::domain},    letter{kind::bad_write, about::domain},
    letter{kind::reset_kept, about::nothing},  letter{kind::reset_lost, about::nothing},
    letter{kind::timer, about::nothing},       letter{kind::suspend, about::nothing},
    letter{kind::power_cycle, about::nothing}, letter{kind::resume, about::nothing},
    letter{kind::stop, about::nothing},
};

struct counts {
    std::uint64_t histories = 0; ///< those that cannot go on, or are as long as allowed
    std::uint64_t prefixes = 0;  ///< events that happened, over all histories, shared beginnings once
    std::uint64_t cuts = 0;
    std::string problem{};
};

template <class World>
class search {
public:
    search(std::size_t length, counts& all) : length_{length}, all_{all} {}

    // `known_streams`, `known_domains`: how many have been named. The next new one is the next number, whatever its
    // name.
    void go(World const& before, std::size_t depth, unsigned known_streams, unsigned known_domains) {
        bool last = true;
        if (depth != length_) {
            for (letter const& l : alphabet) {
                bool const has_stream = l.of == about::stream or l.of == about::stream_and_domain;
                bool const has_domain = l.of == about::domain or l.of == about::stream_and_domain;
                unsigned const most_s = has_stream ? (known_streams < streams ? known_streams + 1 : streams) : 1;
                unsigned const most_d = has_domain ? (known_domains < domains ? known_domains + 1 : domains) : 1;
                for (unsigned s = 0; s < most_s; ++s) {
                    for (unsigned d = 0; d < most_d; ++d) {
                        event const e = has_stream ? event{l.what, s, d} : event{l.what, d, 0};
                        if (not before.enabled(e) or not all_.problem.empty()) {
                            continue;
                        }
                        last = false;
                        unsigned const s_now = has_stream and s == known_streams ? known_streams + 1 : known_streams;
                        unsigned const d_now = has_domain and d == known_domains ? known_domains + 1 : known_domains;
                        step(before, e, depth, s_now, d_now);
                    }
                }
            }
        }
        all_.histories += last ? 1 : 0;
    }

private:
    void step(World const& before, event const& e, std::size_t depth, unsigned known_streams, unsigned known_domains) {
        path_[depth] = e;
        World after = before;
        after.apply(e);
        ++all_.prefixes;
        ++all_.cuts;
        if (after.content() and depth + 1 == length_) {
            World end = after;
            end.drain();
            if (not end.content()) {
                all_.problem = script(depth) + "and the rest: " + end.text();
            }
        }
        if (not after.content()) {
            all_.problem = script(depth) + ": " + after.text();
            return;
        }
        go(after, depth + 1, known_streams, known_domains);
    }

    [[nodiscard]] std::string script(std::size_t depth) const {
        std::string all;
        for (std::size_t i = 0; i <= depth; ++i) {
            all += text(path_[i]) + " ";
        }
        return all;
    }

    std::size_t length_;
    counts& all_;
    std::array<event, longest> path_{};
};

template <class Subject>
counts search_all(std::size_t length) {
    counts all;
    auto const start = Subject::template make<domains, streams, longest + 1>();
    search<std::remove_const_t<decltype(start)>>{length, all}.go(start, 0, 0, 0);
    std::printf(
        "all histories up to %zu events: %llu, with %llu cut points (each shared beginning once)\n", length,
        static_cast<unsigned long long>(all.histories), static_cast<unsigned long long>(all.cuts));
    return all;
}

} // namespace

TEMPLATE_TEST_CASE(
    "no history of up to five events loses what an answered flush covers",
    "[inv:F1][inv:F2][inv:F3][inv:F4][inv:F6][inv:F8]", strict_alone, riding_alone, riding_poisoned, riding_all,
    grouped_fixed, deferred) {
    counts const all = search_all<TestType>(5);
    INFO(all.problem);
    CHECK(all.problem.empty());
    CHECK(all.histories > 10'000);
}

TEMPLATE_TEST_CASE(
    "no history of up to seven events loses what an answered flush covers", "[.full]", strict_alone, riding_alone,
    riding_poisoned, riding_all, grouped_fixed, deferred) {
    counts const all = search_all<TestType>(7);
    INFO(all.problem);
    CHECK(all.problem.empty());
}
