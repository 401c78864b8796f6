// SPDX-License-Identifier: BSL-1.0
#include "application.hpp"

#include <iostream>

#include <unistd.h>

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    return replay::application(
        argc, argv, replay::all_policies, {std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr});
}
