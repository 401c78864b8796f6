// SPDX-License-Identifier: BSL-1.0
#include <doorbell/tracking/request_states.hpp>

#include <doorbell/core/wide_tag_set.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace doorbell;
using states = request_states<32>;
using tags = states::tags;

constexpr auto silence = [](tags) noexcept {};

constexpr states opened(tags usable = tags::all()) {
    states s;
    s.open(usable);
    return s;
}

constexpr submitted put(states& s, std::uint32_t bits) {
    return s.submit(tags{bits}, silence);
}

constexpr claim_result<tags> claim(states& s, std::uint32_t busy) {
    return s.claim([busy]() noexcept { return tags{busy}; });
}

constexpr tags collect(states& s, std::uint32_t busy) {
    return s.collect([busy]() noexcept { return tags{busy}; });
}

constexpr submit_status refused(states s, std::uint32_t bits) {
    return put(s, bits).status();
}

} // namespace

TEST_CASE("Before it is opened nothing is accepted", "[inv:D7]") {
    STATIC_CHECK(refused(states{}, 1) == submit_status::not_started);
    STATIC_CHECK(refused(states{}, 0xFFFF'FFFF) == submit_status::not_started);
    STATIC_CHECK(states{}.outstanding().empty());
    STATIC_CHECK(states{}.parked().empty());
}

TEST_CASE("An accepted set is outstanding before it is rung, all of it in one ring", "[inv:T1]") {
    states s = opened();
    tags rung;
    tags marked_at_ring;
    unsigned rings = 0;
    auto const result = s.submit(tags{0b1010}, [&](tags set) noexcept {
        rung = set;
        marked_at_ring = s.outstanding();
        ++rings;
    });
    CHECK(result);
    CHECK(rings == 1);
    CHECK(rung == tags{0b1010});
    CHECK(marked_at_ring == tags{0b1010});
}

TEST_CASE("A set is refused as a whole, and rings nothing, when one tag of it is in use", "[inv:T1]") {
    states s = opened();
    REQUIRE(put(s, 0b0100));
    unsigned rings = 0;
    auto const result = s.submit(tags{0b0110}, [&](tags) noexcept { ++rings; });
    CHECK(result.status() == submit_status::busy);
    CHECK(rings == 0);
    CHECK(s.outstanding() == tags{0b0100});
}

TEST_CASE("A set is refused as a whole when one tag of it does not exist", "[inv:T1]") {
    STATIC_CHECK(refused(opened(tags{0xFF}), 0x100) == submit_status::out_of_range);
    STATIC_CHECK(refused(opened(tags{0xFF}), 0x180) == submit_status::out_of_range);
    STATIC_CHECK(refused(opened(tags{0xFF}), 0x080) == submit_status::accepted);
}

TEST_CASE("A tag that is parked is in use", "[inv:T2]") {
    states s = opened();
    REQUIRE(put(s, 1));
    REQUIRE(claim(s, 0).batch == tags{1});
    static_cast<void>(s.park(tags{1}, {}));
    CHECK(refused(s, 1) == submit_status::busy);
}

TEST_CASE("A claim takes exactly what is outstanding and no longer busy", "[inv:T2]") {
    states s = opened();
    REQUIRE(put(s, 0b1111));
    CHECK(claim(s, 0b0101).batch == tags{0b1010});
    CHECK(s.outstanding() == tags{0b0101});
    CHECK(claim(s, 0b0101).batch.empty());
    CHECK(claim(s, 0).batch == tags{0b0101});
    CHECK(claim(s, 0).batch.empty());
    CHECK(s.outstanding().empty());
}

TEST_CASE("A claim reads the completion state once", "[inv:T4]") {
    states s = opened();
    REQUIRE(put(s, 0xFFFF));
    unsigned reads = 0;
    static_cast<void>(s.claim([&]() noexcept {
        ++reads;
        return tags{0x0F};
    }));
    CHECK(reads == 1);
}

TEST_CASE("A tag may be submitted again as soon as its callback begins, and not before", "[inv:T3][inv:T2]") {
    states s = opened();
    REQUIRE(put(s, 1));
    CHECK(put(s, 1).status() == submit_status::busy);
    REQUIRE(claim(s, 0).batch == tags{1});
    CHECK(put(s, 1).status() == submit_status::busy);
    CHECK(put(s, 3).status() == submit_status::busy);
    CHECK(s.outstanding().empty());
    s.give_back(tag{0});
    CHECK(put(s, 1));
    CHECK(s.outstanding() == tags{1});
}

TEST_CASE("A tag that hardware reports and nobody issued is told apart and completes nobody", "[inv:T6]") {
    states s = opened(tags{0xFF});
    REQUIRE(put(s, 0b0001));
    auto const found = claim(s, 0b1000'0000'0011);
    CHECK(found.batch.empty());
    CHECK(found.unknown == tags{0b1000'0000'0010});
    CHECK(claim(s, 0b0010).batch == tags{0b0001});
}

TEST_CASE("A tag that is being closed is not unknown", "[inv:T6]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    s.close(submit_status::closing);
    auto const found = claim(s, 0b0111);
    CHECK(found.batch.empty());
    CHECK(found.unknown == tags{0b0100});
}

TEST_CASE("A leftover joins the next claim, and is there only once", "[inv:H2]") {
    states s = opened();
    REQUIRE(put(s, 0b0111));
    REQUIRE(claim(s, 0b0100).batch == tags{0b0011});
    CHECK(s.park(tags{0b0010}, {}));
    CHECK(s.parked() == tags{0b0010});
    CHECK(claim(s, 0).batch == tags{0b0110});
    CHECK(s.parked().empty());
    CHECK(claim(s, 0).batch.empty());
}

TEST_CASE("A leftover can be taken without a look at the hardware, once", "[inv:H1]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    REQUIRE(claim(s, 0b0010).batch == tags{0b0001});
    static_cast<void>(s.park(tags{0b0001}, {}));
    CHECK(s.take_parked() == tags{0b0001});
    CHECK(s.take_parked().empty());
    CHECK(s.outstanding() == tags{0b0010});
}

TEST_CASE("Two leftovers add up", "[inv:H1]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    REQUIRE(claim(s, 0b0010).batch == tags{0b0001});
    CHECK(s.park(tags{0b0001}, {}));
    // another context claimed meanwhile and did not join this leftover yet
    CHECK(s.park(tags{0b1000}, tags{0b0100}));
    CHECK(s.parked() == tags{0b1101});
}

TEST_CASE("Unasked tags always wake, lagging ones once per request", "[inv:T11]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    REQUIRE(claim(s, 0).batch == tags{0b0011});
    CHECK(s.park({}, tags{0b0001}));       // first time
    CHECK_FALSE(s.park({}, tags{0b0001})); // known
    CHECK(s.park({}, tags{0b0011}));       // one of them is new
    CHECK_FALSE(s.park({}, tags{0b0011}));
    CHECK(s.park(tags{0b0010}, tags{0b0001}));
    CHECK(s.park(tags{0b0010}, tags{0b0001})); // as often as it happens
    CHECK_FALSE(s.park({}, {}));
}

TEST_CASE("Who keeps a lagging tag without telling the thread leaves its wake to the next", "[inv:T11]") {
    states s = opened();
    auto const request = put(s, 1);
    REQUIRE(claim(s, 0).batch == tags{1});
    CHECK(s.park({}, tags{1}, false));
    CHECK(s.lagging() == tags{1});
    CHECK(s.generation(tag{0}) == request.generation());
    CHECK(s.park({}, tags{1}, false));
    CHECK(s.park({}, tags{1}));
    CHECK_FALSE(s.park({}, tags{1}));
}

TEST_CASE("A new request of the same tag wakes anew when it lags", "[inv:T11]") {
    states s = opened();
    for (unsigned round = 0; round < 3; ++round) {
        REQUIRE(put(s, 1));
        REQUIRE(claim(s, 0).batch == tags{1});
        CHECK(s.park({}, tags{1}));
        CHECK_FALSE(s.park({}, tags{1}));
        REQUIRE(s.take_parked() == tags{1});
        s.give_back(tag{0});
    }
}

TEST_CASE("Every submission is a generation of its own, shared by its tags", "[inv:T2]") {
    states s = opened();
    auto const first = put(s, 0b0011);
    auto const second = put(s, 0b0100);
    CHECK(first.generation() != second.generation());
    CHECK(s.generation(tag{0}) == first.generation());
    CHECK(s.generation(tag{1}) == first.generation());
    CHECK(s.generation(tag{2}) == second.generation());
    CHECK(s.generation(tag{3}) == 0);
    REQUIRE(claim(s, 0b0110).batch == tags{0b0001});
    CHECK(put(s, 0b0001).generation() != first.generation());
}

TEST_CASE("A lagging tag keeps its generation", "[inv:T2]") {
    states s = opened();
    auto const first = put(s, 1);
    REQUIRE(claim(s, 0).batch == tags{1});
    static_cast<void>(s.park({}, tags{1}));
    CHECK(s.generation(tag{0}) == first.generation());
}

TEST_CASE("Between claim and withdrawal there is one winner", "[inv:T2]") {
    SECTION("the claim comes first") {
        states s = opened();
        auto const request = put(s, 1);
        REQUIRE(claim(s, 0).batch == tags{1});
        CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::already_done);
    }
    SECTION("the withdrawal comes first") {
        states s = opened();
        auto const request = put(s, 1);
        CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::won);
        CHECK(claim(s, 0).batch.empty());
        CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::already_done);
        CHECK(s.outstanding().empty());
    }
    SECTION("the leftover has it: its outcome is fixed") {
        states s = opened();
        auto const request = put(s, 1);
        REQUIRE(claim(s, 0).batch == tags{1});
        static_cast<void>(s.park(tags{1}, {}));
        CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::already_done);
        CHECK(s.parked() == tags{1});
    }
}

