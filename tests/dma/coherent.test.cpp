// SPDX-License-Identifier: BSL-1.0
#include <doorbell/dma/coherent.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

namespace {

struct one_way {
    void for_device(tag) noexcept;
};

struct throwing_dma {
    void for_device(tag);
    void for_cpu(tag);
};

struct cleaning {
    void for_device(tag) noexcept;
    void for_cpu(tag) noexcept;
};

} // namespace

TEST_CASE("a DMA policy goes both ways and does not throw", "[inv:R5]") {
    STATIC_CHECK(dma_policy<cleaning>);
    STATIC_CHECK_FALSE(dma_policy<one_way>);
    STATIC_CHECK_FALSE(dma_policy<throwing_dma>);
    STATIC_CHECK_FALSE(dma_policy<int>);
}

TEST_CASE("coherent memory needs nothing and takes no room", "[inv:R5]") {
    STATIC_CHECK(dma_policy<coherent>);
    STATIC_CHECK(std::is_empty_v<coherent>);
    constexpr auto nothing = [] {
        coherent dma{};
        dma.for_device(tag{31});
        dma.for_cpu(tag{31});
        return true;
    };
    STATIC_CHECK(nothing());
}
