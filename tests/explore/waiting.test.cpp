// SPDX-License-Identifier: BSL-1.0
// How long a second submitter waits while completions run, in virtual time: for one lock section, however many there
// are and however long their callbacks take. Times are of every schedule with at most three preemptions; a reduction
// might leave out the one in which somebody waits longest.
#include "explored.hpp"

#include <doorbell/controllers/ufshci/offsets.hpp>
#include <doorbell/host.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace rig;
namespace db = doorbell;
using explore::verdict;

namespace {

constexpr std::uint64_t callback_ns = 1'000; // where a register access, or taking the lock, is 1

/// The registers of a controller with 32 slots.
struct registers {
    std::uint32_t causes = 0;
    std::uint32_t owned = 0;
    bool pending = false; ///< the interrupt has not been entered
};

struct registers_bank {
    registers* hardware;

    [[nodiscard]] std::uint32_t load(std::size_t offset) const noexcept {
        return offset == db::ufs::offset::is        ? hardware->causes
               : offset == db::ufs::offset::utrldbr ? hardware->owned
               : offset == db::ufs::offset::cap     ? 31
               : offset == db::ufs::offset::hce     ? 1
                                                    : 0;
    }

    void store(std::size_t offset, std::uint32_t value) const noexcept {
        if (offset == db::ufs::offset::is) {
            hardware->causes &= ~value;
        } else if (offset == db::ufs::offset::utrldbr) {
            hardware->owned |= value;
        }
    }

    void before_doorbell() const noexcept {}

    void after_done() const noexcept {}

    void before_unlock() const noexcept {}
};

struct driver {
    std::uint64_t callback_takes;
    unsigned completions = 0;

    [[nodiscard]] db::outcome response(db::tag) const noexcept { return db::outcome::success; }

    void completed(db::claimed<db::any_context> won, db::outcome) noexcept {
        ++completions;
        explore::spend("callback", won.index(), callback_takes);
    }
};

using lock = explore::explored_irq_spin_lock;
using core = db::host<
    db::ufshci, driver, explore::explored_bank<registers_bank, explore::whole_device>, explore::step_clock,
    db::inline_all, lock, db::observed_by<db::null_observer>>;

struct waits {
    std::uint64_t submitter = 0;
    std::uint64_t handler = 0;
};

/// `finished` requests complete in the hard handler of one processor core, while on another somebody submits: the first
/// of them again when its callback has begun.
waits while_completing(unsigned finished, std::uint64_t callback_takes) {
    unsigned accepted = 0;
    explore::limits how{};
    how.preemptions = 3;
    auto const r = explored(
        "second submitter, " + std::to_string(finished) + " callbacks of " + std::to_string(callback_takes),
        [&](explore::schedule& s) {
            registers hardware{};
            explore::whole_device const device{s};
            driver own{callback_takes};
            core host{own, {registers_bank{&hardware}, device}};
            (void)host.start();
            std::uint32_t const set = ~std::uint32_t{0} >> (32 - finished);
            (void)host.submit(core::tags{set});
            hardware.owned = 0;
            hardware.causes = 1;
            hardware.pending = true;
            explore::line const level{{device.what(), explore::mode::read}, [&] { return hardware.pending; }};
            s.hard_handler("irq", level, [&] {
                hardware.pending = false;
                (void)host.on_hard_irq();
            });
            s.context("submitter", [&] {
                for (unsigned i = 0; i < 2; ++i) {
                    auto const answer = host.submit(db::tag{0});
                    explore::require(answer or answer.status() == db::submit_status::busy, "accepted, or still in use");
                    accepted += answer and own.completions < finished ? 1U : 0U;
                }
            });
            if (s.go()) {
                s.check(own.completions >= finished, "all have completed");
            }
        },
        how);
    CHECK(r.end == verdict::bounded);
    CHECK((finished == 1 or accepted > 0)); // in the midst of the others' callbacks
    return {r.longest_wait("submitter"), r.longest_wait("irq")};
}

} // namespace

TEST_CASE("a second submitter waits for one lock section while 32 callbacks run", "[inv:T3][inv:T4]") {
    waits const one = while_completing(1, 0);
    CHECK(one.submitter == 2); // the read of the doorbell, and the release
    unsigned const finished = GENERATE(1U, 32U);
    waits const all = while_completing(finished, callback_ns);
    CHECK(all.submitter == one.submitter);
    CHECK(all.handler == one.handler); // nor does the handler wait longer for the submitter
}

TEST_CASE("callbacks under the lock would cost a second submitter all of them", "[inv:T3]") {
    auto const r = explored(
        "second submitter, callbacks under the lock",
        [&](explore::schedule& s) {
            lock shared{};
            s.context("handler", [&] {
                auto const token = shared.acquire();
                for (unsigned i = 0; i < 32; ++i) {
                    explore::spend("callback", i, callback_ns);
                }
                shared.release(token);
            });
            s.context("submitter", [&] {
                auto const token = shared.acquire();
                shared.release(token);
            });
            (void)s.go();
        },
        {.preemptions = 3});
    CHECK(r.end == verdict::bounded);
    CHECK(r.longest_wait("submitter") >= 32 * callback_ns);
}
