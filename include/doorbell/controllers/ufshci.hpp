// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/tag_set.hpp"
#include "../dispatch/concepts.hpp"
#include "../registers/memory_bank.hpp"
#include "../registers/operations.hpp"
#include "ufshci/causes.hpp"
#include "ufshci/registers.hpp"

namespace doorbell {

/// Facts of the UFS host controller (JESD223) in single doorbell mode, as the hot path uses them. No state.
struct ufshci {
    /// Transfer request slots the doorbell has bits for; `usable` tells how many exist.
    static constexpr std::size_t slots = 32;

    /// A transfer request completed.
    static constexpr std::uint32_t transfer = ufs::cause::utrcs;
    /// A UIC command, hibernate entry or exit, or a power mode change finished: what waits here has short deadlines.
    static constexpr std::uint32_t uic = ufs::cause::uccs | ufs::cause::uhes | ufs::cause::uhxs | ufs::cause::upms;
    /// A task management request completed.
    static constexpr std::uint32_t tasks = ufs::cause::utmrcs;
    /// Link, protocol, device, host, bus and cryptography errors.
    static constexpr std::uint32_t errors = ufs::cause::ue | ufs::cause::ulls | ufs::cause::dfes | ufs::cause::utpes |
                                            ufs::cause::hcfes | ufs::cause::sbfes | ufs::cause::cefes;

    /// IS has bits that read 0; all ones is what a bus returns for a device that is not there. [D4]
    static constexpr std::uint32_t absent = 0xFFFF'FFFF;

    template <register_bank Bank>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t status(Bank& bank) noexcept {
        return read<ufs::is>(bank);
    }

    template <register_bank Bank>
    [[gnu::always_inline]] static constexpr void acknowledge(Bank& bank, std::uint32_t causes) noexcept {
        doorbell::acknowledge<ufs::is>(bank, causes);
    }

    template <register_bank Bank>
    static constexpr void enable(Bank& bank, std::uint32_t causes) noexcept {
        write<ufs::ie>(bank, causes);
    }

    /// One read of UTRLDBR: the slots hardware still owns. Bits of slots that nobody rang are the caller's to ignore.
    template <register_bank Bank>
    [[nodiscard, gnu::always_inline]] static constexpr tag_set<slots> busy(Bank& bank) noexcept {
        tag_set<slots> const owned{read<ufs::utrldbr>(bank)};
        bank.after_done();
        return owned;
    }

    /// The barrier that makes the descriptors visible, then one write of UTRLDBR with only the new slots set.
    template <register_bank Bank>
    [[gnu::always_inline]] static constexpr void ring(Bank& bank, tag_set<slots> set) noexcept {
        doorbell::ring<ufs::utrldbr>(bank, set.raw());
    }

    /// The slots that exist: CAP.NUTRS, which counts from 0.
    template <register_bank Bank>
    [[nodiscard]] static constexpr tag_set<slots> usable(Bank& bank) noexcept {
        std::uint32_t const last = read<ufs::cap>(bank) & (slots - 1);
        return tag_set<slots>{0xFFFF'FFFFU >> (slots - 1 - last)};
    }

    /// Looks at HCE at most this often while the controller stops.
    static constexpr unsigned halt_looks = 10'000;

    /// Disables the controller, which drops what is in flight, and waits for it to say so. Thread context; boundedly
    /// long.
    template <register_bank Bank>
    [[nodiscard]] static constexpr bool halt(Bank& bank) noexcept {
        write<ufs::hce>(bank, 0);
        for (unsigned look = 0; look < halt_looks; ++look) {
            if ((read<ufs::hce>(bank) & 1U) == 0) {
                return true;
            }
        }
        return false;
    }
};

static_assert(controller<ufshci, memory_bank<0x400>>);

} // namespace doorbell
