# SPDX-License-Identifier: BSL-1.0
# Builds and runs the tests:
#
#   cmake -P cmake/test.cmake                     the fast set
#   cmake -P cmake/test.cmake -- full             everything, at most an hour on two cores
#   cmake -P cmake/test.cmake -- gcc-debug tsan   only these stages
#
# A stage is a preset that is configured, built and tested. All stages run even after one failed; the exit status tells.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(fast_stages gcc-debug clang-release tsan)
set(all_stages gcc-debug clang-release tsan gcc-release)

doorbell_arguments(arguments)
set(full OFF)
set(stages "")
foreach(argument IN LISTS arguments)
    if(argument STREQUAL "full")
        set(full ON)
    elseif(argument IN_LIST all_stages)
        list(APPEND stages ${argument})
    else()
        list(JOIN all_stages ", " names)
        message(FATAL_ERROR "doorbell: unknown argument ${argument}; known: full, ${names}")
    endif()
endforeach()
if(NOT stages AND full)
    set(stages ${all_stages})
elseif(NOT stages)
    set(stages ${fast_stages})
endif()

doorbell_setup(build catch2 range-v3 benchmark cli11 json fibers clang counting)

# The thread sanitizer of older compilers cannot live with the address randomisation of newer kernels.
set(launcher "")
execute_process(COMMAND setarch -R true RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(result EQUAL 0)
    set(launcher "-DDOORBELL_TEST_LAUNCHER=setarch -R")
endif()

# Runs one step of a stage, shows its output as it comes and keeps it in <out>. Sets step_failed.
function(doorbell_step stage step out)
    message(STATUS "[${stage}] ${step}")
    execute_process(
        COMMAND ${ARGN}
        WORKING_DIRECTORY "${doorbell_root}"
        RESULT_VARIABLE result
        OUTPUT_VARIABLE text
        ECHO_OUTPUT_VARIABLE
        INPUT_FILE /dev/null
    )
    set(${out} "${text}" PARENT_SCOPE)
    if(result EQUAL 0)
        set(step_failed FALSE PARENT_SCOPE)
    else()
        set(step_failed TRUE PARENT_SCOPE)
    endif()
endfunction()

set(summary "")
set(failed "")
foreach(stage IN LISTS stages)
    if(stage STREQUAL "clang-release" AND NOT DOORBELL_CLANG)
        string(APPEND summary "${stage}: skipped, there is no clang 19 on this machine\n")
        continue()
    endif()
    set(extra ${DOORBELL_SETUP_CONFIGURE} -DDOORBELL_FULL=${full})
    if(stage STREQUAL "gcc-debug" AND (full OR NOT DOORBELL_CLANG)) # else clang-release runs them, which is quicker
        list(APPEND extra -DDOORBELL_PROOFS=ON)
    endif()
    if(stage STREQUAL "tsan" AND launcher)
        list(APPEND extra "${launcher}")
    endif()

    string(TIMESTAMP begin "%s" UTC)
    doorbell_step(${stage} configure text "${CMAKE_COMMAND}" --preset ${stage} ${extra})
    if(NOT step_failed)
        doorbell_step(${stage} build text "${CMAKE_COMMAND}" --build --preset ${stage} --parallel ${DOORBELL_JOBS})
    endif()
    string(TIMESTAMP middle "%s" UTC)
    math(EXPR build_time "${middle} - ${begin}")
    if(step_failed)
        list(APPEND failed ${stage})
        string(APPEND summary "${stage}: configured or built with errors after ${build_time} s, so no test ran\n")
        continue()
    endif()

    doorbell_step(${stage} test text "${CMAKE_CTEST_COMMAND}" --preset ${stage} --parallel ${DOORBELL_JOBS})
    if(step_failed)
        list(APPEND failed ${stage})
    endif()
    string(TIMESTAMP end "%s" UTC)
    math(EXPR test_time "${end} - ${middle}")
    # ctest's closing lines, as it printed them
    set(closing "${text}")
    string(FIND "${text}" "% tests passed" position REVERSE)
    if(position GREATER_EQUAL 0)
        string(SUBSTRING "${text}" 0 ${position} before)
        string(FIND "${before}" "\n" position REVERSE)
        math(EXPR position "${position} + 1")
        string(SUBSTRING "${text}" ${position} -1 closing)
    endif()
    string(STRIP "${closing}" closing)
    string(APPEND summary "${stage}: built in ${build_time} s, tested in ${test_time} s; ctest closed with\n\n${closing}\n\n")

    file(GLOB reports "${doorbell_root}/build/${stage}/reports/*.txt")
    foreach(report IN LISTS reports)
        file(READ "${report}" text)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${text}")
    endforeach()
endforeach()

file(WRITE "${doorbell_root}/build/test-summary.txt" "${summary}")
execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${doorbell_root}/build/test-summary.txt")
if(failed)
    list(JOIN failed ", " names)
    message(FATAL_ERROR "doorbell: failed: ${names}")
endif()
