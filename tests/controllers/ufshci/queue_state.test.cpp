// SPDX-License-Identifier: BSL-1.0
#include <doorbell/controllers/ufshci/queue_state.hpp>

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>

namespace {

namespace db = doorbell;
using db::outcome;
using db::tag;
using db::ufs::completion_entry;
using state = db::ufs::queue_state<4>;
using tags = state::tags;

struct tag_of {
    tag operator()(completion_entry const& entry) const noexcept { return {entry.word[0]}; }
};

/// A pair of rings of five entries, and the device's side of the second.
struct rings {
    std::array<completion_entry, 5> entries{};
    std::uint32_t tail = 0;
    state queue{{.completions = entries.data(), .depth = 5}};

    void post(std::uint32_t which, std::uint32_t status = 0) {
        entries[tail] = {{which, 0, 0, 0, status, 0, 0, 0}};
        tail = (tail + 1) % 5;
    }

    tags take() { return queue.take<4>(tail * state::entry_bytes, tag_of{}); }
};

} // namespace

TEST_CASE("Q.B27: the status of a tag is copied when its entry is taken: the ring may overwrite it", "[Q.B27]") {
    rings r;
    r.queue.rung(tags{0b0001});
    CHECK(r.queue.response(tag{0}) == outcome::not_written);
    r.post(0, 0x7);
    CHECK(r.take().empty());
    for (completion_entry& each : r.entries) {
        each = {{3, 0, 0, 0, 0x1}};
    }
    CHECK(r.queue.response(tag{0}) == outcome{0x7});
    r.queue.rung(tags{0b0001}); // a new life has no status yet
    CHECK(r.queue.response(tag{0}) == outcome::not_written);
}

TEST_CASE("Only the low byte of an entry's status word is status") {
    rings r;
    r.queue.rung(tags{0b0010});
    r.post(1, 0xABCD'EF05);
    CHECK(r.take().empty());
    CHECK(r.queue.response(tag{1}) == outcome{0x5});
}

TEST_CASE("Both rings wrap exactly, over many rounds") {
    rings r;
    for (std::uint32_t n = 0; n < 23; ++n) {
        CHECK(r.queue.next_submission() == n % 5);
        CHECK(r.queue.submission_tail() == (n + 1) % 5 * state::entry_bytes);
        tag const which{n % 4};
        r.queue.rung(tags{which});
        CHECK(r.take() == tags{which}); // nothing came
        CHECK(r.queue.completion_head() == n % 5 * state::entry_bytes);
        r.post(which.index, n % 3);
        CHECK(r.take().empty());
        CHECK(r.queue.completion_head() == (n + 1) % 5 * state::entry_bytes);
        CHECK(r.queue.response(which) == outcome{n % 3});
    }
    CHECK(r.queue.strangers() == 0);
}

TEST_CASE("A look takes at most a stride of entries, and the next goes on there") {
    rings r;
    r.queue.rung(tags{0b1111});
    for (std::uint32_t n = 0; n < 4; ++n) {
        r.post(n);
    }
    CHECK(r.queue.take<3>(r.tail * state::entry_bytes, tag_of{}) == tags{0b1000});
    CHECK(r.queue.completion_head() == 3 * state::entry_bytes);
    CHECK(r.take().empty());
}

TEST_CASE("U.C33: entries of tags that nobody issued, or that there are not, are counted and skipped", "[U.C33]") {
    rings r;
    r.queue.rung(tags{0b0001});
    r.post(4'000'000'000U);
    r.post(2, 0x3);
    r.post(0);
    CHECK(r.take() == tags{0b0100}); // reported though nobody issued it
    CHECK(r.queue.strangers() == 2);
    CHECK(r.queue.response(tag{0}) == outcome::success);
    CHECK(r.queue.response(tag{2}) != outcome{0x3});
    CHECK(r.take().empty());
    r.queue.rung(tags{0b0001});
    r.post(0);
    r.post(0, 0x5); // a second end of the same request does not keep it from ending
    CHECK(r.take().empty());
    CHECK(r.queue.strangers() == 3);
    CHECK(r.queue.response(tag{0}) == outcome::success);
}

TEST_CASE(
    "U.C33: a tail outside of the ring, as a controller that is gone reports it, takes nothing", "[U.C33][inv:D4]") {
    rings r;
    for (std::uint32_t n = 0; n < 5; ++n) { // old entries, which say that all is well
        r.post(0);
    }
    r.queue.rung(tags{0b0001});
    CHECK(r.queue.take<4>(0xFFFF'FFFF, tag_of{}) == tags{0b0001});
    CHECK(r.queue.take<4>(5 * state::entry_bytes, tag_of{}) == tags{0b0001});
    CHECK(r.queue.response(tag{0}) == outcome::not_written);
    CHECK(r.queue.completion_head() == 0);
    CHECK(r.queue.strangers() == 0);
    state unplaced; // no ring at all
    CHECK(unplaced.take<4>(0x100, tag_of{}).empty());
    CHECK(unplaced.take<4>(0, tag_of{}).empty());
    CHECK(unplaced.strangers() == 0);
}

TEST_CASE("Clean-up goes by its stages and ends what hardware held of its tag, and nothing else", "[inv:T7]") {
    using stage = state::cleanup;
    rings r;
    r.queue.set_unit(tag{2}, 0x5A);
    r.queue.rung(tags{0b1110});
    CHECK(r.queue.stage() == stage::none);
    r.queue.begin_cleanup(tag{2});
    CHECK(r.queue.stage() == stage::stopping);
    CHECK(r.queue.cleanup_target() == 0x5A02);
    r.queue.stopped();
    CHECK(r.queue.stage() == stage::cleaning);
    CHECK(r.queue.held() == tags{0b1110});
    r.queue.cleaned();
    CHECK(r.queue.stage() == stage::none);
    CHECK(r.queue.held() == tags{0b1010});
}

TEST_CASE("U.D2: a restart leaves nothing of the old rings", "[U.D2]") {
    rings r;
    CHECK(r.queue.next_submission() == 0);
    r.queue.rung(tags{0b0011});
    r.post(0);
    CHECK(r.take() == tags{0b0010});
    r.queue.begin_cleanup(tag{1});
    r.queue.restart();
    CHECK(r.queue.held().empty());
    CHECK(r.queue.completion_head() == 0);
    CHECK(r.queue.submission_tail() == 0);
    CHECK(r.queue.stage() == state::cleanup::none);
    CHECK(r.queue.next_submission() == 0);
    CHECK(r.queue.place().depth == 5);
}
