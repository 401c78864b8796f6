# SPDX-License-Identifier: BSL-1.0
# The interleaving explorer of doorbell/testing/explore.hpp. It is the only part that needs a library, Boost.Context, so
# it is a target of its own, which exists where that library is installed.
#
#   doorbell::explore         switch points at registers, locks and whatever a scenario names
#   doorbell::explore_memory  also at each access to an object that a scenario watches: the compiler calls a function for
#                             every access, as for the thread sanitizer, and the explorer supplies those functions
option(DOORBELL_EXPLORE "Define doorbell::explore where Boost.Context is installed" ${PROJECT_IS_TOP_LEVEL})
if(DOORBELL_EXPLORE AND NOT TARGET doorbell::explore)
    find_package(boost_context 1.74 CONFIG QUIET)
    if(TARGET Boost::context)
        add_library(doorbell_explore INTERFACE)
        add_library(doorbell::explore ALIAS doorbell_explore)
        target_link_libraries(doorbell_explore INTERFACE doorbell::doorbell Boost::context)

        add_library(doorbell_explore_memory INTERFACE)
        add_library(doorbell::explore_memory ALIAS doorbell_explore_memory)
        target_link_libraries(doorbell_explore_memory INTERFACE doorbell::explore)
        target_sources(doorbell_explore_memory INTERFACE "${CMAKE_CURRENT_LIST_DIR}/explore_memory.cpp")
        # Other sanitizers cannot share a compilation with these calls; linking with them does no harm.
        target_compile_options(doorbell_explore_memory INTERFACE -fno-sanitize=all -fsanitize=thread)
        # clang would not call for a read that a write to the same place follows.
        target_compile_options(
            doorbell_explore_memory
            INTERFACE $<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>
        )
    endif()
endif()
