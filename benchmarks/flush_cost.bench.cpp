// SPDX-License-Identifier: BSL-1.0
// What the flush coalescer costs on the hot path: a completed write is one increment, a request that rides is one lock
// section and no device access. Beside them a bare increment and a bare lock section.
#include "kit/batches.hpp"

#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/lock/spin_lock.hpp>
#include <doorbell/time/counter.hpp>

#include <cstdint>

namespace {

namespace db = doorbell;

struct no_ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using no_clock = db::counter<no_ticks, 1>;

constexpr unsigned batch = 16;

template <class Lock>
struct desk {
    db::flush_coalescer<no_clock, Lock> coalescer{};
    std::uint64_t plain = 0;
    Lock lock{};
    db::ticket ticket{};
    std::uint32_t sum = 0;
};

/// A flush is in flight, and every request from now on rides on it.
template <class Lock>
void fly(desk<Lock>& d) {
    d.coalescer = db::flush_coalescer<no_clock, Lock>{};
    (void)d.coalescer.open(db::tag{0});
    (void)d.coalescer.flush(db::tag{31}, db::tag{0}, db::tag{0});
}

template <class Lock>
void nothing(desk<Lock>&) {}

template <class Lock>
void enter_lock(char const* name) {
    using subject = desk<Lock>;
    std::string const lock{name};
    bench::enter<subject>("increment alone, " + lock, "a write is complete", batch, nothing<Lock>, [](subject& d) {
        for (unsigned i = 0; i < batch; ++i) {
            if constexpr (std::same_as<Lock, db::null_lock>) {
                ++d.plain;
                asm volatile("" : "+m"(d.plain));
            } else {
                __atomic_add_fetch(&d.plain, 1, __ATOMIC_RELAXED);
            }
        }
    });
    bench::enter<subject>("write_completed, " + lock, "a write is complete", batch, nothing<Lock>, [](subject& d) {
        for (unsigned i = 0; i < batch; ++i) {
            d.plain += d.coalescer.write_completed(db::tag{0});
            asm volatile("" ::: "memory"); // or the compiler adds all of them at once
        }
    });
    bench::enter<subject>("lock section alone, " + lock, "a request rides", batch, nothing<Lock>, [](subject& d) {
        for (unsigned i = 0; i < batch; ++i) {
            d.plain += db::locked(d.lock, [&d]() noexcept { return ++d.sum; });
        }
    });
    bench::enter<subject>("flush, " + lock, "a request rides", batch, fly<Lock>, [](subject& d) {
        for (unsigned i = 0; i < batch; ++i) {
            d.sum += static_cast<std::uint32_t>(d.coalescer.flush(db::tag{i}, db::tag{0}, db::tag{0}).status);
        }
    });
}

bool const entered = [] {
    enter_lock<db::null_lock>("no lock");
    enter_lock<db::spin_lock>("spin lock");
    return true;
}();

} // namespace
