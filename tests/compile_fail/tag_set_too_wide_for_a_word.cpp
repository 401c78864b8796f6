// SPDX-License-Identifier: BSL-1.0
// expect: doorbell: a tag_set of more than 64 tags needs #include <doorbell/core/wide_tag_set.hpp>
#include <doorbell/core/tag_set.hpp>

#ifdef DOORBELL_CONTROL
#    include <doorbell/core/wide_tag_set.hpp>
#endif

#ifdef DOORBELL_CONTROL
doorbell::tag_set<65> set{};
#else
doorbell::tag_set<65> set{};
#endif
