// SPDX-License-Identifier: BSL-1.0
#include <doorbell/version.hpp>

#include <catch2/catch_test_macros.hpp>

TEST_CASE("the version of the preprocessor and that of the type agree") {
    using doorbell::version;
    STATIC_CHECK(version.major_part * 10'000 + version.minor_part * 100 + version.patch_part == DOORBELL_VERSION);
    STATIC_CHECK(version == doorbell::version_number{0, 1, 0});
}
