// SPDX-License-Identifier: BSL-1.0
#include <everything.hpp>

int second();

int main() {
    return second();
}
