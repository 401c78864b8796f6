# SPDX-License-Identifier: BSL-1.0
# A program without a standard library: compiled freestanding, linked with nothing, run. Its exit status is its verdict.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" COMPILE "${COMPILE}")

file(GLOB sources "${SOURCE_DIR}/*.cpp")
execute_process(
    COMMAND
        ${COMPILE} -ffreestanding -fno-exceptions -fno-rtti -fno-stack-protector -fno-asynchronous-unwind-tables
        -fno-pie -no-pie -nostdlib -static -Wl,-e,_start -Wl,--no-undefined ${sources} -o "${PROGRAM}"
    RESULT_VARIABLE result
)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the freestanding program does not compile or link")
endif()

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE result TIMEOUT 20)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the freestanding program ended with ${result}; its checks are numbered in ${SOURCE_DIR}")
endif()
message(STATUS "the freestanding program ran")
