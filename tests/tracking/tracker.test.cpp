// SPDX-License-Identifier: BSL-1.0
#include <doorbell/tracking/tracker.hpp>

#include <doorbell/lock/null_lock.hpp>
#include <doorbell/testing/checking_lock.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <type_traits>

namespace {

using namespace doorbell;
using doorbell::testing::checking_lock;
using doorbell::testing::lock_watch;
using requests = tracker<32, checking_lock>;
using tags = requests::tags;

/// A tracker behind a lock that watches.
struct watched {
    watched() {
        all.open(tags::all());
        watch.forget_acquisitions();
    }

    lock_watch watch{};
    requests all{watch};

    void submit(std::uint32_t bits) {
        REQUIRE(all.submit(tags{bits}, [](tags) noexcept {}));
        watch.forget_acquisitions();
    }

    tags claim(std::uint32_t busy) {
        return all.claim([busy]() noexcept { return tags{busy}; }).batch;
    }
};

// The lock that costs nothing takes no room either, and a tracker can be a constant-initialised global.
static_assert(sizeof(tracker<32, null_lock>) == sizeof(request_states<32>));
constinit tracker<32, null_lock> global{};

constexpr bool runs_while_compiling() {
    tracker<8, null_lock> t;
    using set = tracker<8, null_lock>::tags;
    t.open(set::all());
    bool const sent = static_cast<bool>(t.submit(set{0b11}, [](set) noexcept {}));
    bool const claimed = t.claim([]() noexcept { return set{0b10}; }).batch == set{0b01};
    return sent and claimed and t.outstanding() == set{0b10};
}

} // namespace

TEST_CASE("Marking and ringing happen in one lock section", "[inv:T1]") {
    watched t;
    bool held = false;
    tags marked;
    auto const result = t.all.submit(tags{0b0110}, [&](tags set) noexcept {
        held = t.watch.held();
        marked = set;
    });
    CHECK(result);
    CHECK(held);
    CHECK(marked == tags{0b0110});
    CHECK_FALSE(t.watch.held());
    CHECK(t.watch.acquisitions() == 1);
}

TEST_CASE("Completion state is read in the section that claims", "[inv:T1]") {
    watched t;
    t.submit(0b0011);
    bool held = false;
    auto const found = t.all.claim([&]() noexcept {
        held = t.watch.held();
        return tags{0b0001};
    });
    CHECK(held);
    CHECK(found.batch == tags{0b0010});
    CHECK_FALSE(t.watch.held());
}

TEST_CASE("Each operation is one lock section", "[inv:T10]") {
    watched t;
    auto const sections = [&t](auto operation) {
        t.watch.forget_acquisitions();
        operation();
        return t.watch.acquisitions();
    };
    ticket request{};
    CHECK(sections([&] { request = t.all.submit(tags{1}, [](tags) noexcept {}).ticket_for(tag{0}); }) == 1);
    CHECK(sections([&] { static_cast<void>(t.all.outstanding()); }) == 1);
    CHECK(sections([&] { static_cast<void>(t.claim(0)); }) == 1);
    CHECK(sections([&] { static_cast<void>(t.all.park(tags{1}, {})); }) == 1);
    CHECK(sections([&] { static_cast<void>(t.all.parked()); }) == 1);
    CHECK(sections([&] { static_cast<void>(t.all.quarantine(request)); }) == 1);
    CHECK(sections([&] { t.all.open(tags{1}); }) == 1);
    CHECK(t.watch.errors() == 0);
}

TEST_CASE("A refused submission leaves the lock as it found it", "[inv:T1]") {
    watched t;
    t.submit(1);
    CHECK(t.all.submit(tags{1}, [](tags) noexcept {}).status() == submit_status::busy);
    CHECK_FALSE(t.watch.held());
    CHECK(t.watch.acquisitions() == 1);
}

TEST_CASE("Two claims in a row share nothing", "[inv:T2]") {
    watched t;
    t.submit(0xFF);
    tags const first = t.claim(0xF0);
    tags const second = t.claim(0x00);
    CHECK_FALSE(first.intersects(second));
    CHECK((first | second) == tags{0xFF});
}

TEST_CASE("A section of one's own runs under the lock and answers", "[inv:T1]") {
    watched t;
    t.submit(0b0101);
    auto const seen =
        t.all.locked([&t](auto& states) noexcept { return t.watch.held() ? states.outstanding() : tags{}; });
    CHECK(seen == tags{0b0101});
    CHECK(t.watch.acquisitions() == 1);
}

TEST_CASE("A tracker needs no lock where its user promises to be alone", "[inv:T10]") {
    STATIC_CHECK(runs_while_compiling());
    global.open(tags::all());
    CHECK(global.submit(tags{1}, [](tags) noexcept {}));
    CHECK(global.outstanding() == tags{1});
}
