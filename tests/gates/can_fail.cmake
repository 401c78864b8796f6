# SPDX-License-Identifier: BSL-1.0
# A gate that cannot fail is worth nothing: each is shown a small tree that it must accept, and the same with one fault that it
# must name.
cmake_minimum_required(VERSION 3.25)

set(gates "${ROOT_DIR}/tests/gates")
set(tree "${WORK}/tree")
set(count 0)

# A tree without faults.
function(fresh_tree)
    file(REMOVE_RECURSE "${tree}")
    set(license "// SPDX-License-Identifier: BSL-1.0\n")
    file(WRITE "${tree}/include/doorbell/core/a.hpp" "${license}#pragma once\n\n#include <cstdint>\n\n/// [D1]\nint a();\n")
    file(WRITE "${tree}/include/doorbell/time/b.hpp" "${license}#pragma once\n\n#include \"../core/a.hpp\"\n")
    file(WRITE "${tree}/include/doorbell/testing/c.hpp" "${license}#pragma once\n\n#include <vector>\n")
    file(
        WRITE "${tree}/include/CMakeLists.txt"
        "# SPDX-License-Identifier: BSL-1.0\n            # begin of the list\n            doorbell/core/a.hpp\n"
        "            doorbell/testing/c.hpp\n            doorbell/time/b.hpp\n            # end of the list\n"
    )
    file(
        WRITE "${tree}/tests/core/a.test.cpp"
        "${license}TEST_CASE(\"a\", \"[inv:D1]\") {}\n"
    )
    file(WRITE "${tree}/tests/mutants/D1-x.mutant" "# SPDX-License-Identifier: BSL-1.0\ninvariant: D1\n")
    file(WRITE "${tree}/tests/invariants.txt" "# SPDX-License-Identifier: BSL-1.0\nD1 | covered | It holds.\n")
    file(COPY "${ROOT_DIR}/.clang-format" DESTINATION "${tree}")
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${tree}" -P "${ROOT_DIR}/cmake/update_invariants.cmake" OUTPUT_QUIET)
endfunction()

# Runs a script; it must pass when <reason> is empty, and else fail with that text.
function(expect what reason script)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" "-DROOT=${tree}" ${ARGN} -P "${script}"
        RESULT_VARIABLE result
        OUTPUT_VARIABLE text
        ERROR_VARIABLE text
    )
    string(REGEX REPLACE "[ \n]+" " " text "${text}") # messages are wrapped
    if(NOT reason AND NOT result EQUAL 0)
        message(FATAL_ERROR "${what}: should pass, but\n${text}")
    elseif(reason AND result EQUAL 0)
        message(FATAL_ERROR "${what}: should fail")
    elseif(reason AND NOT text MATCHES "${reason}")
        message(FATAL_ERROR "${what}: should say ${reason}, but\n${text}")
    endif()
    math(EXPR count "${count} + 1")
    set(count ${count} PARENT_SCOPE)
endfunction()

# Headers: what they include, how long they are, whether they are listed.
set(script "${gates}/include_rules.cmake")
fresh_tree()
expect("a tree without faults" "" "${script}")
file(APPEND "${tree}/include/doorbell/core/a.hpp" "#include <atomic>\n")
expect("a standard header off the list" "core/a.hpp: includes <atomic>" "${script}")
fresh_tree()
file(APPEND "${tree}/include/doorbell/core/a.hpp" "#include <doorbell/time/b.hpp>\n")
expect("an include of a higher floor" "time/b.hpp of a floor above" "${script}")
fresh_tree()
file(APPEND "${tree}/include/doorbell/core/a.hpp" "#include \"../testing/c.hpp\"\n")
expect("an include of the test kit" "nothing but the test kit" "${script}")
fresh_tree()
file(APPEND "${tree}/include/doorbell/lock/d.hpp" "#pragma once\n#include \"../time/b.hpp\"\n")
expect("an include of a neighbour" "of the same floor" "${script}")
fresh_tree()
string(REPEAT "// long\n" 350 text)
file(APPEND "${tree}/include/doorbell/core/a.hpp" "${text}")
expect("a header that is too long" "more than 350" "${script}")
fresh_tree()
file(WRITE "${tree}/include/doorbell/core/a.hpp" "// SPDX-License-Identifier: BSL-1.0\n")
expect("a header without #pragma once" "no #pragma once" "${script}")

set(script "${ROOT_DIR}/cmake/update_headers.cmake")
fresh_tree()
expect("a complete list" "" "${script}" -DCHECK=ON)
file(WRITE "${tree}/include/doorbell/core/new.hpp" "")
expect("a header that is not listed" "not in the list: doorbell/core/new.hpp" "${script}" -DCHECK=ON)
fresh_tree()
file(REMOVE "${tree}/include/doorbell/core/a.hpp")
expect("a listed header that is gone" "not in the tree: doorbell/core/a.hpp" "${script}" -DCHECK=ON)

