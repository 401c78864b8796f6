# SPDX-License-Identifier: BSL-1.0
# SOURCE must not compile, and the compiler's first error or its notes must hold each text that the file expects. With
# DOORBELL_CONTROL defined it must compile.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" COMPILE "${COMPILE}")

file(READ "${SOURCE}" text)
string(ASCII 1 mark_1)
string(ASCII 2 mark_2)
string(ASCII 3 mark_3)
if(NOT text MATCHES "DOORBELL_CONTROL")
    message(FATAL_ERROR "${SOURCE} has no near miss: code under DOORBELL_CONTROL that compiles")
endif()
string(TOLOWER "${COMPILER}" compiler)
if(compiler STREQUAL "gnu")
    set(compiler gcc)
    set(no_source -fno-diagnostics-show-caret) # the expected text must not be found in a quotation of the test itself
else()
    set(compiler clang)
    set(no_source -fno-caret-diagnostics -ferror-limit=2)
endif()

# Lines of the file as a list; brackets and semicolons are put back after the split.
string(ASCII 1 semicolon)
string(ASCII 2 left)
string(ASCII 3 right)
string(REPLACE ";" "${semicolon}" text "${text}")
string(REPLACE "[" "${left}" text "${text}")
string(REPLACE "]" "${right}" text "${text}")
string(REGEX MATCHALL "// expect(\\(${compiler}\\))?: [^\n]*" expectations "${text}")
if(NOT expectations)
    message(FATAL_ERROR "${SOURCE} has no line `// expect: <text>` for ${compiler}")
endif()

set(command ${COMPILE} -fdiagnostics-color=never ${no_source} -S -o /dev/null)
execute_process(
    COMMAND ${command} -DDOORBELL_CONTROL "${SOURCE}"
    RESULT_VARIABLE result
    ERROR_VARIABLE diagnostics
)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the near miss (DOORBELL_CONTROL) does not compile:\n${diagnostics}")
endif()

execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE result ERROR_VARIABLE diagnostics)
if(result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiles, but must not")
endif()

# The first error with what precedes it (where it was instantiated) and its notes, up to the second error.
string(FIND "${diagnostics}" " error: " first)
if(first LESS 0)
    message(FATAL_ERROR "the compiler failed without an error:\n${diagnostics}")
endif()
math(EXPR after "${first} + 8")
string(SUBSTRING "${diagnostics}" ${after} -1 rest)
string(FIND "${rest}" " error: " second)
if(second GREATER_EQUAL 0)
    math(EXPR length "${after} + ${second}")
    string(SUBSTRING "${diagnostics}" 0 ${length} block)
else()
    set(block "${diagnostics}")
endif()

foreach(expectation IN LISTS expectations)
    string(REGEX REPLACE "^// expect[^:]*: " "" expectation "${expectation}")
    string(REPLACE "${semicolon}" ";" expectation "${expectation}")
    string(REPLACE "${left}" "[" expectation "${expectation}")
    string(REPLACE "${right}" "]" expectation "${expectation}")
    string(STRIP "${expectation}" expectation)
    string(FIND "${block}" "${expectation}" position)
    if(position LESS 0)
        message(FATAL_ERROR "expected in the first error or its notes: ${expectation}\nbut the compiler says:\n${diagnostics}")
    endif()
endforeach()
message(STATUS "does not compile, for the reason expected")
