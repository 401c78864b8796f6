# SPDX-License-Identifier: BSL-1.0
# Builds and runs a project that uses the library in one WAY: find_package on an install, pkg-config on an install,
# add_subdirectory, or FetchContent from a local folder.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
set(prefix "${WORK}/prefix")
set(common -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}")

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "${line}\n${text}")
    endif()
    set(text "${text}" PARENT_SCOPE)
endfunction()

if(WAY MATCHES "^(find_package|pkg_config)$")
    step(
        "${CMAKE_COMMAND}" -S "${ROOT}" -B "${WORK}/library" ${common} "-DCMAKE_INSTALL_PREFIX=${prefix}"
        -DDOORBELL_TESTS=OFF -DDOORBELL_EXAMPLES=OFF -DDOORBELL_BENCHMARKS=OFF
    )
    step("${CMAKE_COMMAND}" --install "${WORK}/library")
    # All headers are in the install, and nothing else is.
    file(GLOB_RECURSE installed RELATIVE "${prefix}/include" "${prefix}/include/*")
    file(GLOB_RECURSE ours RELATIVE "${ROOT}/include" "${ROOT}/include/*.hpp")
    if(NOT installed STREQUAL ours)
        message(FATAL_ERROR "the installed headers differ from those of the tree")
    endif()
endif()

if(WAY STREQUAL "pkg_config")
    find_program(pkg_config pkg-config NO_CACHE)
    if(NOT pkg_config)
        message(STATUS "doorbell: skipped, pkg-config is not installed")
        return()
    endif()
    set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig")
    step("${pkg_config}" --cflags doorbell)
    separate_arguments(flags UNIX_COMMAND "${text}")
    step("${CXX}" ${flags} "${consumer}/main.cpp" -o "${WORK}/consumer")
    step("${WORK}/consumer")
    return()
endif()

step(
    "${CMAKE_COMMAND}" -S "${consumer}" -B "${WORK}/build" ${common} "-DWAY=${WAY}" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DDOORBELL_ROOT=${ROOT}"
)
step("${CMAKE_COMMAND}" --build "${WORK}/build")
step("${WORK}/build/consumer")