TEST_CASE("A ticket of an older generation does not hit the next request of its tag", "[inv:T2]") {
    states s = opened();
    auto const first = put(s, 1);
    REQUIRE(claim(s, 0).batch == tags{1});
    s.give_back(tag{0});
    auto const second = put(s, 1);
    CHECK(s.quarantine(first.ticket_for(tag{0})) == withdrawal::stale);
    CHECK(s.outstanding() == tags{1});
    CHECK(s.quarantine(second.ticket_for(tag{0})) == withdrawal::won);
}

TEST_CASE("A ticket of no request withdraws nothing", "[inv:T2]") {
    states s = opened();
    CHECK(s.quarantine(ticket{tag{5}, 0}) == withdrawal::stale);
    CHECK(s.quarantine(ticket{tag{5}, 2}) == withdrawal::stale);
    CHECK(s.quarantine(ticket{tag{32}, 0}) == withdrawal::stale);
    CHECK(s.quarantine(ticket{tag{~0U}, 0}) == withdrawal::stale);
    REQUIRE(put(s, 1));
    auto const refusal = put(s, 1);
    CHECK(s.quarantine(refusal.ticket_for(tag{0})) == withdrawal::stale);
}

TEST_CASE("A lagging tag can still be withdrawn", "[inv:T11]") {
    states s = opened();
    auto const request = put(s, 0b0011);
    REQUIRE(claim(s, 0).batch == tags{0b0011});
    static_cast<void>(s.park({}, tags{0b0001}));
    CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::won);
    CHECK(s.parked().empty());
    CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::already_done);
}

