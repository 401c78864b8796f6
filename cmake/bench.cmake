# SPDX-License-Identifier: BSL-1.0
# Builds and runs the benchmarks, and leaves tables, JSON and charts in build/bench-<compiler>/results:
#
#   cmake -P cmake/bench.cmake                the full run, with GCC and, where there is one, clang 19
#   cmake -P cmake/bench.cmake -- quick       one short repetition of everything
#   cmake -P cmake/bench.cmake -- gcc clang   only these compilers
#
# Counts are exact and judged; times are medians of interleaved repetitions and judged by nobody but the reader.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

doorbell_arguments(arguments)
set(quick "")
set(compilers "")
foreach(argument IN LISTS arguments)
    if(argument STREQUAL "quick")
        set(quick --quick)
    elseif(argument MATCHES "^(gcc|clang)$")
        list(APPEND compilers ${argument})
    else()
        message(FATAL_ERROR "doorbell: unknown argument ${argument}; known: quick, gcc, clang")
    endif()
endforeach()
doorbell_setup(build range-v3 benchmark clang counting charts)
if(NOT compilers)
    set(compilers gcc)
    if(DOORBELL_CLANG)
        list(APPEND compilers clang)
    endif()
endif()
set(cxx_gcc g++)
set(cxx_clang clang++-19)
find_program(gnuplot gnuplot)

function(must)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${doorbell_root}" RESULT_VARIABLE result INPUT_FILE /dev/null)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "doorbell: failed with ${result}: ${line}")
    endif()
endfunction()

set(failed "")
foreach(compiler IN LISTS compilers)
    set(build "${doorbell_root}/build/bench-${compiler}")
    set(results "${build}/results")
    file(MAKE_DIRECTORY "${results}")
    must(
        "${CMAKE_COMMAND}" -S . -B "${build}" ${DOORBELL_SETUP_CONFIGURE} -DCMAKE_BUILD_TYPE=Release
        -DCMAKE_CXX_COMPILER=${cxx_${compiler}} -DCMAKE_CXX_EXTENSIONS=OFF -DDOORBELL_TESTS=OFF -DDOORBELL_EXAMPLES=OFF
        -DDOORBELL_INSTALL=OFF
    )
    must("${CMAKE_COMMAND}" --build "${build}" --parallel ${DOORBELL_JOBS})

    # Exact figures
    file(STRINGS "${build}/CMakeCache.txt" cxx REGEX "^CMAKE_CXX_COMPILER:")
    string(REGEX REPLACE "^[^=]*=" "" cxx "${cxx}")
    file(GLOB facts "${build}/CMakeFiles/*/CMakeCXXCompiler.cmake")
    list(GET facts 0 facts)
    include("${facts}")
    execute_process(
        COMMAND
            "${CMAKE_COMMAND}" "-DCXX=${cxx}" "-DCOMPILER=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}"
            "-DROOT=${doorbell_root}" "-DWORK=${results}/counted" -P "${doorbell_root}/tests/counts/counts.cmake"
        RESULT_VARIABLE result
    )
    if(NOT result EQUAL 0)
        list(APPEND failed "${compiler}: counts")
    endif()
    if(EXISTS "${results}/counted/counts.json")
        file(COPY_FILE "${results}/counted/counts.json" "${results}/counts.json")
    endif()

    # Times
    file(GLOB programs "${build}/benchmarks/bench_*")
    foreach(program IN LISTS programs)
        if(NOT IS_DIRECTORY "${program}")
            execute_process(COMMAND "${program}" "--tables=${results}" ${quick} RESULT_VARIABLE result)
            if(NOT result EQUAL 0)
                list(APPEND failed "${compiler}: ${program}")
            endif()
        endif()
    endforeach()

    # Charts
    file(GLOB tables "${results}/*.tsv")
    foreach(table IN LISTS tables)
        if(NOT gnuplot)
            break()
        endif()
        cmake_path(GET table STEM LAST_ONLY name)
        string(REPLACE "_" " " title "${name}")
        file(STRINGS "${table}" heading LIMIT_COUNT 1)
        string(REPLACE "\t" ";" columns "${heading}")
        list(LENGTH columns count)
        file(
            WRITE "${results}/${name}.gnuplot"
            "# SPDX-License-Identifier: BSL-1.0\n"
            "set terminal svg size 900,500 background 'white'\n"
            "set output '${results}/${name}.svg'\n"
            "set datafile separator '\\t'\n"
            "set title '${title}'\nset xlabel 'finished requests'\nset ylabel 'ns for each completion'\n"
            "set logscale x 2\nset logscale y\nset key outside right\nset grid\n"
            "plot for [i=2:${count}] '${table}' using 1:i with linespoints title columnheader(i)\n"
        )
        execute_process(COMMAND "${gnuplot}" "${results}/${name}.gnuplot" RESULT_VARIABLE result)
        if(NOT result EQUAL 0)
            list(APPEND failed "${compiler}: chart ${name}")
        endif()
    endforeach()
    if(NOT gnuplot)
        message(STATUS "skipped: charts, there is no gnuplot")
    endif()
    message(STATUS "${compiler}: tables (JSON, TSV) and charts (SVG) are in ${results}")
endforeach()
if(failed)
    list(JOIN failed ", " text)
    message(FATAL_ERROR "doorbell: failed: ${text}")
endif()
