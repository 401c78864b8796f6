# SPDX-License-Identifier: BSL-1.0
# doorbell::explore: the interleaving explorer of doorbell/testing/explore.hpp. It is the only part that needs a library,
# Boost.Context, so it is a target of its own, which exists where that library is installed.
option(DOORBELL_EXPLORE "Define doorbell::explore where Boost.Context is installed" ${PROJECT_IS_TOP_LEVEL})
if(DOORBELL_EXPLORE AND NOT TARGET doorbell::explore)
    find_package(Boost 1.74 QUIET COMPONENTS context)
    if(TARGET Boost::context)
        add_library(doorbell_explore INTERFACE)
        add_library(doorbell::explore ALIAS doorbell_explore)
        target_link_libraries(doorbell_explore INTERFACE doorbell::doorbell Boost::context)
    endif()
endif()
