// SPDX-License-Identifier: BSL-1.0
#include <everything.hpp>

int second();

int second() {
    return 0;
}
