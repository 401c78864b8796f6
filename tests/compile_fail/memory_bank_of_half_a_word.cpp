// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a memory_bank holds whole 32-bit words; round its size up
#include <doorbell/registers/memory_bank.hpp>

#ifdef DOORBELL_CONTROL
doorbell::memory_bank<8> bank{};
#else
doorbell::memory_bank<6> bank{};
#endif
