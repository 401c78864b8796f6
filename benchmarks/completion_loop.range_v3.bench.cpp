// SPDX-License-Identifier: BSL-1.0
// The completion loop as a pipeline of range-v3 views over the same words: what somebody would write who likes ranges
// and has no tag set.
#include "kit/batches.hpp"
#include "kit/disk.hpp"

#include <range/v3/algorithm/for_each.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>

namespace {

namespace db = doorbell;

template <unsigned Nanoseconds>
bench::disk<Nanoseconds> drive;

struct word {
    std::uint32_t bits = 0;
};

template <unsigned Nanoseconds>
void view_loop(std::uint32_t bits) {
    auto& disk = drive<Nanoseconds>;
    auto const is_finished = [bits](unsigned i) { return (bits >> i & 1U) != 0; };
    ranges::for_each(ranges::views::iota(0U, 32U) | ranges::views::filter(is_finished), [&](unsigned i) {
        db::tag const each{i};
        disk.completed(db::claimed<db::any_context>{each}, disk.response(each));
    });
}

template <unsigned Nanoseconds>
void enter_all() {
    std::string const row = "callback of about " + std::to_string(Nanoseconds) + " ns";
    for (unsigned const n : {1U, 8U, 32U}) {
        bench::enter<word>(
            "range-v3 views", row, n, [=](word& w) { w.bits = bench::finished(n); },
            [](word& w) {
                std::uint32_t bits = w.bits;
                benchmark::DoNotOptimize(bits);
                view_loop<Nanoseconds>(bits);
            });
    }
}

[[maybe_unused]] bool const entered = [] {
    enter_all<0>();
    enter_all<50>();
    enter_all<500>();
    return true;
}();

} // namespace
