// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/acknowledge.hpp>

#include "../support/rig.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace support;
using db::irq_result;
using db::thread_result;
using tags = db::tag_set<32>;

constexpr std::uint32_t uic = db::ufs::cause::uccs;
constexpr std::uint32_t link_error = db::ufs::cause::ue;

template <class... Options>
using with = rig<db::inline_all, plain_driver, db::statistics, Options...>;

/// A controller whose causes sum up those of a register below, and are summed up in one above.
struct parent : db::ufshci {
    template <class Bank>
    static void acknowledge_children(Bank& bank, std::uint32_t causes) noexcept {
        bank.store(0x38, causes);
    }

    template <class Bank>
    static void acknowledge_sum(Bank& bank) noexcept {
        bank.store(0x3C, 1);
    }
};

static_assert(db::has_children<parent, small_bank> and not db::has_children<db::ufshci, small_bank>);
static_assert(db::is_summed_up<parent, small_bank> and not db::is_summed_up<db::ufshci, small_bank>);

template <class Signal>
lines order_of_acknowledges() {
    surroundings<plain_driver> s;
    db::host<
        parent, plain_driver, small_bank, db::testing::manual_clock<>, db::inline_all, db::testing::checking_lock,
        Signal>
        core{s.driver, s.hw, s.time, s.watch};
    REQUIRE(core.start() == db::start_status::started);
    REQUIRE(core.submit(db::tag{0}));
    s.hw.finish(0b1);
    s.log.forget();
    CHECK(core.on_hard_irq() == irq_result::mine);
    auto const order = s.log.take({"write"});
    CHECK(core.on_hard_irq() == irq_result::none);
    CHECK(s.log.take({"write"}) == lines{"write at 3c 1"}); // it may have latched for a cause that is masked by now
    return order;
}

} // namespace

TEST_CASE(
    "Children are acknowledged before the status on a level line and after it on an edge, the sum last", "[inv:D1]") {
    CHECK(order_of_acknowledges<db::level_line>() == lines{"write at 38 1", "write IS 1", "write at 3c 1"});
    CHECK(order_of_acknowledges<db::edge_line<>>() == lines{"write IS 1", "write at 38 1", "write at 3c 1"});
}

TEST_CASE("An interrupt without a cause is not ours on a shared line, and counted as handled on our own", "[inv:D5]") {
    with<> shared;
    shared.started();
    CHECK(shared.irq() == irq_result::none);
    CHECK(shared.core.observer().counts().fault.spurious == 1);
    with<db::sole_line> sole;
    sole.started();
    CHECK(sole.irq() == irq_result::mine);
    CHECK(sole.core.observer().counts().fault.spurious == 1);
    CHECK(sole.log.take() == lines{"read IS"});
}

TEST_CASE("A masked cause stays latched, unless whole snapshots are acknowledged", "[inv:D1]") {
    with<> r;
    r.started();
    r.hw.status = uic;
    CHECK(r.irq() == irq_result::none);
    CHECK(r.log.take() == lines{"read IS"});
    with<db::acknowledge_snapshot> whole;
    whole.started();
    whole.hw.status = uic;
    CHECK(whole.irq() == irq_result::none);
    CHECK(whole.log.take() == lines{"read IS", "write IS 400"});
}

TEST_CASE("A lost controller is told of once, takes no request and ends none", "[inv:D4]") {
    with<> r;
    r.started();
    r.in_flight(0b1);
    r.hw.gone = true;
    CHECK(r.irq() == (irq_result::mine | irq_result::wake | irq_result::gone));
    CHECK(r.log.take() == lines{"read IS", "lock", "unlock"});
    CHECK(r.core.submit(db::tag{1}).status() == db::submit_status::controller_gone);
    CHECK(r.irq() == irq_result::none);
    CHECK(r.core.observer().counts().fault.gone == 1);
    CHECK(r.core.outstanding() == tags{0b1});
    CHECK(r.driver.ended[0] == 0);
}

TEST_CASE("The thread goes on where the rounds of an edge ended, boundedly, and runs again for the rest", "[inv:D7]") {
    with<db::edge_line<2>, links> r;
    r.started();
    r.hw.after_access = [&r](std::string const& line) {
        if (line == "write IS 4") {
            r.hw.status = link_error; // it comes again at once
        }
    };
    r.hw.status = link_error;
    CHECK(r.irq().wake_thread());
    r.log.forget();
    CHECK(r.core.on_thread().again());
    CHECK(
        r.log.take({"read", "write", "sleeping"}) ==
        lines{"read IS", "write IS 4", "read IS", "write IS 4", "read DBR", "sleeping 4"});
    r.hw.after_access = nullptr;
    CHECK(r.core.on_thread() == thread_result::idle);
    CHECK(
        r.log.take({"read", "write", "sleeping"}) ==
        lines{"read IS", "write IS 4", "read IS", "read DBR", "sleeping 4"});
    CHECK(r.core.on_thread() == thread_result::idle); // nothing stands, so nothing is looked at
    CHECK(r.log.take({"read"}) == lines{"read DBR"});
}

TEST_CASE("The thread that goes on behind an edge notices that the controller is gone", "[inv:D4]") {
    with<db::edge_line<2>, links> r;
    r.started();
    r.driver.on_handler = [&r] { r.hw.status = uic; };
    r.hw.status = uic;
    CHECK(r.irq().wake_thread());
    r.hw.gone = true;
    static_cast<void>(r.core.on_thread());
    CHECK(r.core.observer().counts().fault.gone == 1);
    CHECK(r.core.submit(db::tag{1}).status() == db::submit_status::controller_gone);
}
