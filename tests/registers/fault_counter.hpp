// SPDX-License-Identifier: BSL-1.0
#pragma once

#if defined(__linux__) && defined(__x86_64__)
#    define DOORBELL_TEST_FAULTS 1

#    include <catch2/catch_test_macros.hpp>

#    include <csignal>
#    include <cstddef>
#    include <cstdint>
#    include <sys/mman.h>
#    include <ucontext.h>
#    include <unistd.h>

// The processor counts: the page with the registers is not accessible, each access to it faults, is counted, let
// through for one instruction by the trap flag, and shut out again.
class fault_counter {
public:
    static inline unsigned char* page = nullptr;
    static inline std::size_t size = 0;
    static inline unsigned volatile faults = 0;
    static inline unsigned volatile writes = 0;
    // A word of ordinary memory, and what it held at the last access: what a device would have found there.
    static inline std::uint32_t const volatile* watched = nullptr;
    static inline std::uint32_t volatile seen = 0;

    static constexpr long long trap_flag = 0x100;
    static constexpr long long write_fault = 0x2;

    static void on_fault(int, siginfo_t*, void* context) noexcept {
        auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
        faults = faults + 1;
        if ((registers[REG_ERR] & write_fault) != 0) {
            writes = writes + 1;
        }
        if (watched != nullptr) {
            seen = *watched;
        }
        mprotect(page, size, PROT_READ | PROT_WRITE);
        registers[REG_EFL] |= trap_flag;
    }

    static void on_step(int, siginfo_t*, void* context) noexcept {
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
        mprotect(page, size, PROT_NONE);
    }

    fault_counter() {
        size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        page = static_cast<unsigned char*>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(page != MAP_FAILED);
        struct sigaction action{};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = on_fault;
        sigaction(SIGSEGV, &action, &old_fault_);
        action.sa_sigaction = on_step;
        sigaction(SIGTRAP, &action, &old_step_);
        faults = 0;
        writes = 0;
    }

    ~fault_counter() {
        sigaction(SIGSEGV, &old_fault_, nullptr);
        sigaction(SIGTRAP, &old_step_, nullptr);
        munmap(page, size);
    }

    fault_counter(fault_counter const&) = delete;
    fault_counter& operator=(fault_counter const&) = delete;

private:
    struct sigaction old_fault_{};
    struct sigaction old_step_{};
};

#else
#    define DOORBELL_TEST_FAULTS 0
#endif
