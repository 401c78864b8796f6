# SPDX-License-Identifier: BSL-1.0
# What the two commands need on a fresh machine: looks for it, says what is missing and why, and installs it with apt.
#
#   doorbell_setup(<need>...)   needs: build, catch2, range-v3, benchmark, cli11, json, fibers, clang, counting,
#                              charts, cross
#
# Sets in the caller's scope
#   DOORBELL_SETUP_CONFIGURE   arguments for every configure step of this run (fetching, where nothing could be installed)
#   DOORBELL_CLANG             true when clang++-19, clang-tidy-19 and clang-format-19 are all there
#   DOORBELL_JOBS              how many jobs to run at once
#
# DOORBELL_SETUP=off (environment, or -DDOORBELL_SETUP=off before -P) forbids any installation.
include_guard()

set(doorbell_root "${CMAKE_CURRENT_LIST_DIR}/..")
cmake_path(NORMAL_PATH doorbell_root)
string(REGEX REPLACE "/$" "" doorbell_root "${doorbell_root}")

# need -> Debian and Ubuntu packages, and the reason that is printed before they are installed
set(doorbell_packages_build ninja-build)
set(doorbell_reason_build "a build tool: neither ninja nor make is here")
set(doorbell_packages_catch2 catch2)
set(doorbell_reason_catch2 "Catch2 3, the framework of the tests")
set(doorbell_packages_range-v3 librange-v3-dev)
set(doorbell_reason_range-v3 "range-v3, whose range concepts tag sets are tested against")
set(doorbell_packages_benchmark libbenchmark-dev)
set(doorbell_reason_benchmark "Google Benchmark, the framework of the benchmarks")
set(doorbell_packages_cli11 libcli11-dev)
set(doorbell_reason_cli11 "CLI11, which reads the command line of the replay")
set(doorbell_packages_json nlohmann-json3-dev)
set(doorbell_reason_json "nlohmann_json, which writes the replay's reports")
set(doorbell_packages_fibers libboost-context-dev)
set(doorbell_reason_fibers "Boost.Context, which the explorer of interleavings runs its contexts on")
set(doorbell_packages_clang clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev)
set(doorbell_reason_clang "the second compiler, the linter and the formatter that the tests check with")
set(doorbell_packages_counting valgrind binutils)
set(doorbell_reason_counting "valgrind, which counts the instructions that the core executes beside hand-written C")
set(doorbell_packages_charts gnuplot-nox)
set(doorbell_reason_charts "gnuplot, which draws the charts of the benchmarks")
set(doorbell_packages_cross
    gcc-arm-none-eabi
    libstdc++-arm-none-eabi-newlib
    g++-aarch64-linux-gnu
    qemu-system-arm
)
set(doorbell_reason_cross "cross compilers and QEMU, because DOORBELL_CROSS asks for them")

