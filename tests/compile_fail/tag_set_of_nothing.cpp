// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a tag set holds at least one tag; give tag_set the number of slots
#include <doorbell/core/tag_set.hpp>

#ifdef DOORBELL_CONTROL
doorbell::tag_set<1> set{};
#else
doorbell::tag_set<0> set{};
#endif
