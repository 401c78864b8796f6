// SPDX-License-Identifier: BSL-1.0
// expect(gcc): could not convert
// expect(clang): no known conversion
#include <doorbell/core/context.hpp>

void may_sleep(doorbell::claimed<doorbell::thread_context>);

#ifdef DOORBELL_CONTROL
void use(doorbell::claimed<doorbell::thread_context> won) {
    may_sleep(won);
}
#else
void use(doorbell::claimed<doorbell::any_context> won) {
    may_sleep(won);
}
#endif
