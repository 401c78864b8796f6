// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/controllers/ufshci/descriptor.hpp>
#include <doorbell/host.hpp>

namespace db = doorbell;

struct core; // named first: callbacks may submit

struct disk {                                 // the driver owns what belongs to a tag
    void prepare(db::tag t) noexcept;         // last touch of the descriptor, before the barrier
    db::outcome response(db::tag t) noexcept; // what hardware wrote for this tag
    void completed(db::claimed<db::any_context> won, db::outcome o) noexcept;
    void uic_done(db::raised<db::any_context> causes) noexcept;      // may run in the hard handler
    void link_error(db::raised<db::thread_context> causes) noexcept; // may sleep: cannot be bound as urgent
    void synchronize() noexcept;                                     // returns when no handler of this core runs

    core* self = nullptr;
    db::ufs::utrd list[db::ufshci::slots]{}; // what UTRLBA points at
    unsigned again[db::ufshci::slots]{};     // how often to submit the tag once more
    unsigned completions = 0, links = 0, errors = 0;
};

struct core final
    : db::host<
          db::ufshci, disk, db::mmio_bank, db::cycle_counter,
          db::first_of<db::count_budget<16>, db::time_budget<20'000>>, db::irq_spin_lock,
          db::handlers<
              db::urgent<db::ufshci::uic, &disk::uic_done>, db::deferred<db::ufshci::errors, &disk::link_error>>> {
    using host::host;
};
