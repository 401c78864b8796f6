# SPDX-License-Identifier: BSL-1.0
# Runs one firmware under QEMU, for a bounded time, and holds its sizes against the budget.
#
#   cmake -DELF=... -DCORE=cortex-m4 -DMACHINE=mps2-an386 -DQEMU=... -DSIZE=... -DBUDGET=budget.txt -P run.cmake
cmake_minimum_required(VERSION 3.25)

# Time is counted in instructions: a run is the same on every machine.
execute_process(
    COMMAND
        "${QEMU}" -M ${MACHINE} -nographic -monitor none -serial none -semihosting-config enable=on,target=native -icount
        shift=5,sleep=off -kernel "${ELF}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text
    TIMEOUT 60
)
message("${MACHINE}, ${CORE}\n${text}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ELF}: the firmware ended with ${result}")
endif()

execute_process(COMMAND "${SIZE}" "${ELF}" OUTPUT_VARIABLE sizes COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)" found "${sizes}")
set(is_text ${CMAKE_MATCH_1})
set(is_data ${CMAKE_MATCH_2})
set(is_bss ${CMAKE_MATCH_3})
string(REGEX MATCH "stack, bytes +([0-9]+)" found "${text}")
set(is_stack ${CMAKE_MATCH_1})

file(STRINGS "${BUDGET}" line REGEX "^${CORE} ")
if(NOT line MATCHES "^[^ ]+ ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)$")
    message(FATAL_ERROR "${BUDGET}: no line for ${CORE}")
endif()
set(may_text ${CMAKE_MATCH_1})
set(may_data ${CMAKE_MATCH_2})
set(may_bss ${CMAKE_MATCH_3})
set(may_stack ${CMAKE_MATCH_4})
set(over "")
foreach(part IN ITEMS text data bss stack)
    message("${part}: ${is_${part}} of ${may_${part}} bytes")
    if(NOT is_${part} LESS_EQUAL may_${part})
        list(APPEND over ${part})
    endif()
endforeach()
if(over)
    message(FATAL_ERROR "${ELF}: over the budget of ${BUDGET}: ${over}")
endif()
