// SPDX-License-Identifier: BSL-1.0
// expect(gcc): could not convert
// expect(clang): no known conversion
#include <doorbell/time/deadline.hpp>

void limit(doorbell::deadline<std::uint32_t>);

#ifdef DOORBELL_CONTROL
void use() {
    limit(doorbell::deadline<std::uint32_t>::after(0U, 1U));
}
#else
void use() {
    limit(0U);
}
#endif
