# SPDX-License-Identifier: BSL-1.0
# clang-tidy 19 on one header.
cmake_minimum_required(VERSION 3.25)

find_program(tool NAMES clang-tidy-19 NO_CACHE)
if(NOT tool)
    message(STATUS "doorbell: skipped, clang-tidy 19 is not installed")
    return()
endif()
cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
execute_process(
    COMMAND "${tool}" --quiet "--config-file=${root}/.clang-tidy" "${SOURCE}" -- -std=c++20 -I "${INCLUDE}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE text
    ERROR_VARIABLE errors
)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "clang-tidy:\n${text}${errors}")
endif()
