// SPDX-License-Identifier: BSL-1.0
// One entry of each core, without and with deadlines, once under callgrind; and one request of four block layers. Each
// entry is a function of its own, the same around every core, so that differences are the deadlines'.
#include "block_layers.hpp"

#include <doorbell/host.hpp>

#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

namespace db = doorbell;

std::uint32_t registers[64];
std::uint32_t volatile responses[32];
unsigned completions = 0;
bool wrong = false;

struct disk {
    db::outcome response(db::tag t) noexcept { return static_cast<db::outcome>(responses[t.index]); }

    [[gnu::noinline]] void completed(db::claimed<db::any_context>, db::outcome) noexcept {
        completions = completions + 1;
    }

    void synchronize() noexcept {}

    void arm_timer(db::deadline<std::uint32_t>) noexcept {}

    bool end_on_device(db::tag) noexcept { return true; }
};

struct no_clock {
    std::uint64_t operator()() const noexcept { return 0; }
};

template <class Lock, class... Timeouts>
using core = db::host<db::ufshci, disk, db::mmio_bank, db::counter<no_clock, 1>, db::inline_all, Lock, Timeouts...>;

using uniform = db::uniform_timeouts<std::uint32_t, 30'000, 1'000>;
using mixed = db::mixed_timeouts<std::uint32_t, 30'000, 1'000>;

void write_out(std::string const& name) {
    CALLGRIND_DUMP_STATS_AT(name.c_str());
}

#define COUNTED_CORE(name, ...)                                                                                        \
    extern "C" [[gnu::noinline]] db::submitted counted_##name##_submit(core<__VA_ARGS__>* c, unsigned t) {             \
        return c->submit(db::tag{t});                                                                                  \
    }                                                                                                                  \
    extern "C" [[gnu::noinline]] db::irq_result counted_##name##_irq(core<__VA_ARGS__>* c) {                           \
        return c->on_hard_irq();                                                                                       \
    }                                                                                                                  \
    void run_##name() {                                                                                                \
        disk driver;                                                                                                   \
        core<__VA_ARGS__> c{driver, db::mmio_bank{std::uintptr_t(registers)}};                                         \
        registers[0x58 / 4] = 0;                                                                                       \
        wrong |= c.start(db::tag_set<32>::all(), 1) != db::start_status::started;                                      \
        for (unsigned warm = 0; warm < 2; ++warm) { /* the second time round every tag has been seen */                \
            completions = 0;                                                                                           \
            for (unsigned t = 0; t < 8; ++t) {                                                                         \
                CALLGRIND_ZERO_STATS;                                                                                  \
                wrong |= not counted_##name##_submit(&c, t);                                                           \
            }                                                                                                          \
            if (warm == 1) {                                                                                           \
                write_out(#name " submit");                                                                            \
            }                                                                                                          \
            registers[0x58 / 4] = 0;                                                                                   \
            registers[0x20 / 4] = 1;                                                                                   \
            CALLGRIND_ZERO_STATS;                                                                                      \
            wrong |= not counted_##name##_irq(&c).handled();                                                           \
            if (warm == 1) {                                                                                           \
                write_out(#name " irq");                                                                               \
            }                                                                                                          \
            wrong |= completions != 8;                                                                                 \
        }                                                                                                              \
    }

} // namespace

COUNTED_CORE(null_plain, db::null_lock)
COUNTED_CORE(null_uniform, db::null_lock, uniform)
COUNTED_CORE(null_mixed, db::null_lock, mixed)
COUNTED_CORE(spin_plain, db::irq_spin_lock)
COUNTED_CORE(spin_uniform, db::irq_spin_lock, uniform)
COUNTED_CORE(spin_mixed, db::irq_spin_lock, mixed)

#define COUNTED_LAYER(name)                                                                                            \
    counted::block_layer::name layer_##name[8];                                                                        \
    extern "C" [[gnu::noinline]] void counted_##name##_start(unsigned i, std::uint64_t now) {                          \
        layer_##name[i].start(now);                                                                                    \
    }                                                                                                                  \
    extern "C" [[gnu::noinline]] bool counted_##name##_end(unsigned i) {                                               \
        bool const mine = layer_##name[i].complete();                                                                  \
        if (mine) {                                                                                                    \
            layer_##name[i].free();                                                                                    \
        }                                                                                                              \
        return mine;                                                                                                   \
    }                                                                                                                  \
    void run_##name() {                                                                                                \
        CALLGRIND_ZERO_STATS;                                                                                          \
        counted_##name##_start(3, 1000);                                                                               \
        write_out(#name " submit");                                                                                    \
        for (unsigned i = 0; i < 8; ++i) {                                                                             \
            counted_##name##_start(i, 1000);                                                                           \
        }                                                                                                              \
        CALLGRIND_ZERO_STATS;                                                                                          \
        for (unsigned i = 0; i < 8; ++i) {                                                                             \
            wrong |= not counted_##name##_end(i);                                                                      \
        }                                                                                                              \
        write_out(#name " irq");                                                                                       \
    }

COUNTED_LAYER(bits)
COUNTED_LAYER(generations)
COUNTED_LAYER(references)
COUNTED_LAYER(trust)

int main() {
    run_null_plain();
    run_null_uniform();
    run_null_mixed();
    run_spin_plain();
    run_spin_uniform();
    run_spin_mixed();
    run_bits();
    run_generations();
    run_references();
    run_trust();
    if (wrong) {
        std::puts("doorbell: an entry that was counted did not do its work");
        return 1;
    }
    return 0;
}
