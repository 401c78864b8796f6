// SPDX-License-Identifier: BSL-1.0
#include <replay/progress_bar.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sstream>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

TEST_CASE("the bar shows how far reading is and wipes itself away") {
    std::ostringstream out;
    {
        replay::progress_bar bar{&out, 1000, std::chrono::nanoseconds{0}};
        bar.show(500);
        CHECK_THAT(out.str(), ContainsSubstring("50 %"));
        CHECK_THAT(out.str(), ContainsSubstring("[#########################....."));
    }
    CHECK_THAT(out.str(), EndsWith(" \r"));
}

TEST_CASE("a short input shows no bar, nor does one of unknown size") {
    std::ostringstream out;
    {
        replay::progress_bar quick{&out, 1000};
        quick.show(500);
        replay::progress_bar pipe{&out, 0, std::chrono::nanoseconds{0}};
        pipe.show(500);
        replay::progress_bar file{nullptr, 1000, std::chrono::nanoseconds{0}};
        file.show(500);
    }
    CHECK(out.str().empty());
}
