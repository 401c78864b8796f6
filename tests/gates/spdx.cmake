# SPDX-License-Identifier: BSL-1.0
# Every file that takes comments names its licence in its first line (after a shebang).
cmake_minimum_required(VERSION 3.25)

if(ROOT)
    set(root "${ROOT}") # another tree: the test of this gate
else()
    cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
endif()
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${root}" "${root}/*")
list(FILTER files EXCLUDE REGEX "^(build|\\.git|\\.cache|\\.vscode|\\.idea)/")
list(FILTER files EXCLUDE REGEX "^(LICENSE|tests/data/.*|CMakeUserPresets\\.json)$|\\.json$") # see REUSE.toml
set(missing "")
list(LENGTH files count)
foreach(file IN LISTS files)
    file(READ "${root}/${file}" head LIMIT 200)
    if(NOT head MATCHES "^(#![^\n]*\n)?(//|#|<!--|/\\*|;) SPDX-License-Identifier: BSL-1\\.0")
        string(APPEND missing "  ${file}\n")
    endif()
endforeach()
if(missing)
    message(FATAL_ERROR "no SPDX-License-Identifier in the first line of\n${missing}")
endif()
message(STATUS "${count} files name their licence")
