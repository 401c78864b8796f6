// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/testing/explore.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rig {

namespace explore = doorbell::testing::explore;

/// The larger sizes are asked for by DOORBELL_EXPLORE_FULL in the environment.
inline bool full() {
    char const* const wanted = std::getenv("DOORBELL_EXPLORE_FULL");
    return wanted != nullptr and * wanted != '\0' and * wanted != '0';
}

/// Explores, prints the counts, and adds them to the file that DOORBELL_EXPLORE_REPORT names.
inline explore::report explored(std::string const& name, explore::scenario const& body, explore::limits how = {}) {
    how.seconds = full() ? 900 : how.seconds;
    explore::report const r = explore::run(name, body, how);
    std::string const text = r.text();
    char time[32];
    std::snprintf(time, sizeof time, ", %.2f s", r.seconds);
    std::printf("%s%s\n", text.c_str(), time);
    if (char const* const path = std::getenv("DOORBELL_EXPLORE_REPORT")) {
        static bool begun = false; // a run of the program begins the file anew
        if (std::FILE* const file = std::fopen(path, begun ? "a" : "w")) {
            begun = true;
            std::fprintf(file, "%s\n", text.c_str());
            std::fclose(file);
        }
    }
    UNSCOPED_INFO(text);
    return r;
}

} // namespace rig
