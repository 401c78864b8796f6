// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../ufshci_model.hpp"

#include <cstdint>

/// State of real hardware at moments that broke drivers, to start tests from.
namespace doorbell::testing::snapshots {

/// A 2.1 host in a laptop while the command in slot 7 is being aborted. Nothing has finished, so nothing may complete:
/// the notification register is full of stale bits, and UECPA tells of a line reset.
struct aborting_laptop {
    static constexpr std::uint32_t cap = 0x1587031F, ver = 0x210, is = 0, ie = 0x00030E75, hcs = 0x10F, hce = 1,
                                   uecpa = 0x80000010, utrldbr = 0xAB000080, utrlrsr = 1, utrlcnr = 0xFF1FFFFF,
                                   outstanding = 0xAB000080;
    static constexpr unsigned aborted_slot = 7;

    static void put(ufshci_model& model) noexcept {
        namespace at = ufs::offset;
        model.poke(at::cap, cap);
        model.poke(at::ver, ver);
        model.poke(at::is, is);
        model.poke(at::ie, ie);
        model.poke(at::hcs, hcs);
        model.poke(at::hce, hce);
        model.poke(at::uecpa, uecpa);
        model.poke(at::utrldbr, utrldbr);
        model.poke(at::utrlrsr, utrlrsr);
        model.poke(at::utrlcnr, utrlcnr);
    }
};

/// The descriptor of a stuck NOP: interrupt bit set, status never written. Never a success.
struct stuck_nop {
    static constexpr std::uint32_t word0 = 0x11000000, word2 = 0x0000000F;

    static void put(ufshci_model& model, unsigned slot) noexcept {
        if (unsigned char* const d = model.descriptor(slot)) {
            for (unsigned i = 0; i < ufshci_model::utrd_bytes; ++i) {
                std::uint32_t const later = i / 4 == 2 ? word2 : 0u;
                std::uint32_t const word = i / 4 == 0 ? word0 : later;
                d[i] = static_cast<unsigned char>(word >> (8 * (i % 4)));
            }
        }
    }
};

} // namespace doorbell::testing::snapshots
