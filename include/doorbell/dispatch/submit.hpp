// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/observer.hpp"
#include "../dma/coherent.hpp"
#include "concepts.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace doorbell::verb {

/// Makes a marked set ready and rings it: descriptors, then the barrier, then one write. After it this path touches
/// nothing of the tags: they may already belong to the next requests. Lock: the source's. [T1] [R4] [R5]
template <class Core, class Source>
[[gnu::always_inline]] constexpr inline void ring(Core& core, Source&, typename Source::tags accepted) noexcept {
    using port = typename Source::port;
    constexpr bool prepares = port::template prepares<typename Core::driver_type>;
    core.observer.note(events::submit{accepted});
    if constexpr (prepares or not std::same_as<typename Core::types::dma, coherent>) {
        for (tag const each : accepted) {
            if constexpr (prepares) {
                port::prepare(core.driver, each);
            }
            core.dma.for_device(each);
        }
    }
    core.observer.note(events::ring{accepted});
    Source::list::ring(core.bank, accepted);
    core.bank.before_unlock();
}

/// Submits, or tells why not: the observer, and a driver that wants to hold requests until `ungate`. Judges anew, in a
/// lock section of its own, so that the reason is the one that still holds.
// Out of line: a call inside the section of `submit` would make every submission save registers for it.
template <class Core, class Source, class Limit>
[[gnu::noinline, gnu::cold]] constexpr submitted
submit_or_refuse(Core& core, Source& source, typename Source::tags set, Limit limit) noexcept {
    submitted const result =
        source.requests.submit(set, [&core, &source, limit](typename Source::tags accepted) noexcept {
            core.timing_of(source).admit(core.driver, accepted, limit);
            ring(core, source, accepted);
        });
    if (not result) {
        core.observer.note(events::refused{result.status()});
        if constexpr (holds<typename Core::driver_type, typename Source::tags>) {
            if (result.status() == submit_status::gated) {
                core.driver.hold(set);
            }
        }
    }
    return result;
}

/// Marks a tag or a set outstanding and rings it, in one lock section with one doorbell write: nobody can see a request
/// that is marked and not rung, or rung and not marked. Refused as a whole, with no access, when a tag of the set is in
/// use or may not be used. A deadline becomes visible with the mark; where it has to move the timer, that is done out
/// of line. [T1] [X1] [X3]
template <class Core, class Source, class TagOrSet, class Limit>
[[gnu::always_inline]] constexpr inline submitted
submit(Core& core, Source& source, TagOrSet which, Limit limit) noexcept {
    typename Source::tags const set{which};
    std::uint32_t generation = 0;
    bool const accepted = source.requests.locked([&](auto& requests) noexcept {
        auto& timing = core.timing_of(source);
        if (not requests.ready(which, timing.template shut<typename Source::tags>()) or not timing.ready(set, limit))
            [[unlikely]] {
            return false;
        }
        timing.note(which, limit);
        generation = requests.mark(which);
        ring(core, source, set);
        return true;
    });
    if (not accepted) [[unlikely]] {
        return submit_or_refuse(core, source, set, limit);
    }
    return submitted{submit_status::accepted, generation};
}

/// The same for a request that says nothing about its time.
template <class Core, class Source, class TagOrSet>
[[gnu::always_inline]] constexpr inline submitted submit(Core& core, Source& source, TagOrSet which) noexcept {
    using timing = std::remove_cvref_t<decltype(core.timing_of(source))>;
    return submit(core, source, which, typename timing::limit_type{});
}

/// The same for a tag that is left to its poller, in the same section. [T8]
template <class Core, class Source>
constexpr submitted submit_polled(Core& core, Source& source, tag which) noexcept {
    typename Source::tags const set{which};
    submitted const result = source.requests.locked([&core, &source, set](auto& requests) noexcept {
        return requests.submit(set, [&core, &source, &requests](typename Source::tags accepted) noexcept {
            requests.leave_to_poller(accepted);
            ring(core, source, accepted);
        });
    });
    if (not result) {
        core.observer.note(events::refused{result.status()});
    }
    return result;
}

/// The same for a reserved tag, also while submissions are blocked. [X5]
template <class Core, class Source, class Limit>
constexpr submitted submit_reserved(Core& core, Source& source, typename Source::tags set, Limit limit) noexcept {
    submitted const result = source.requests.locked([&core, &source, set, limit](auto& requests) noexcept {
        return requests.submit_reserved(set, [&core, &source, limit](typename Source::tags accepted) noexcept {
            core.timing_of(source).admit(core.driver, accepted, limit);
            ring(core, source, accepted);
        });
    });
    if (not result) {
        core.observer.note(events::refused{result.status()});
    }
    return result;
}

/// A submission that cannot be made, and rings nothing.
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr submitted refuse(Core& core, submit_status why) noexcept {
    core.observer.note(events::refused{why});
    return submitted{why};
}

/// A set without a tag: accepted by a core that runs, with no access to the hardware.
template <class Core>
[[gnu::noinline, gnu::cold]] constexpr submitted submit_nothing(Core& core) noexcept {
    submit_status const status = core.locked([](auto& requests) noexcept { return requests.standing(); });
    return status == submit_status::accepted ? submitted{status, 0} : refuse(core, status);
}

} // namespace doorbell::verb
