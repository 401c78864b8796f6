// SPDX-License-Identifier: BSL-1.0
// Runs every counted entry once under callgrind and has its figures written out under a name. Only the functions that
// are counted are collected, so nothing of this program is in the figures.
#include "core.h"

#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
std::uint32_t counted_loop_all(c_disk*, std::uint32_t);
std::uint32_t counted_loop_1(c_disk*, std::uint32_t);
std::uint32_t counted_loop_16(c_disk*, std::uint32_t);
std::uint32_t counted_loop_count(c_disk*, std::uint32_t);

#define CPP_CORE(prefix)                                                                                               \
    void* prefix##make(void* place, c_disk*, std::uint32_t* registers, std::uint32_t causes);                          \
    unsigned prefix##irq(void*);                                                                                       \
    c_submitted prefix##submit(void*, unsigned);                                                                       \
    c_submitted prefix##submit_set(void*, std::uint32_t);                                                              \
    unsigned prefix##poll(void*);                                                                                      \
    unsigned prefix##thread(void*);
CPP_CORE(cpp_null_1_)
CPP_CORE(cpp_null_16_)
CPP_CORE(cpp_spin_1_)
CPP_CORE(cpp_spin_16_)
CPP_CORE(cpp_optimistic_16_)
C_CORE(counted_c_null_1_)
C_CORE(counted_c_null_16_)
C_CORE(counted_c_spin_1_)
C_CORE(counted_c_spin_16_)
C_CORE(counted_c_optimistic_16_)
}

