# SPDX-License-Identifier: BSL-1.0
# Turns the language C on, with the C compiler that belongs to the C++ compiler. Only measurements need it: what they
# compare with is compiled as C.
if(NOT CMAKE_C_COMPILER)
    string(REGEX REPLACE "clang\\+\\+([^/]*)$" "clang\\1" c_compiler "${CMAKE_CXX_COMPILER}")
    string(REGEX REPLACE "g\\+\\+([^/]*)$" "gcc\\1" c_compiler "${c_compiler}")
    string(REGEX REPLACE "/c\\+\\+$" "/cc" c_compiler "${c_compiler}")
    set(CMAKE_C_COMPILER "${c_compiler}" CACHE FILEPATH "The C compiler that measurements compare with")
endif()
enable_language(C)
