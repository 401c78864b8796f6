// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dispatch/concepts.hpp>

#include <doorbell/controllers/ufshci.hpp>
#include <doorbell/registers/memory_bank.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>

namespace {

using namespace doorbell;
using bank = memory_bank<0x400>;

/// A controller of another family, as small as it can be; each variant below breaks one thing.
struct tiny {
    struct transfers {
        static constexpr std::size_t slots = 4;
        static constexpr std::uint32_t cause = 1;
        static tag_set<4> busy(bank&) noexcept;
        static void ring(bank&, tag_set<4>) noexcept;
        static tag_set<4> usable(bank&) noexcept;
    };

    static constexpr std::uint32_t absent = ~0U;
    static std::uint32_t status(bank&) noexcept;
    static void acknowledge(bank&, std::uint32_t) noexcept;
    static void enable(bank&, std::uint32_t) noexcept;
    static bool halt(bank&) noexcept;
};

struct cannot_halt : tiny {
    static void halt(bank&) noexcept;
};

struct status_may_throw : tiny {
    static std::uint32_t status(bank&);
};

struct busy_as_a_word : tiny {
    struct transfers : tiny::transfers {
        static std::uint32_t busy(bank&) noexcept;
    };
};

struct rings_other_sets : tiny {
    struct transfers : tiny::transfers {
        static void ring(bank&, tag_set<8>) noexcept;
    };
};

static_assert(controller<tiny, bank>);
static_assert(controller<ufshci, bank>);
static_assert(not controller<tiny, int>);
static_assert(not controller<cannot_halt, bank>);
static_assert(not controller<status_may_throw, bank>);
static_assert(not controller<busy_as_a_word, bank>);
static_assert(not controller<rings_other_sets, bank>);

struct anywhere {
    outcome response(tag) noexcept;
    void completed(claimed<any_context>, outcome) noexcept;
};

struct in_threads {
    outcome response(tag) noexcept;
    void completed(claimed<thread_context>, outcome) noexcept;
};

struct may_throw {
    outcome response(tag);
    void completed(claimed<any_context>, outcome);
};

struct with_all : anywhere {
    void prepare(tag) noexcept;
    void synchronize() noexcept;
};

struct preparing_may_throw : anywhere {
    void prepare(tag);
    void synchronize();
};

} // namespace

TEST_CASE("A driver tells the response of a tag and does not throw", "[inv:T11]") {
    STATIC_CHECK(driver<anywhere>);
    STATIC_CHECK(driver<in_threads>);
    STATIC_CHECK_FALSE(driver<may_throw>);
    STATIC_CHECK_FALSE(driver<int>);
}

TEST_CASE("What a driver's completion accepts says where it may run", "[inv:D6]") {
    STATIC_CHECK(completes_in<anywhere, hard_context>);
    STATIC_CHECK(completes_in<anywhere, thread_context>);
    STATIC_CHECK_FALSE(completes_in<in_threads, hard_context>);
    STATIC_CHECK(completes_in<in_threads, thread_context>);
    STATIC_CHECK_FALSE(completes_in<may_throw, hard_context>);
    STATIC_CHECK_FALSE(completes_in<may_throw, thread_context>);
}

TEST_CASE("Preparing and synchronising are optional, and count only when they cannot throw", "[inv:D7]") {
    STATIC_CHECK_FALSE(prepares<anywhere>);
    STATIC_CHECK_FALSE(synchronizes<anywhere>);
    STATIC_CHECK(prepares<with_all>);
    STATIC_CHECK(synchronizes<with_all>);
    STATIC_CHECK_FALSE(prepares<preparing_may_throw>);
    STATIC_CHECK_FALSE(synchronizes<preparing_may_throw>);
}
