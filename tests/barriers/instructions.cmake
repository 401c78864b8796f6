# SPDX-License-Identifier: BSL-1.0
# Compiles sample.cpp for TARGET and expects in each function exactly the barrier instructions RING, DONE and UNLOCK
# (`none` for none), and in `done` two loads of the response.
cmake_minimum_required(VERSION 3.25)

execute_process(
    COMMAND
        "${CLANG}" --target=${TARGET} -std=c++20 -O2 -ffreestanding -fno-asynchronous-unwind-tables -I "${INCLUDE}" -S -o -
        "${CMAKE_CURRENT_LIST_DIR}/sample.cpp"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE assembly
    ERROR_VARIABLE diagnostics
)
if(NOT result EQUAL 0)
    if(diagnostics MATCHES "No available targets|unknown target triple")
        message(STATUS "doorbell: skipped, this clang has no back end for ${TARGET}")
        return()
    endif()
    message(FATAL_ERROR "sample.cpp does not compile for ${TARGET}:\n${diagnostics}")
endif()

# Brackets and semicolons would confuse lists; tabs are blanks.
string(REGEX REPLACE "[][;]" "|" assembly "${assembly}")
string(REGEX REPLACE "[ \t]+" " " assembly "${assembly}")

# The lines from `<name>:` to the end of the function.
function(body name out)
    if(NOT assembly MATCHES "\n${name}:")
        message(FATAL_ERROR "no function ${name} in\n${assembly}")
    endif()
    string(FIND "${assembly}" "\n${name}:" begin)
    string(SUBSTRING "${assembly}" ${begin} -1 rest)
    string(FIND "${rest}" ".size ${name}" length)
    string(SUBSTRING "${rest}" 0 ${length} text)
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

foreach(function IN ITEMS ring done unlock)
    string(TOUPPER "${function}" wanted)
    set(wanted "${${wanted}}")
    body(${function} text)
    string(REGEX MATCHALL "\n ?(dmb|dsb|fence|mfence|lfence|sfence|sync|lwsync|lock)[^\n#@/]*" found "${text}")
    list(TRANSFORM found STRIP)
    list(JOIN found " + " found)
    if(found STREQUAL "")
        set(found none)
    endif()
    if(NOT found STREQUAL wanted)
        message(FATAL_ERROR "${TARGET}: ${function} has the barrier `${found}`, not `${wanted}`:\n${text}")
    endif()
endforeach()

# The compiler's part: the barrier keeps both stores to the descriptor and both loads of the response.
body(ring text)
string(REGEX MATCHALL "\n ?(str|stw|sw|movl \\$)[^\n]*" stores "${text}")
list(LENGTH stores count)
if(NOT count EQUAL 3)
    message(FATAL_ERROR "${TARGET}: ring has ${count} stores, not 3: the compiler moved one past the barrier:\n${text}")
endif()
body(done text)
string(REGEX MATCHALL "\n ?(ldr|lw|lwz|(mov|add)l \\()[^\n]*" loads "${text}")
list(LENGTH loads count)
if(NOT count EQUAL 3)
    message(FATAL_ERROR "${TARGET}: done has ${count} loads, not 3: the compiler reused one across the barrier:\n${text}")
endif()
message(STATUS "${TARGET}: ring ${RING}, done ${DONE}, unlock ${UNLOCK}")
