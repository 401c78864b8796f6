# SPDX-License-Identifier: BSL-1.0
# Builds examples/replay and runs it on the recordings in tests/data:
#
#   cmake -P cmake/demo.cmake [-- <arguments of replay>]
#
# Recordings among the arguments replace those in tests/data.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

doorbell_arguments(arguments)
doorbell_setup(build cli11 json)

set(build "${doorbell_root}/build/demo")
doorbell_run(
    "configure" "${CMAKE_COMMAND}" -S "${doorbell_root}" -B "${build}" -DCMAKE_BUILD_TYPE=Release
    -DDOORBELL_TESTS=OFF -DDOORBELL_BENCHMARKS=OFF -DDOORBELL_INSTALL=OFF ${DOORBELL_SETUP_CONFIGURE}
    --log-level=WARNING
)
doorbell_run("build" "${CMAKE_COMMAND}" --build "${build}" --target replay --parallel ${DOORBELL_JOBS})

set(recordings "")
foreach(argument IN LISTS arguments)
    if(EXISTS "${argument}" AND NOT previous MATCHES "^--(json|timeline)$")
        set(recordings given)
    endif()
    set(previous "${argument}")
endforeach()
if(NOT recordings)
    file(GLOB recordings "${doorbell_root}/tests/data/*.ftrace" "${doorbell_root}/tests/data/*.mmio")
else()
    set(recordings "")
endif()

file(GLOB_RECURSE program "${build}/examples/replay" "${build}/examples/replay/replay")
list(FILTER program INCLUDE REGEX "/replay$")
doorbell_run("replay" ${program} ${arguments} ${recordings})
