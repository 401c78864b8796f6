// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: deferred_unsafe loses acknowledged writes on a power cut
#include <doorbell/flush/coalescer.hpp>
#include <doorbell/lock/null_lock.hpp>
#include <doorbell/time/counter.hpp>

struct ticks {
    std::uint32_t operator()() const noexcept { return 0; }
};

using fine = doorbell::counter<ticks, 1>;

using subject = doorbell::flush_coalescer<fine, doorbell::null_lock, doorbell::deferred_unsafe<1'000>>; // [F4]

#ifdef DOORBELL_CONTROL
subject one{doorbell::i_accept_the_loss_of_acknowledged_writes{}};
#else
subject one{fine{}};
#endif
