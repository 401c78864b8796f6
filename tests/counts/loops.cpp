// SPDX-License-Identifier: BSL-1.0
// The completion loop alone, beside the bare loop in C.
#include "composed.hpp"

namespace {

namespace db = doorbell;

template <class Budget>
[[gnu::always_inline]] inline std::uint32_t loop(counted::disk* disk, std::uint32_t batch) {
    typename Budget::template bound<counted::clock> budget{};
    counted::clock clock{};
    auto const rest = db::complete_within(budget, clock, db::tag_set<32>{batch}, [disk](db::tag each) noexcept {
        auto const result = disk->response(each);
        if (not is_final(result)) [[unlikely]] {
            return false;
        }
        disk->completed(db::claimed<db::any_context>{each}, result);
        return true;
    });
    return (rest.unasked | rest.lagging).raw();
}

} // namespace

extern "C" {
std::uint32_t counted_loop_all(counted::disk* disk, std::uint32_t batch) {
    return loop<db::inline_all>(disk, batch);
}

std::uint32_t counted_loop_1(counted::disk* disk, std::uint32_t batch) {
    return loop<db::time_budget<20'000>>(disk, batch);
}

std::uint32_t counted_loop_16(counted::disk* disk, std::uint32_t batch) {
    return loop<db::time_budget<20'000, db::every<16>>>(disk, batch);
}

std::uint32_t counted_loop_count(counted::disk* disk, std::uint32_t batch) {
    return loop<db::count_budget<64>>(disk, batch);
}
}
