# SPDX-License-Identifier: BSL-1.0
# Writes the header list of include/CMakeLists.txt from the tree:   cmake -P cmake/update_headers.cmake
# With -DCHECK=ON it only compares, and fails where the two differ.
cmake_minimum_required(VERSION 3.25)

if(ROOT)
    set(root "${ROOT}") # another tree: the test of this gate
else()
    cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
endif()
set(list_file "${root}/include/CMakeLists.txt")

file(GLOB_RECURSE headers RELATIVE "${root}/include" "${root}/include/*.hpp")
list(SORT headers)
set(lines "")
foreach(header IN LISTS headers)
    string(APPEND lines "            ${header}\n")
endforeach()

file(READ "${list_file}" old)
string(REGEX REPLACE "(# begin of the list\n).*(            # end of the list)" "\\1${lines}\\2" new "${old}")
if(old STREQUAL new)
    list(LENGTH headers count)
    message(STATUS "include/CMakeLists.txt lists all ${count} headers of the tree")
elseif(CHECK)
    set(difference "")
    foreach(header IN LISTS headers)
        if(NOT old MATCHES "\n            ${header}\n")
            string(APPEND difference "  in the tree, not in the list: ${header}\n")
        endif()
    endforeach()
    string(REGEX MATCHALL "doorbell/[^\n ]+\\.hpp" listed "${old}")
    foreach(header IN LISTS listed)
        if(NOT header IN_LIST headers)
            string(APPEND difference "  in the list, not in the tree: ${header}\n")
        endif()
    endforeach()
    message(
        FATAL_ERROR
        "include/CMakeLists.txt and the tree differ; run cmake -P cmake/update_headers.cmake\n${difference}"
    )
else()
    file(WRITE "${list_file}" "${new}")
    message(STATUS "include/CMakeLists.txt written")
endif()