TEST_CASE("While closing, nobody claims from a doorbell that reads 0", "[inv:T1]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    s.close(submit_status::closing);
    CHECK(claim(s, 0).batch.empty());
    CHECK(s.outstanding() == tags{0b0011});
    CHECK(refused(s, 0b0100) == submit_status::closing);
    CHECK(refused(s, 0b0001) == submit_status::closing);
}

TEST_CASE("Whoever closes collects what really finished, then forces the rest, each once", "[inv:T1]") {
    states s = opened();
    REQUIRE(put(s, 0b1111));
    REQUIRE(claim(s, 0b0111).batch == tags{0b1000});
    static_cast<void>(s.park(tags{0b1000}, {}));
    s.close(submit_status::closing);
    CHECK(collect(s, 0b0101) == tags{0b1010}); // with the leftover
    CHECK(collect(s, 0b0101).empty());
    CHECK(s.outstanding() == tags{0b0101});
    CHECK(s.force() == tags{0b0101});
    CHECK(s.force().empty());
    CHECK(s.outstanding().empty());
}

TEST_CASE("What is forced includes a leftover that appeared meanwhile", "[inv:T1]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    REQUIRE(claim(s, 0b0010).batch == tags{0b0001});
    s.close(submit_status::closing);
    static_cast<void>(s.park({}, tags{0b0001}));
    CHECK(s.force() == tags{0b0011});
    CHECK(s.parked().empty());
}

TEST_CASE("A tag that is being closed cannot be withdrawn: its callback runs before the reset returns", "[inv:T2]") {
    states s = opened();
    auto const request = put(s, 1);
    s.close(submit_status::closing);
    CHECK(s.quarantine(request.ticket_for(tag{0})) == withdrawal::already_done);
    CHECK(s.force() == tags{1});
}

TEST_CASE("Closing twice forgets nothing", "[inv:T1]") {
    states s = opened();
    REQUIRE(put(s, 0b0011));
    s.close(submit_status::closing);
    s.close(submit_status::closing);
    CHECK(s.force() == tags{0b0011});
}

TEST_CASE("A barred tracker says why, whatever the tag", "[inv:D7]") {
    states s = opened(tags{0xFF});
    s.bar(submit_status::controller_gone);
    CHECK(refused(s, 1) == submit_status::controller_gone);
    s.bar(submit_status::not_started);
    CHECK(refused(s, 1) == submit_status::not_started);
    CHECK(refused(s, 0x100) == submit_status::not_started);
    s.bar(submit_status::closing);
    CHECK(refused(s, 0x100) == submit_status::out_of_range);
}

TEST_CASE("It can be opened again, with another number of tags", "[inv:D7]") {
    states s = opened(tags{0xFF});
    s.bar(submit_status::not_started);
    s.open(tags{0x1FF});
    CHECK(refused(s, 0x100) == submit_status::accepted);
    CHECK(refused(s, 0x200) == submit_status::out_of_range);
}

TEST_CASE("More than one word of tags behaves alike", "[inv:T2]") {
    using wide = request_states<130>;
    wide s;
    wide::tags usable = wide::tags::all();
    s.open(usable);
    wide::tags set;
    for (unsigned const index : {0U, 64U, 129U}) {
        set.insert(tag{index});
    }
    auto const request = s.submit(set, [](wide::tags) noexcept {});
    REQUIRE(request);
    wide::tags busy;
    busy.insert(tag{64});
    auto const found = s.claim([busy]() noexcept { return busy; });
    CHECK(found.batch.contains(tag{129}));
    CHECK(found.batch.size() == 2);
    CHECK(s.quarantine(request.ticket_for(tag{64})) == withdrawal::won);
    CHECK(s.quarantine(ticket{tag{130}, request.generation()}) == withdrawal::stale);
}
