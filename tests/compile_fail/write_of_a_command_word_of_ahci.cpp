// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: this register is a doorbell; use ring<R>(bank, bits)
#include <doorbell/controllers/ahci/registers.hpp>
#include <doorbell/registers/memory_bank.hpp>
#include <doorbell/registers/operations.hpp>

namespace db = doorbell;

void use(db::memory_bank<0x100>& own) {
#ifdef DOORBELL_CONTROL
    db::ring<db::sata::px::ci>(own, 1);
#else
    db::write<db::sata::px::ci>(own, 1);
#endif
}
