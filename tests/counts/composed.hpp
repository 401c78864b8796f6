// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "core.h"

#include <doorbell/host.hpp>

#include <cstdint>

/// The composed core that is counted beside the C: the same descriptors, callbacks, clock and causes.
namespace counted {

namespace db = doorbell;

struct read_fake_clock {
    std::uint64_t operator()() const noexcept { return fake_clock; }
};

using clock = db::counter<read_fake_clock, 1>;

/// The driver: the C driver's memory and its out-of-line callbacks.
struct disk {
    [[nodiscard]] db::outcome response(db::tag t) const noexcept {
        std::uint32_t const volatile& word = data.list[t.index].word[2];
        return static_cast<db::outcome>(word & 0xFFU);
    }

    void completed(db::claimed<db::any_context> won, db::outcome result) noexcept {
        disk_completed(&data, won.index(), static_cast<std::uint32_t>(result));
    }

    void uic_done(db::raised<db::any_context> causes) noexcept { disk_uic_done(&data, causes.bits()); }

    void link_error(db::raised<db::thread_context> causes) noexcept { disk_link_error(&data, causes.bits()); }

    c_disk data{};
};

template <class Lock, unsigned Stride, class Bank, class... Options>
using composed = db::host<
    db::ufshci, disk, Bank, clock, db::time_budget<20'000, db::every<Stride>>, Lock,
    db::handlers<db::urgent<db::ufshci::uic, &disk::uic_done>, db::deferred<db::ufshci::errors, &disk::link_error>>,
    Options...>;

} // namespace counted
