# SPDX-License-Identifier: BSL-1.0
# Compares all C++ files with what clang-format 19 makes of them.
#   cmake -P tests/gates/format.cmake          compares
#   cmake -P tests/gates/format.cmake -- fix   rewrites
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/run.cmake")

find_program(tool NAMES clang-format-19 NO_CACHE)
if(NOT tool)
    message(STATUS "doorbell: skipped, clang-format 19 is not installed")
    return()
endif()
if(ROOT)
    set(root "${ROOT}") # another tree: the test of this gate
else()
    cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
    cmake_path(GET root PARENT_PATH root)
endif()
set(files "")
foreach(folder IN ITEMS include tests examples benchmarks docs)
    file(GLOB_RECURSE some "${root}/${folder}/*.hpp" "${root}/${folder}/*.cpp")
    list(APPEND files ${some})
endforeach()
list(FILTER files EXCLUDE REGEX "/tests/data/")
list(LENGTH files count)

doorbell_arguments(arguments)
if("fix" IN_LIST arguments)
    execute_process(COMMAND "${tool}" -i ${files} COMMAND_ERROR_IS_FATAL ANY)
    return()
endif()
execute_process(COMMAND "${tool}" --dry-run -Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE text)
if(NOT result EQUAL 0)
    string(REGEX MATCHALL "[^\n]*error: code should be clang-formatted" places "${text}")
    list(JOIN places "\n  " places)
    message(FATAL_ERROR "run cmake -P tests/gates/format.cmake -- fix\n  ${places}")
endif()
message(STATUS "${count} files are formatted")
