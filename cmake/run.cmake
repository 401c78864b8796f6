# SPDX-License-Identifier: BSL-1.0
# Small helpers of the scripts that are run with `cmake -P`.
include_guard()

# The arguments after `--` on the command line.
function(doorbell_arguments out)
    set(arguments "")
    set(seen FALSE)
    math(EXPR last "${CMAKE_ARGC} - 1")
    foreach(index RANGE ${last})
        if(seen)
            list(APPEND arguments "${CMAKE_ARGV${index}}")
        elseif(CMAKE_ARGV${index} STREQUAL "--")
            set(seen TRUE)
        endif()
    endforeach()
    set(${out} "${arguments}" PARENT_SCOPE)
endfunction()

# Runs a command whose output goes straight to the terminal; ends the script when it fails.
function(doorbell_run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${what} failed (${result})")
    endif()
endfunction()
