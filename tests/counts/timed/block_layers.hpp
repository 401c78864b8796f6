// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

/// How four generations of a block layer keep a request from being completed by its end and its timeout at once: the
/// atomics of start, complete and free, and nothing else of them. Written from the published facts.
namespace counted::block_layer {

inline constexpr std::uint64_t limit = 30'000;

/// Up to 4.15: a bit says started, another complete; each is set and cleared by an atomic of its own. 3 per request.
struct bits {
    std::uint64_t deadline = 0;
    std::uint32_t flags = 0;

    void start(std::uint64_t now) noexcept {
        deadline = now + limit;
        __atomic_fetch_or(&flags, 1U, __ATOMIC_ACQ_REL);
    }

    [[nodiscard]] bool complete() noexcept { return (__atomic_fetch_or(&flags, 2U, __ATOMIC_ACQ_REL) & 2U) == 0; }

    void free() noexcept { __atomic_fetch_and(&flags, ~3U, __ATOMIC_ACQ_REL); }
};

/// 4.16: a generation and state under a sequence count; a completion that loses against the timeout is swallowed. 0.
struct generations {
    std::uint64_t deadline = 0;
    std::uint64_t generation_and_state = 0;
    std::uint64_t aborted = 0;
    std::uint32_t sequence = 0;

    void start(std::uint64_t now) noexcept {
        __atomic_store_n(&sequence, sequence + 1, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_ACQ_REL);
        deadline = now + limit;
        __atomic_store_n(&generation_and_state, (generation_and_state & ~std::uint64_t{3}) + 4 + 1, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_ACQ_REL);
        __atomic_store_n(&sequence, sequence + 1, __ATOMIC_RELEASE);
    }

    [[nodiscard]] bool complete() noexcept {
        if (__atomic_load_n(&aborted, __ATOMIC_RELAXED) == generation_and_state) {
            return false;
        }
        __atomic_store_n(&generation_and_state, (generation_and_state & ~std::uint64_t{3}) + 2, __ATOMIC_RELAXED);
        return true;
    }

    void free() noexcept {
        __atomic_store_n(&generation_and_state, generation_and_state & ~std::uint64_t{3}, __ATOMIC_RELAXED);
    }
};

/// 4.18: a reference count keeps the request alive for the timeout, a compare-exchange decides who completes. 2.
struct references {
    std::uint64_t deadline = 0;
    std::uint32_t state = 0;
    std::uint32_t count = 0;

    void start(std::uint64_t now) noexcept {
        deadline = now + limit;
        __atomic_store_n(&count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&state, 1, __ATOMIC_RELEASE);
    }

    [[nodiscard]] bool complete() noexcept {
        std::uint32_t in_flight = 1;
        return __atomic_compare_exchange_n(&state, &in_flight, 2, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }

    void free() noexcept {
        if (__atomic_sub_fetch(&count, 1, __ATOMIC_ACQ_REL) == 0) {
            __atomic_store_n(&state, 0, __ATOMIC_RELAXED);
        }
    }
};

/// Today: the reference count alone; that a request is not completed twice is the driver's business. 1.
struct trust {
    std::uint64_t deadline = 0;
    std::uint32_t state = 0;
    std::uint32_t count = 0;

    void start(std::uint64_t now) noexcept {
        deadline = now + limit;
        __atomic_store_n(&count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&state, 1, __ATOMIC_RELEASE);
    }

    [[nodiscard]] bool complete() noexcept {
        __atomic_store_n(&state, 2, __ATOMIC_RELAXED);
        return true;
    }

    void free() noexcept {
        if (__atomic_sub_fetch(&count, 1, __ATOMIC_ACQ_REL) == 0) {
            __atomic_store_n(&state, 0, __ATOMIC_RELAXED);
        }
    }
};

} // namespace counted::block_layer
