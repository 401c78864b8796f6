// SPDX-License-Identifier: BSL-1.0
// Reset entry and exception vectors. Interrupts arrive at the same level, on the same stack.
    .section .text.start, "ax"
    .global _start
_start:
    ldr x0, =stack_top
    mov sp, x0
    ldr x0, =vectors
    msr vbar_el1, x0
    isb
    bl firmware
    bl leave

    .macro unexpected
    .balign 128
    mrs x0, esr_el1
    mrs x1, elr_el1
    mrs x2, far_el1
    b faulted
    .endm

    .balign 2048
vectors:
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    .balign 128
    b interrupted
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected
    unexpected

interrupted:
    sub sp, sp, #192
    stp x0, x1, [sp, #0]
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp x8, x9, [sp, #64]
    stp x10, x11, [sp, #80]
    stp x12, x13, [sp, #96]
    stp x14, x15, [sp, #112]
    stp x16, x17, [sp, #128]
    stp x18, x30, [sp, #144]
    mrs x0, elr_el1
    mrs x1, spsr_el1
    stp x0, x1, [sp, #160]
    bl on_interrupt
    ldp x0, x1, [sp, #160]
    msr elr_el1, x0
    msr spsr_el1, x1
    ldp x0, x1, [sp, #0]
    ldp x2, x3, [sp, #16]
    ldp x4, x5, [sp, #32]
    ldp x6, x7, [sp, #48]
    ldp x8, x9, [sp, #64]
    ldp x10, x11, [sp, #80]
    ldp x12, x13, [sp, #96]
    ldp x14, x15, [sp, #112]
    ldp x16, x17, [sp, #128]
    ldp x18, x30, [sp, #144]
    add sp, sp, #192
    eret
