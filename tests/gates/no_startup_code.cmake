# SPDX-License-Identifier: BSL-1.0
# Compiles SOURCE and looks into the object file: nothing in it may run before main, guard a local static, allocate,
# throw or need run-time types. (invariant W2)
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" COMPILE "${COMPILE}")

execute_process(
    COMMAND ${COMPILE} -fno-exceptions -fno-rtti -c "${SOURCE}" -o "${OBJECT}"
    RESULT_VARIABLE result
)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile")
endif()

find_program(objdump objdump REQUIRED NO_CACHE)
find_program(nm nm REQUIRED NO_CACHE)
execute_process(COMMAND "${objdump}" -h "${OBJECT}" OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${nm}" "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)

set(found "")
string(REGEX MATCHALL "\\.(init_array|ctors|fini_array|dtors)[^ \n]*" sections "${sections}")
list(APPEND found ${sections})
# guard variables; initialisers of a translation unit; registration of destructors; new and delete; type info; throw
string(
    REGEX MATCHALL
    " [A-Za-z] (_ZGV[^\n]*|_GLOBAL__sub_I[^\n]*|_Z41__static_init[^\n]*|__cxa_[^\n]*|_Zn[wa][^\n]*|_Zd[la][^\n]*|_ZT[ISV][^\n]*|_Unwind[^\n]*|malloc|calloc|realloc|free|atexit)"
    names
    "\n${symbols}"
)
list(APPEND found ${names})
if(found)
    list(JOIN found "\n  " text)
    message(FATAL_ERROR "${OBJECT} holds what a driver core must not bring in:\n  ${text}")
endif()
message(STATUS "no start-up code, guard variable, allocation or run-time type in ${OBJECT}")