# Where a package that apt cannot bring is fetched from instead; the CMakeLists.txt that use them hold the commits.
set(doorbell_repository_catch2 https://github.com/catchorg/Catch2.git)
set(doorbell_repository_range-v3 https://github.com/ericniebler/range-v3.git)
set(doorbell_repository_benchmark https://github.com/google/benchmark.git)
set(doorbell_repository_cli11 https://github.com/CLIUtils/CLI11.git)
set(doorbell_repository_json https://github.com/nlohmann/json.git)

# What Debian 12 gets from its backports suite: its own Catch2 is version 2, its own QEMU has no UFS device.
set(doorbell_backports_bookworm catch2 qemu-system-arm)

# Which of the CMake packages are installed, in whatever place find_package looks at.
function(doorbell_find_packages out)
    execute_process(
        COMMAND
            "${CMAKE_COMMAND}" -S "${doorbell_root}/cmake/probe" -B "${doorbell_root}/build/setup" --fresh
            -Wno-dev
        OUTPUT_VARIABLE text
        ERROR_VARIABLE text
        RESULT_VARIABLE result
    )
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "doorbell: the C++ compiler does not work:\n${text}")
    endif()
    string(REGEX MATCHALL "probe found [a-z0-9-]+" found "${text}")
    list(TRANSFORM found REPLACE "probe found " "")
    set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(doorbell_find_missing needs out)
    set(missing "")
    if("build" IN_LIST needs)
        find_program(doorbell_ninja ninja NO_CACHE)
        find_program(doorbell_make NAMES gmake make NO_CACHE)
        if(NOT doorbell_ninja AND NOT doorbell_make)
            # Nothing can be configured before there is a build tool, so the other packages are looked for afterwards.
            set(${out} build PARENT_SCOPE)
            return()
        endif()
        # Ninja where it is found, also for the steps to come; a folder configured before keeps its generator.
        if(doorbell_ninja AND "$ENV{CMAKE_GENERATOR}" STREQUAL "")
            set(ENV{CMAKE_GENERATOR} Ninja)
        endif()
    endif()
    if(needs MATCHES "catch2|range-v3|benchmark|cli11|json|fibers")
        doorbell_find_packages(found)
        foreach(need IN ITEMS catch2 range-v3 benchmark cli11 json fibers)
            if(need IN_LIST needs AND NOT need IN_LIST found)
                list(APPEND missing ${need})
            endif()
        endforeach()
    endif()
    if("clang" IN_LIST needs)
        foreach(tool IN ITEMS clang++-19 clang-tidy-19 clang-format-19)
            find_program(doorbell_tool ${tool} NO_CACHE)
            if(NOT doorbell_tool)
                list(APPEND missing clang)
                break()
            endif()
            unset(doorbell_tool)
        endforeach()
    endif()
    foreach(pair IN ITEMS counting:valgrind counting:objdump charts:gnuplot)
        string(REPLACE ":" ";" pair "${pair}")
        list(GET pair 0 need)
        list(GET pair 1 tool)
        if(need IN_LIST needs AND NOT need IN_LIST missing)
            find_program(doorbell_tool ${tool} NO_CACHE)
            if(NOT doorbell_tool)
                list(APPEND missing ${need})
            endif()
            unset(doorbell_tool)
        endif()
    endforeach()
    if("cross" IN_LIST needs)
        foreach(tool IN ITEMS arm-none-eabi-g++ aarch64-linux-gnu-g++ qemu-system-aarch64)
            find_program(doorbell_tool ${tool} NO_CACHE)
            if(NOT doorbell_tool)
                list(APPEND missing cross)
                break()
            endif()
            unset(doorbell_tool)
        endforeach()
        # A QEMU that is too old is none: its UFS device came with 8.2.
        if(NOT "cross" IN_LIST missing)
            execute_process(COMMAND qemu-system-aarch64 --version OUTPUT_VARIABLE text ERROR_QUIET)
            if(NOT text MATCHES "version ([0-9.]+)" OR CMAKE_MATCH_1 VERSION_LESS 8.2)
                list(APPEND missing cross)
            endif()
        endif()
    endif()
    set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# The name of the distribution's release, such as bookworm; empty where nothing tells it.
function(doorbell_codename out)
    set(release "")
    if(EXISTS /etc/os-release)
        file(STRINGS /etc/os-release release REGEX "^VERSION_CODENAME=")
    endif()
    string(REGEX REPLACE ".*=\"?([a-z]+)\"?.*" "\\1" codename "${release}")
    set(${out} "${codename}" PARENT_SCOPE)
endfunction()

# How to become root without asking: "direct", "sudo" or "" (not at all).
function(doorbell_find_rights out)
    set(${out} "" PARENT_SCOPE)
    find_program(doorbell_apt apt-get NO_CACHE)
    if(NOT doorbell_apt)
        return()
    endif()
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(user EQUAL 0)
        set(${out} direct PARENT_SCOPE)
        return()
    endif()
    find_program(doorbell_sudo sudo NO_CACHE)
    if(doorbell_sudo)
        execute_process(COMMAND sudo -n true RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
        if(result EQUAL 0)
            set(${out} sudo PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Runs apt-get as root. Returns its exit status; what it prints is shown.
function(doorbell_apt rights out)
    set(command env DEBIAN_FRONTEND=noninteractive apt-get -q ${ARGN})
    if(rights STREQUAL "sudo")
        list(PREPEND command sudo -n)
    endif()
    list(JOIN command " " line)
    message(STATUS "${line}")
    execute_process(COMMAND ${command} RESULT_VARIABLE result INPUT_FILE /dev/null)
    set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Writes apt sources that hold what the machine has plus <suite> of the same Debian mirror, into the folder <where>.
# The machine's own entry is copied with only its suite changed, so mirror, keys and options stay what they are.
function(doorbell_write_suite where codename suite out)
    set(${out} FALSE PARENT_SCOPE)
    execute_process(
        COMMAND
            apt-get indextargets --format "$(SOURCESENTRY)|$(RELEASE)|$(COMPONENT)|" "Created-By: Packages"
        OUTPUT_VARIABLE targets
        ERROR_QUIET
    )
    if(NOT targets MATCHES "(^|\n)([^\n|]+):([0-9]+)\\|${codename}\\|main\\|")
        return()
    endif()
    set(file "${CMAKE_MATCH_2}")
    set(number "${CMAKE_MATCH_3}")
    file(READ "${file}" text)
    string(ASCII 1 mark_1)
    string(ASCII 2 mark_2)
    # Semicolons and brackets would confuse CMake's lists; sources have no use for the characters put in their place.
    string(REPLACE ";" "\t" text "${text}")
    string(REPLACE "[" "${mark_1}" text "${text}")
    string(REPLACE "]" "${mark_2}" text "${text}")
    if(file MATCHES "\\.sources$")
        # deb822: the number counts paragraphs
        string(REGEX REPLACE "(^|\n)#[^\n]*" "" text "${text}")
        string(REGEX REPLACE "\n[ \t]*\n[ \t\n]*" ";" paragraphs "${text}")
        list(TRANSFORM paragraphs STRIP)
        list(REMOVE_ITEM paragraphs "")
        math(EXPR index "${number} - 1")
        list(GET paragraphs ${index} entry)
        string(REGEX REPLACE "(^|\n)Suites:[^\n]*(\n[ \t][^\n]*)*" "\\1Suites: ${suite}" entry "${entry}")
        string(REGEX REPLACE "(^|\n)Types:[^\n]*" "\\1Types: deb" entry "${entry}")
        set(name doorbell.sources)
    else()
        # one entry per line: the number counts lines
        string(REPLACE "\n" ";" lines "${text}")
        math(EXPR index "${number} - 1")
        list(GET lines ${index} entry)
        string(REGEX REPLACE "([ \t])${codename}([ \t])" "\\1${suite}\\2" entry "${entry}")
        set(name doorbell.list)
    endif()
    string(REPLACE "${mark_1}" "[" entry "${entry}")
    string(REPLACE "${mark_2}" "]" entry "${entry}")
    if(NOT entry MATCHES "${suite}")
        return()
    endif()
    file(MAKE_DIRECTORY "${where}/parts" "${where}/lists/partial")
    file(GLOB own "/etc/apt/sources.list.d/*.list" "/etc/apt/sources.list.d/*.sources")
    foreach(path IN LISTS own)
        cmake_path(GET path FILENAME base)
        file(CREATE_LINK "${path}" "${where}/parts/${base}" SYMBOLIC)
    endforeach()
    file(WRITE "${where}/parts/${name}" "${entry}\n")
    set(${out} TRUE PARENT_SCOPE)
endfunction()

# Installs packages, some of them from the backports suite of Debian 12. Sets <out> to TRUE on success.
function(doorbell_install rights out)
    set(${out} FALSE PARENT_SCOPE)
    set(packages ${ARGN})
    set(backports "")
    doorbell_codename(codename)
    foreach(package IN LISTS packages)
        if(package IN_LIST doorbell_backports_${codename})
            list(APPEND backports ${package})
        endif()
    endforeach()
    if(backports)
        list(REMOVE_ITEM packages ${backports})
    endif()

    doorbell_apt("${rights}" result update)
    if(packages)
        doorbell_apt("${rights}" result install -y --no-install-recommends ${packages})
        if(NOT result EQUAL 0)
            return()
        endif()
    endif()
    if(backports)
        execute_process(COMMAND mktemp -d OUTPUT_VARIABLE where OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND chmod 755 "${where}") # apt fetches as a user of its own
        doorbell_write_suite("${where}" ${codename} ${codename}-backports written)
        if(NOT written)
            message(STATUS "no entry for ${codename} main among the machine's apt sources: cannot derive its backports")
            file(REMOVE_RECURSE "${where}")
            return()
        endif()
        list(JOIN backports " " text)
        message(STATUS "${text}: from ${codename}-backports of the mirror in use, with sources and lists in ${where}")
        # Lists and caches of its own: the machine's state of apt stays as it is.
        set(options
            -o Dir::Etc::sourceparts=${where}/parts
            -o Dir::State::lists=${where}/lists
            -o Dir::Cache::pkgcache=
            -o Dir::Cache::srcpkgcache=
        )
        doorbell_apt("${rights}" result ${options} update)
        doorbell_apt(
            "${rights}" result ${options} install -y --no-install-recommends -t ${codename}-backports ${backports}
        )
        if(rights STREQUAL "sudo")
            execute_process(COMMAND sudo -n rm -rf "${where}")
        else()
            file(REMOVE_RECURSE "${where}")
        endif()
        if(NOT result EQUAL 0)
            return()
        endif()
    endif()
    set(${out} TRUE PARENT_SCOPE)
endfunction()

# The text that tells a person what to install by hand.
function(doorbell_explain out)
    set(text "")
    doorbell_codename(codename)
    foreach(need IN LISTS ARGN)
        foreach(package IN LISTS doorbell_packages_${need})
            string(APPEND text "    ${package}")
            if(package IN_LIST doorbell_backports_${codename})
                string(APPEND text " (from ${codename}-backports)")
            endif()
            string(APPEND text "\n")
        endforeach()
    endforeach()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(doorbell_setup)
    set(needs ${ARGN})
    if("$ENV{DOORBELL_CROSS}" OR DOORBELL_CROSS)
        list(APPEND needs cross)
    endif()
    if(NOT DEFINED DOORBELL_SETUP)
        set(DOORBELL_SETUP "$ENV{DOORBELL_SETUP}")
    endif()

    find_program(doorbell_gcc NAMES $ENV{CXX} g++ NO_CACHE)
    if(NOT doorbell_gcc)
        message(FATAL_ERROR "doorbell: there is no C++ compiler. Install g++ 12 or later (Debian and Ubuntu: g++).")
    endif()
    execute_process(COMMAND "${doorbell_gcc}" -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(doorbell_gcc MATCHES "g\\+\\+$" AND version VERSION_LESS 12)
        message(FATAL_ERROR "doorbell: ${doorbell_gcc} is version ${version}; C++20 as used here needs g++ 12 or later.")
    endif()

    # Twice, since without a build tool nothing else can be looked for.
    foreach(round IN ITEMS 1 2)
        doorbell_find_missing("${needs}" missing)
        if(NOT missing OR (round EQUAL 2 AND NOT first_missing STREQUAL "build"))
            break()
        endif()
        set(first_missing "${missing}")

        set(packages "")
        message(STATUS "Missing on this machine:")
        foreach(need IN LISTS missing)
            list(APPEND packages ${doorbell_packages_${need}})
            list(JOIN doorbell_packages_${need} ", " names)
            message(STATUS "  ${names}: ${doorbell_reason_${need}}")
        endforeach()
        if(DOORBELL_SETUP MATCHES "^(off|OFF|0|no|false)$")
            message(STATUS "DOORBELL_SETUP=${DOORBELL_SETUP}: nothing is installed")
            set(rights "")
        else()
            doorbell_find_rights(rights)
            if(NOT rights)
                message(STATUS "apt cannot be used here (no apt-get, or neither root nor `sudo -n`)")
            endif()
        endif()
        if(rights)
            # clang and the cross compilers may not exist in this release: they go apart, so that the rest does not fail.
            set(sure ${missing})
            list(REMOVE_ITEM sure clang cross)
            set(packages "")
            foreach(need IN LISTS sure)
                list(APPEND packages ${doorbell_packages_${need}})
            endforeach()
            if(packages)
                doorbell_install("${rights}" done ${packages})
            endif()
            foreach(need IN ITEMS clang cross)
                if(need IN_LIST missing)
                    doorbell_install("${rights}" done ${doorbell_packages_${need}})
                endif()
            endforeach()
        endif()
    endforeach()
    doorbell_find_missing("${needs}" missing)

    set(configure "")
    set(clang FALSE)
    if("clang" IN_LIST needs AND NOT "clang" IN_LIST missing)
        set(clang TRUE)
    elseif("clang" IN_LIST needs)
        message(STATUS "skipped: clang 19, clang-tidy 19 and clang-format 19 are not all here; their stages do not run")
    endif()
    foreach(need IN ITEMS counting charts)
        if(need IN_LIST missing)
            list(JOIN doorbell_packages_${need} ", " names)
            message(STATUS "skipped: what needs ${names}")
        endif()
    endforeach()
    list(REMOVE_ITEM missing clang counting charts)
    if("fibers" IN_LIST missing)
        message(STATUS "skipped: Boost.Context is not here; the explorer of interleavings and its tests are not built")
        list(REMOVE_ITEM missing fibers)
    endif()

    if(missing)
        # The last resort: one commit of each, by its full id, from its own repository.
        set(fetchable TRUE)
        foreach(need IN LISTS missing)
            if(NOT DEFINED doorbell_repository_${need})
                set(fetchable FALSE)
            endif()
        endforeach()
        if(fetchable)
            list(GET missing 0 need)
            message(STATUS "asking ${doorbell_repository_${need}} whether packages can be fetched from there")
            execute_process(
                COMMAND
                    "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0 git ls-remote --exit-code
                    ${doorbell_repository_${need}} HEAD
                RESULT_VARIABLE result
                TIMEOUT 30
                OUTPUT_QUIET
                ERROR_QUIET
            )
            if(NOT result EQUAL 0)
                set(fetchable FALSE)
            endif()
        endif()
        if(NOT fetchable)
            doorbell_explain(text ${missing})
            message(
                FATAL_ERROR
                "doorbell: these packages are missing, and can be neither installed nor fetched here. Install\n${text}"
            )
        endif()
        list(JOIN missing ", " names)
        message(STATUS "${names}: fetched by commit id (this path has not been tried against the network)")
        list(APPEND configure -DDOORBELL_FETCH=ON)
    endif()

    cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
    if(NOT jobs GREATER 0)
        set(jobs 1) # nothing tells, as where /proc is not mounted
    endif()
    set(DOORBELL_SETUP_CONFIGURE "${configure}" PARENT_SCOPE)
    set(DOORBELL_CLANG ${clang} PARENT_SCOPE)
    set(DOORBELL_JOBS ${jobs} PARENT_SCOPE)
endfunction()
