# SPDX-License-Identifier: BSL-1.0
# What only the developers of doorbell need: the warnings and where test packages come from. None of it reaches users.
include_guard()

# Link to `doorbell_developer` for the strict warnings; the presets make them errors (CMAKE_COMPILE_WARNING_AS_ERROR).
add_library(doorbell_developer INTERFACE)
target_link_libraries(doorbell_developer INTERFACE doorbell::doorbell)
set(DOORBELL_WARNINGS
    -Wall
    -Wextra
    -Wpedantic
    -Wcast-align
    -Wcast-qual
    -Wconversion
    -Wdouble-promotion
    -Wextra-semi
    -Wformat=2
    -Wmissing-declarations
    -Wnon-virtual-dtor
    -Wold-style-cast
    -Woverloaded-virtual
    -Wredundant-decls
    -Wshadow
    -Wsign-conversion
    -Wundef
    -Wunused
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND DOORBELL_WARNINGS -Weffc++ -Wduplicated-branches -Wduplicated-cond -Wlogical-op)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND DOORBELL_WARNINGS -Wcomma -Wimplicit-fallthrough -Wloop-analysis -Wrange-loop-analysis -Wunreachable-code)
endif()
target_compile_options(doorbell_developer INTERFACE ${DOORBELL_WARNINGS})

# doorbell_package(<name> <version> <target> <repository> <commit>)
# Finds an installed package; fetches exactly one commit of it when DOORBELL_FETCH allows that; says what to do if not.
macro(doorbell_package name version target repository commit)
    if(NOT TARGET ${target})
        find_package(${name} ${version} QUIET)
        if(NOT TARGET ${target} AND DOORBELL_FETCH)
            include(FetchContent)
            message(STATUS "${name} ${version} is not installed: fetching commit ${commit} of ${repository}")
            FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} SYSTEM)
            FetchContent_MakeAvailable(${name})
        endif()
        if(NOT TARGET ${target})
            message(
                FATAL_ERROR
                "doorbell: ${name} ${version} is missing. `cmake -P cmake/test.cmake` installs it on Debian and Ubuntu; "
                "-DDOORBELL_FETCH=ON fetches it; -DDOORBELL_TESTS=OFF -DDOORBELL_BENCHMARKS=OFF does without."
            )
        endif()
    endif()
endmacro()
