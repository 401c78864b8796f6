# SPDX-License-Identifier: BSL-1.0
# Builds the firmware. In each mode, runs it REPEATS times on a fresh disk image each, looking at the image afterwards;
# then once on a disk without delay, where it counts its register accesses, which must be those that QEMU saw.
cmake_minimum_required(VERSION 3.25)

find_program(compiler NAMES aarch64-linux-gnu-g++ NO_CACHE)
find_program(emulator NAMES qemu-system-aarch64 NO_CACHE)
if(NOT compiler OR NOT emulator)
    message(STATUS "doorbell: skipped, it needs aarch64-linux-gnu-g++ and qemu-system-aarch64")
    return()
endif()
execute_process(COMMAND "${emulator}" -device help OUTPUT_VARIABLE devices)
if(NOT devices MATCHES "\"ufs\"")
    message(STATUS "doorbell: skipped, this QEMU has no UFS device; it came with 8.2")
    return()
endif()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
# No floating point, so that an interrupt saves few registers; without an MMU all memory is like a device's, and strict.
execute_process(
    COMMAND
        "${compiler}" -std=c++20 -O2 -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics
        -mgeneral-regs-only -mno-outline-atomics -mstrict-align -fno-stack-protector -fno-pic -fno-pie -no-pie -static
        -nostdlib -Wl,--build-id=none -I "${INCLUDE}" -T "${SOURCE}/../arm64_virt/layout.ld"
        "${SOURCE}/../arm64_virt/start.S" "${SOURCE}/firmware.cpp" -o "${WORK}/firmware.elf"
    COMMAND_ERROR_IS_FATAL ANY
)

# Runs the firmware with a disk. Sets report.
function(run what controller disk)
    execute_process(
        COMMAND
            "${emulator}" -M virt-8.2,gic-version=2,highmem=off -cpu cortex-a53 -m 128M -nodefaults -display none -serial
            stdio -semihosting-config enable=on,target=native,arg=${what} -kernel "${WORK}/firmware.elf" -device
            ${controller} -device ufs-lu,bus=ufs0,drive=disk,lun=0 -drive "${disk}" ${ARGN}
        TIMEOUT 60
        RESULT_VARIABLE result
        OUTPUT_VARIABLE text
        ERROR_VARIABLE text
    )
    if(NOT result EQUAL 0 OR NOT text MATCHES "PASSED")
        message(FATAL_ERROR "${what} ended with ${result}\n${text}")
    endif()
    set(report "${text}" PARENT_SCOPE)
endfunction()

# Both jobs in one mode, whose names begin with <prefix>.
function(try prefix controller)
    foreach(n RANGE 1 ${REPEATS})
        file(REMOVE "${WORK}/disk.img")
        execute_process(COMMAND truncate -s 64M "${WORK}/disk.img" COMMAND_ERROR_IS_FATAL ANY)
        run(${prefix}image ${controller} "file=${WORK}/disk.img,if=none,id=disk,format=raw")
        execute_process(COMMAND "${CHECK}" "${WORK}/disk.img" RESULT_VARIABLE result OUTPUT_VARIABLE text)
        if(NOT result EQUAL 0)
            message(FATAL_ERROR "${prefix}image, run ${n}: the image is not what was written: ${result} ${text}")
        endif()
    endforeach()
    file(REMOVE "${WORK}/disk.img")
    message(STATUS "${REPEATS} runs of ${prefix}image; the last:\n${report}")

    set(disk "driver=null-co,size=64M,read-zeroes=on,if=none,id=disk")
    run(${prefix}economy ${controller} "${disk}" -trace ufs_mmio_read -trace ufs_mmio_write -D "${WORK}/trace")
    message(STATUS "${prefix}economy:\n${report}")
    foreach(kind IN ITEMS read write)
        file(STRINGS "${WORK}/trace" seen REGEX "ufs_mmio_${kind} ")
        list(LENGTH seen seen)
        if(NOT report MATCHES "register ${kind}s +${seen}\n")
            message(FATAL_ERROR "QEMU saw ${seen} ${kind}s of registers, and the firmware counted others")
        endif()
        message(STATUS "QEMU saw ${seen} ${kind}s of registers, as the firmware counted")
    endforeach()
    file(REMOVE "${WORK}/trace")
endfunction()

try("" ufs,id=ufs0,serial=x,nutrs=32)
execute_process(COMMAND "${emulator}" -device ufs,help OUTPUT_VARIABLE properties)
if(properties MATCHES "mcq")
    try(queue- ufs,id=ufs0,serial=x,nutrs=32,mcq=on,mcq-maxq=1)
else()
    message(STATUS "left out: multi-queue mode, which this QEMU's device does not know")
endif()
