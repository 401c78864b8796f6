// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: the driver lacks a member of ufs::flushing_driver
#include <doorbell/controllers/ufshci/cache_flush.hpp>
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using single = doorbell::flush_coalescer<doorbell::counter<ticks, 1>, doorbell::null_lock>;

struct host {
    static bool submit_reserved(doorbell::tag) noexcept { return true; }
};

struct driver {
    doorbell::ufs::utrd descriptor{};
    doorbell::ufs::flush_buffer buffer{};

    doorbell::ufs::utrd& flush_descriptor(doorbell::tag) noexcept { return descriptor; }

    doorbell::ufs::flush_buffer& flush_memory(doorbell::tag) noexcept { return buffer; }

#ifdef DOORBELL_CONTROL
    static std::uint64_t flush_address(doorbell::tag) noexcept { return 0; }
#else
    static std::uint32_t flush_address(doorbell::tag) noexcept { return 0; }
#endif

    void flushed(doorbell::tag, bool) noexcept {}
};

void hand_over(doorbell::ufs::cache_flush<host, single, driver, 1>& subject) {
    subject.issue({});
}
