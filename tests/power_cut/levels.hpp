// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "world.hpp"

namespace power_cut {

/// The coalescer that a world is built around.
template <unsigned Domains, class... Options>
using coalescer = db::flush_coalescer<
    world_clock, db::null_lock, db::flush_riders<6>, db::flush_streams<4>, db::flush_domains<Domains>, Options...>;

using fixed = db::grouped<db::fixed_grace<5'000'000>>;
using learned = db::grouped<db::learned_grace<>>;
using unsafe = db::deferred_unsafe<50'000'000>;

/// One proof: options of the coalescer, and whether one flush covers all domains.
template <bool CoversAll, class... Options>
struct subject {
    static constexpr bool covers_all = CoversAll;

    template <unsigned Domains>
    using coalescer_type = coalescer<Domains, Options...>;

    template <unsigned Domains, unsigned Streams, std::size_t Events>
    using world_type = world<coalescer_type<Domains>, Domains, Streams, Events, CoversAll>;

    template <unsigned Domains, unsigned Streams, std::size_t Events>
    [[nodiscard]] static auto make() {
        using type = world_type<Domains, Streams, Events>;
        if constexpr (type::early) {
            return type{db::i_accept_the_loss_of_acknowledged_writes{}};
        } else {
            return type{};
        }
    }
};

using strict_alone = subject<false, db::strict>;
using riding_alone = subject<false, db::riding>;
using riding_poisoned = subject<false, db::riding, db::poisoned_until_reset, db::flush_retries<1>>;
using riding_all = subject<true, db::riding, db::flush_covers_all>;
using grouped_fixed = subject<false, fixed>;
using grouped_learned = subject<false, learned>;
using deferred = subject<false, unsafe>;

} // namespace power_cut