namespace {

std::uint32_t registers[64];
c_disk disk;
alignas(64) unsigned char place[1024];

constexpr unsigned is = 0x20 / 4, doorbell_word = 0x58 / 4;
constexpr std::uint32_t causes = 1U | 1U << 10 | 7U << 4 | 1U << 2 | 1U << 7 | 1U << 11 | 1U << 12 | 7U << 16;
bool wrong = false;

std::uint32_t finished(unsigned count) {
    return count == 1 ? 0x2000U : count == 8 ? 0x1111'1111U : 0xFFFF'FFFFU;
}

/// Closes the figures of what was just run, under the name that the report reads.
void write_out(std::string const& name) {
    CALLGRIND_DUMP_STATS_AT(name.c_str());
    if (RUNNING_ON_VALGRIND == 0) {
        std::printf("%s\n", name.c_str());
    }
}

void expect(std::string const& name, unsigned completions) {
    unsigned done = 0;
    for (auto& each : disk.list) {
        done += each.word[7];
        each.word[7] = 0;
    }
    if (done != completions) {
        std::printf("%s: %u completions, not %u\n", name.c_str(), done, completions);
        wrong = true;
    }
}

void* make_c(void (*start)(c_core*, std::uint32_t, std::uint32_t)) {
    auto* const core = new (place) c_core{};
    core->disk = &disk;
    core->registers = reinterpret_cast<unsigned char*>(registers);
    start(core, ~0U, causes);
    return core;
}

struct entries {
    char const* name;
    void* (*make)();
    unsigned (*irq)(void*);
    c_submitted (*submit)(void*, unsigned);
    c_submitted (*submit_set)(void*, std::uint32_t);
    unsigned (*poll)(void*);
    unsigned (*thread)(void*);
};

void count(entries const& e) {
    auto const fresh = [&e](std::uint32_t outstanding, std::uint32_t done) {
        registers[is] = 0;
        void* const core = e.make();
        if (outstanding != 0) {
            e.submit_set(core, outstanding);
            CALLGRIND_ZERO_STATS;
        }
        registers[doorbell_word] = outstanding & ~done;
        registers[is] = 1;
        return core;
    };
    for (unsigned const n : {1U, 8U, 32U}) {
        std::string const name = std::string{e.name} + " irq " + std::to_string(n);
        void* const core = fresh(~0U, finished(n));
        unsigned const result = e.irq(core);
        write_out(name);
        expect(name, n);
        wrong |= (result & 7U) != C_HANDLED;
    }
    for (unsigned const n : {1U, 8U, 32U}) {
        std::string const name = std::string{e.name} + " poll " + std::to_string(n);
        void* const core = fresh(~0U, finished(n));
        e.poll(core);
        write_out(name);
        expect(name, n);
    }
    void* core = fresh(~0U, finished(8));
    e.thread(core);
    write_out(std::string{e.name} + " thread 8");
    expect(e.name, 8);

    core = fresh(0, 0);
    CALLGRIND_ZERO_STATS;
    wrong |= e.submit(core, 13).status != C_ACCEPTED;
    write_out(std::string{e.name} + " submit 1");
    for (unsigned const n : {1U, 8U, 32U}) {
        core = fresh(0, 0);
        CALLGRIND_ZERO_STATS;
        wrong |= e.submit_set(core, finished(n)).status != C_ACCEPTED;
        write_out(std::string{e.name} + " submit_set " + std::to_string(n));
        wrong |= registers[doorbell_word] != finished(n);
    }
}

void count_loop(char const* name, std::uint32_t (*loop)(c_disk*, std::uint32_t)) {
    for (unsigned const n : {1U, 8U, 32U}) {
        std::string const full = std::string{name} + ' ' + std::to_string(n);
        CALLGRIND_ZERO_STATS;
        wrong |= loop(&disk, finished(n)) != 0;
        write_out(full);
        expect(full, n);
    }
}

#define CPP_ENTRIES(name, prefix)                                                                                      \
    entries {                                                                                                          \
        name, [] { return prefix##make(place, &disk, registers, causes); }, prefix##irq, prefix##submit,               \
            prefix##submit_set, prefix##poll, prefix##thread                                                           \
    }
#define C_ENTRIES(name, prefix)                                                                                        \
    entries {                                                                                                          \
        name, [] { return make_c(prefix##start); }, [](void* c) { return prefix##irq(static_cast<c_core*>(c)); },      \
            [](void* c, unsigned tag) { return prefix##submit(static_cast<c_core*>(c), tag); },                        \
            [](void* c, std::uint32_t set) { return prefix##submit_set(static_cast<c_core*>(c), set); },               \
            [](void* c) { return prefix##poll(static_cast<c_core*>(c)); },                                             \
            [](void* c) { return prefix##thread(static_cast<c_core*>(c)); }                                            \
    }

} // namespace

int main() {
    count(C_ENTRIES("C null 1", counted_c_null_1_));
    count(C_ENTRIES("C null 16", counted_c_null_16_));
    count(C_ENTRIES("C spin 1", counted_c_spin_1_));
    count(C_ENTRIES("C spin 16", counted_c_spin_16_));
    auto optimistic = C_ENTRIES("C optimistic 16", counted_c_optimistic_16_);
    optimistic.irq = [](void* c) { return counted_c_optimistic_16_irq_optimistic(static_cast<c_core*>(c)); };
    count(optimistic);
    count(CPP_ENTRIES("core null 1", cpp_null_1_));
    count(CPP_ENTRIES("core null 16", cpp_null_16_));
    count(CPP_ENTRIES("core spin 1", cpp_spin_1_));
    count(CPP_ENTRIES("core spin 16", cpp_spin_16_));
    count(CPP_ENTRIES("core optimistic 16", cpp_optimistic_16_));
    count_loop("C loop", [](c_disk* d, std::uint32_t b) {
        counted_bare_loop(d, b);
        return 0U;
    });
    count_loop("core loop_all", counted_loop_all);
    count_loop("core loop_count", counted_loop_count);
    count_loop("core loop_16", counted_loop_16);
    count_loop("core loop_1", counted_loop_1);
    if (wrong) {
        std::puts("doorbell: an entry that was counted did not do its work");
        return 1;
    }
    return 0;
}
