// SPDX-License-Identifier: BSL-1.0
#include <doorbell/timeout/options.hpp>

#include "timed_rig.hpp"

namespace {

using namespace support;

struct plain {
    db::outcome response(db::tag) noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context>, db::outcome) noexcept {}

    void arm_timer(db::deadline<std::uint16_t>) noexcept {}
};

template <class... Options>
using core = db::host<
    db::ufshci, plain, small_bank, db::testing::manual_clock<>, db::inline_all, db::null_lock,
    db::observed_by<db::null_observer>, Options...>;

using short_limit = db::uniform_timeouts<std::uint16_t, 1'000, 0, db::quarantine_until_reset>;

// Deadlines that were not asked for take no room and offer no verb.
template <class Core>
concept has_time = requires(Core& c) { c.tick(std::uint16_t{0}); };
static_assert(not has_time<core<>>);
static_assert(has_time<core<short_limit>>);
static_assert(sizeof(core<db::no_timeouts>) == sizeof(core<>));
static_assert(sizeof(core<short_limit>) > sizeof(core<>));

// Nothing runs before main.
plain driver{};
journal log{};
small_device hw{log};
db::testing::manual_time<> now{0};

} // namespace

TEST_CASE("A core keeps deadlines in a counter of the width that its driver counts with", "[inv:X1][inv:B3]") {
    core<short_limit> c{driver, small_bank{hw}, now};
    REQUIRE(c.start() == db::start_status::started);
    c.tick(0xFFF0);
    REQUIRE(c.submit(db::tag{0}));
    CHECK(c.expire(0xFFFF).stuck.empty());
    CHECK(c.expire(983).stuck.empty());
    CHECK(c.expire(984).stuck == db::tag_set<32>{1});
}
