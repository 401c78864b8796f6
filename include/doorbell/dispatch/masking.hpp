// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "concepts.hpp"

#include <cstdint>

namespace doorbell {

struct masking_family;

/// Option of `host`: nothing is masked while the thread works; a level line is quiet because its causes were
/// acknowledged. The default. [H4]
struct leave_unmasked {
    using family = masking_family;
    static constexpr bool masks = false;
    static constexpr bool masks_line = false;
};

/// Option of `host`: while the thread owns what the hard handler left, the cause of transfers is masked in the
/// controller's enable register, and only that one. [H4] [H5]
struct mask_cause {
    using family = masking_family;
    static constexpr bool masks = true;
    static constexpr bool masks_line = false;

    /// Lock: the core's.
    template <class Core>
    static constexpr void mask(Core& core) noexcept {
        core.interrupts.own(Core::transfer_source::list::cause);
        Core::controller::enable(core.bank, core.interrupts.for_hardware());
        core.bank.before_unlock();
    }

    template <class Core>
    static constexpr void unmask(Core& core) noexcept {
        core.interrupts.disown();
        Core::controller::enable(core.bank, core.interrupts.for_hardware());
        core.bank.before_unlock();
    }

    /// The controller was stopped or lost; its enable register says so already.
    template <class Core>
    static constexpr void let_go(Core& core) noexcept {
        core.interrupts.disown();
    }
};

/// Option of `host`: while the thread owns what the hard handler left, the whole line is masked through the driver's
/// `mask_line` and `unmask_line`. Urgent causes could not be served meanwhile, so none may be bound; other devices on
/// the line are silenced too, so the line must be `sole_line`, or the option `mask_shared_line`. [H4] [H5]
struct mask_line {
    using family = masking_family;
    static constexpr bool masks = true;
    static constexpr bool masks_line = true;

    /// Lock: the core's.
    template <class Core>
    static constexpr void mask(Core& core) noexcept {
        core.interrupts.own(0);
        core.driver.mask_line();
    }

    template <class Core>
    static constexpr void unmask(Core& core) noexcept {
        core.interrupts.disown();
        core.driver.unmask_line();
    }

    template <class Core>
    static constexpr void let_go(Core& core) noexcept {
        unmask(core);
    }
};

/// `mask_line` on a line that other devices share, knowing that they wait for our thread. [H4]
struct mask_shared_line : mask_line {
    using family = masking_family;
};

/// The policy may silence other devices.
template <class Masking>
inline constexpr bool on_shared_lines = false;
template <>
inline constexpr bool on_shared_lines<mask_shared_line> = true;

} // namespace doorbell

namespace doorbell::verb {

/// Hands the transfers over to the thread, once; nothing is masked in a core that somebody stopped meanwhile. Lock: the
/// core's. [H4] [D7]
template <class Core>
constexpr void give_to_thread(Core& core) noexcept {
    if constexpr (Core::types::masking::masks) {
        if (core.interrupts.running() and not core.interrupts.owned()) {
            Core::types::masking::mask(core);
        }
    }
}

/// Unmasks what was masked, once, whatever ends the ownership. Lock: the core's. [H4]
template <class Core>
constexpr void take_back(Core& core) noexcept {
    if constexpr (Core::types::masking::masks) {
        if (core.interrupts.owned()) {
            Core::types::masking::let_go(core);
        }
    }
}

/// Lifts the mask. An edge or a message does not repeat itself, so behind its mask the status register is looked at
/// once more. True: something stands. Lock: the core's. [H4]
template <class Core>
constexpr bool unmask(Core& core) noexcept {
    Core::types::masking::unmask(core);
    if constexpr (not Core::types::signal::level) {
        std::uint32_t const standing = Core::controller::status(core.bank);
        if (standing != Core::controller::absent and (standing & core.interrupts.enabled()) != 0) {
            core.interrupts.look_again();
            return true;
        }
    }
    return false;
}

/// The thread lets go, unless something came for it meanwhile: then it keeps the mask and is told to run again. The
/// question and the answer are one section, so that neither an interrupt nor a cause falls between. True: run again.
/// [H4] [H5]
template <class Core>
[[nodiscard]] constexpr bool let_go(Core& core) noexcept {
    return core.locked([&core](auto& requests) noexcept {
        if (not core.interrupts.owned()) {
            return false;
        }
        if (core.interrupts.anything_recorded() or requests.waiting()) {
            return true;
        }
        return unmask(core);
    });
}

} // namespace doorbell::verb
