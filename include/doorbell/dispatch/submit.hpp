// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../core/observer.hpp"
#include "../dma/coherent.hpp"
#include "concepts.hpp"

namespace doorbell::verb {

/// Marks a set outstanding and rings it, in one lock section with one doorbell write: nobody can see a request that is
/// marked and not rung, or rung and not marked. Inside: descriptors made ready, the barrier, the ring. [T1] [R4] [R5]
/// Refused as a whole, with no access, when a tag of the set is in use or may not be used. After the ring this path
/// touches nothing of the tag: it may already belong to the next request.
template <class Core>
[[gnu::always_inline]] constexpr inline submitted submit(Core& core, typename Core::tags set) noexcept {
    using tags = typename Core::tags;
    using dma = typename Core::types::dma;
    submitted const result = core.requests.submit(set, [&core](tags accepted) noexcept {
        core.observer.note(events::submit{accepted});
        if constexpr (prepares<typename Core::types::driver> or not std::same_as<dma, coherent>) {
            for (tag const each : accepted) {
                if constexpr (prepares<typename Core::types::driver>) {
                    core.driver.prepare(each);
                }
                core.dma.for_device(each);
            }
        }
        core.observer.note(events::ring{accepted});
        Core::controller::ring(core.bank, accepted);
        core.bank.before_unlock();
    });
    if (not result) [[unlikely]] {
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
    submit_status const status = core.requests.locked([](auto& requests) noexcept { return requests.standing(); });
    return status == submit_status::accepted ? submitted{status, 0} : refuse(core, status);
}

} // namespace doorbell::verb
