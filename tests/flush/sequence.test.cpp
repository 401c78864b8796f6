// SPDX-License-Identifier: BSL-1.0
#include <doorbell/flush/sequence.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

namespace db = doorbell;
using db::flush_step;
using db::flush_wishes;
using steps = std::vector<flush_step>;

steps run(flush_wishes wishes, bool fua, std::size_t fails_at = 99) {
    steps all;
    db::flush_sequence s{wishes, fua};
    flush_step now = s.next();
    while (now != flush_step::succeeded and now != flush_step::failed) {
        all.push_back(now);
        now = s.ended(all.size() != fails_at);
    }
    all.push_back(now);
    return all;
}

} // namespace

TEST_CASE("a request goes through its steps in order", "[inv:F7]") {
    using enum flush_step;
    CHECK(run({}, true) == steps{write, succeeded});
    CHECK(run({.preflush = true}, true) == steps{preflush, write, succeeded});
    CHECK(run({.fua = true}, true) == steps{write_through, succeeded});
    CHECK(run({.fua = true}, false) == steps{write, postflush, succeeded});
    CHECK(run({.preflush = true, .fua = true}, true) == steps{preflush, write_through, succeeded});
    CHECK(run({.preflush = true, .fua = true}, false) == steps{preflush, write, postflush, succeeded});
    CHECK(run({.preflush = true, .data = false}, true) == steps{preflush, succeeded});
    CHECK(run({.preflush = true, .data = false, .fua = true}, false) == steps{preflush, succeeded});
    CHECK(run({.data = false}, false) == steps{preflush, succeeded}); // a flush is all it can be
}

TEST_CASE("after a failed step nothing else is sent", "[inv:F1]") {
    using enum flush_step;
    CHECK(run({.preflush = true, .fua = true}, false, 1) == steps{preflush, failed});
    CHECK(run({.preflush = true, .fua = true}, false, 2) == steps{preflush, write, failed});
    CHECK(run({.preflush = true, .fua = true}, false, 3) == steps{preflush, write, postflush, failed});
}

TEST_CASE("only a write with force unit access went through", "[inv:F7]") {
    db::flush_sequence with{{.preflush = true, .fua = true}, true};
    CHECK(with.kind() == db::write_kind::cached);
    with.ended(true);
    CHECK(with.kind() == db::write_kind::through);
    db::flush_sequence without{{.fua = true}, false};
    CHECK(without.kind() == db::write_kind::cached);
    STATIC_CHECK(db::flush_sequence{{.fua = true}, true}.next() == flush_step::write_through);
}
