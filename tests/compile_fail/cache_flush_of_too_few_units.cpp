// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: give cache_flush one logical unit for each domain of its coalescer
#include <doorbell/controllers/ufshci/cache_flush.hpp>
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

struct nobody {};

using pair =
    doorbell::flush_coalescer<doorbell::counter<ticks, 1>, doorbell::null_lock, doorbell::flush_domains<2>>; // [F6]

#ifdef DOORBELL_CONTROL
constexpr unsigned char units[] = {0, 1};
#else
constexpr unsigned char units[] = {0};
#endif

pair coalescer;
nobody host;
doorbell::ufs::cache_flush<nobody, pair, nobody, sizeof(units)> subject{host, coalescer, host, {30}, units};
