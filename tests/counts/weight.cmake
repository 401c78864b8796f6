# SPDX-License-Identifier: BSL-1.0
# What a translation unit pays for an include: preprocessed lines of each public header, against a budget for its floor.
#
#   cmake -DCXX=... -DCOMPILER=<id>-<version> -DROOT=... [-DTIMES=ON] -P weight.cmake
#
# Lines are judged on the compiler that the budgets were made with, since they depend on its standard library. TIMES also
# prints how long each takes to compile, which nobody judges.
cmake_minimum_required(VERSION 3.25)

# The first expression that a header matches gives its budget.
set(budgets
    "core/|registers/|lock/|dma/" 6000
    "time/chrono_clock" 35000 # <chrono>, for those who ask for it
    "time/" 5500
    "completion/|tracking/" 6500
    "controllers/|dispatch/|flush/|deferral/|timeout/" 9000
    "testing/explore" 90000 # hosted, with the fibers
    "testing/threaded" 55000 # hosted, with <thread> and <mutex>
    "testing/" 40000 # hosted
    "." 10500 # the front door names deadlines and the bottom half too
)
string(COMPARE EQUAL "${COMPILER}" "GNU-12.2.0" judged)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include" "${ROOT}/include/*.hpp")
list(SORT headers)
set(failures "")
set(heaviest 0)
foreach(header IN LISTS headers)
    set(source "#include <${header}>\n")
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/weight.cpp" "${source}")
    execute_process(
        COMMAND ${CXX} -std=c++20 -I "${ROOT}/include" -E -P "${CMAKE_CURRENT_BINARY_DIR}/weight.cpp"
        COMMAND wc -l
        OUTPUT_VARIABLE lines
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET
        RESULTS_VARIABLE results
    )
    if(NOT results STREQUAL "0;0")
        continue() # needs a package that is not here
    endif()
    set(rest ${budgets})
    set(budget "")
    while(budget STREQUAL "")
        list(POP_FRONT rest expression allowed)
        if(header MATCHES "^doorbell/(${expression})")
            set(budget ${allowed})
        endif()
    endwhile()
    set(time "")
    if(TIMES)
        string(TIMESTAMP begin "%s%f")
        execute_process(
            COMMAND ${CXX} -std=c++20 -I "${ROOT}/include" -fsyntax-only "${CMAKE_CURRENT_BINARY_DIR}/weight.cpp"
            ERROR_QUIET
        )
        string(TIMESTAMP end "%s%f")
        math(EXPR time "(${end} - ${begin}) / 1000")
        set(time "  ${time} ms")
    endif()
    message("${lines} of ${budget} lines${time}  ${header}")
    if(lines GREATER budget)
        list(APPEND failures "${header} brings ${lines} lines, its budget is ${budget}")
    endif()
endforeach()
if(NOT judged)
    message("The budgets are for GCC 12.2 and its library: nothing was judged.")
elseif(failures)
    list(JOIN failures "\n  " text)
    message(FATAL_ERROR "doorbell: heavier than allowed\n  ${text}")
endif()