# The page of invariants.
set(script "${ROOT_DIR}/cmake/update_invariants.cmake")
fresh_tree()
expect("a complete page" "" "${script}" -DCHECK=ON)
file(REMOVE "${tree}/tests/mutants/D1-x.mutant")
expect("an invariant without mutant" "D1 lacks a mutant" "${script}" -DCHECK=ON)
fresh_tree()
file(REMOVE "${tree}/tests/core/a.test.cpp")
expect("an invariant without test" "D1 lacks a test" "${script}" -DCHECK=ON)
fresh_tree()
file(WRITE "${tree}/include/doorbell/core/a.hpp" "// nothing\n")
expect("an invariant without header" "D1 lacks a header" "${script}" -DCHECK=ON)
fresh_tree()
file(APPEND "${tree}/tests/core/a.test.cpp" "// [inv:Z9]\n")
expect("an id that does not exist" "names Z9" "${script}" -DCHECK=ON)
fresh_tree()
file(APPEND "${tree}/docs/invariants.md" "by hand\n")
expect("a stale page" "stale" "${script}" -DCHECK=ON)

# First lines and layout.
fresh_tree()
file(REMOVE_RECURSE "${tree}/docs" "${tree}/.clang-format")
expect("licensed files" "" "${gates}/spdx.cmake")
file(WRITE "${tree}/tests/new.cmake" "message(STATUS)\n")
expect("a file without licence" "tests/new.cmake" "${gates}/spdx.cmake")
fresh_tree()
expect("formatted files" "" "${gates}/format.cmake")
find_program(clang_format clang-format-19 NO_CACHE)
if(clang_format)
    file(APPEND "${tree}/include/doorbell/core/a.hpp" "int    b( );\n")
    expect("a file in another layout" "a.hpp" "${gates}/format.cmake")
endif()

# Code that must not compile.
set(script "${gates}/compile_fail.cmake")
set(file "${WORK}/case.cpp")
set(compiler "-DCOMPILE=${COMPILE}" "-DCOMPILER=${COMPILER}" "-DSOURCE=${file}")
set(control "#ifdef DOORBELL_CONTROL\nconstexpr bool right = true;\n#else\nconstexpr bool right = false;\n#endif\n")
file(WRITE "${file}" "// expect: write [this; that]\n${control}static_assert(right, \"write [this; that]\");\n")
expect("the expected error" "" "${script}" ${compiler})
file(WRITE "${file}" "// expect: write this\n${control}static_assert(right, \"write that\");\n")
expect("another error" "expected in the first error" "${script}" ${compiler})
file(WRITE "${file}" "// expect: write this\n${control}static_assert(right, \"no\");\nstatic_assert(right, \"write this\");\n")
expect("the error comes second" "expected in the first error" "${script}" ${compiler})
file(WRITE "${file}" "// expect: write this\n${control}")
expect("code that compiles" "compiles, but must not" "${script}" ${compiler})
file(WRITE "${file}" "// expect: no\n${control}static_assert(right, \"no\");\nnonsense;\n")
expect("a near miss that does not compile" "the near miss" "${script}" ${compiler})
file(WRITE "${file}" "// expect: no\nstatic_assert(false, \"no\");\n")
expect("no near miss" "has no near miss" "${script}" ${compiler})

# What ends up in an object file.
set(script "${gates}/no_startup_code.cmake")
set(compiler "-DCOMPILE=${COMPILE}|-O2" "-DSOURCE=${file}" "-DOBJECT=${WORK}/case.o")
file(WRITE "${file}" "int f();\nconstinit int x = 1;\nint g() { return x; }\n")
expect("a plain object" "" "${script}" ${compiler})
file(WRITE "${file}" "int f();\nint x = f();\n")
expect("an initialiser at run time" "init_array" "${script}" ${compiler})
file(WRITE "${file}" "int f();\nint g() {\n    static int const x = f();\n    return x;\n}\n")
expect("a guarded static" "_ZGV" "${script}" ${compiler})
file(WRITE "${file}" "int* g() { return new int[5]; }\n")
expect("an allocation" "_Zna" "${script}" ${compiler})
file(WRITE "${file}" "struct s {\n    virtual int f() { return 1; }\n};\nint g(s& x) { return x.f(); }\ns global;\n")
expect("a virtual function" "_ZTV" "${script}" ${compiler})

# Snippets of a page.
set(script "${gates}/snippets.cmake")
set(compiler "-DCOMPILE=${COMPILE}|-I|${WORK}" "-DPAGE=${WORK}/page.md" "-DOUTPUT=${WORK}/snippets")
file(WRITE "${WORK}/snippets.hpp" "#pragma once\nnamespace doorbell {}\n")
file(WRITE "${WORK}/page.md" "# Page\n\n```text\nnot code\n```\n\n```cpp\nint a[2];\n```\n\n<!-- snippet: continues -->\n```cpp\nint* b = a;\n```\n")
expect("snippets that compile" "" "${script}" ${compiler})
file(WRITE "${WORK}/page.md" "```cpp\nint a;\n```\n\n```cpp\nint* b = &a;\n```\n")
expect("a snippet that does not compile" "1 of 2 blocks" "${script}" ${compiler})

message(STATUS "${count} trees and files met the gate's answer expected of them")
