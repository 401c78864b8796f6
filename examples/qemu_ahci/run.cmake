# SPDX-License-Identifier: BSL-1.0
# Builds the firmware, runs it REPEATS times on a fresh disk image each, and looks at the image afterwards.
cmake_minimum_required(VERSION 3.25)

find_program(compiler NAMES aarch64-linux-gnu-g++ NO_CACHE)
find_program(emulator NAMES qemu-system-aarch64 NO_CACHE)
if(NOT compiler OR NOT emulator)
    message(STATUS "doorbell: skipped, it needs aarch64-linux-gnu-g++ and qemu-system-aarch64")
    return()
endif()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
# No floating point, so that an interrupt saves few registers; without an MMU all memory is like a device's, and strict.
execute_process(
    COMMAND
        "${compiler}" -std=c++20 -O2 -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics
        -mgeneral-regs-only -mno-outline-atomics -mstrict-align -fno-stack-protector -fno-pic -fno-pie -no-pie -static
        -nostdlib -Wl,--build-id=none -I "${INCLUDE}" -T "${SOURCE}/../arm64_virt/layout.ld" "${SOURCE}/../arm64_virt/start.S" "${SOURCE}/firmware.cpp"
        -o "${WORK}/firmware.elf"
    COMMAND_ERROR_IS_FATAL ANY
)
foreach(n RANGE 1 ${REPEATS})
    file(REMOVE "${WORK}/disk.img")
    execute_process(COMMAND truncate -s 16M "${WORK}/disk.img" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(
        COMMAND
            "${emulator}" -M virt,gic-version=2,highmem=off -cpu cortex-a53 -m 128M -nodefaults -display none -serial stdio
            -semihosting-config enable=on,target=native -kernel "${WORK}/firmware.elf" -drive
            "file=${WORK}/disk.img,if=none,id=disk,format=raw" -device ich9-ahci,id=sata -device
            ide-hd,drive=disk,bus=sata.0
        TIMEOUT 60
        RESULT_VARIABLE result
        OUTPUT_VARIABLE report
        ERROR_VARIABLE report
    )
    if(NOT result EQUAL 0 OR NOT report MATCHES "PASSED")
        message(FATAL_ERROR "run ${n} ended with ${result}\n${report}")
    endif()
    execute_process(COMMAND "${CHECK}" "${WORK}/disk.img" RESULT_VARIABLE result OUTPUT_VARIABLE text)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "run ${n}: the image is not what was written: ${text}")
    endif()
endforeach()
message(STATUS "${REPEATS} runs; the last:\n${report}")
