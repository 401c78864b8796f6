/* SPDX-License-Identifier: BSL-1.0 */
#ifndef DOORBELL_BENCHMARKS_C_CORE_H
#define DOORBELL_BENCHMARKS_C_CORE_H

/* The hot path of a UFS host controller driver in plain C, by hand: what the composed core is measured against.
 *
 * It does the same steps on the same registers in the same order as
 *   host<ufshci, disk, mmio_bank, counter<1 ns>, time_budget<20'000, every<C_STRIDE>>, C_LOCK, handlers<...>>
 * and passes the same behaviour tests with the same log of register accesses. It may use whatever a C programmer who
 * counts instructions would use; it may not leave a step out.
 *
 * One compilation gives one variant:
 *   C_PREFIX   of its functions' names
 *   C_SPIN     1: a spin lock, 0: none
 *   C_STRIDE   completions between two readings of the clock
 *   C_LOGGED   1: registers are reached through functions of the test, 0: at an address, 2: in memory that behaves like
 *              registers, for comparisons with loops that look whether their acknowledgement has helped
 *   C_OPTIMISTIC 1: for irq_optimistic, polls and thread runs leave word that they have claimed
 *   C_CLOCK    what reads the clock, if not the test's
 */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { C_SLOTS = 32 };
enum { C_NONE = 0, C_HANDLED = 1, C_WAKE = 2, C_GONE = 4 };      /* of the hard handler */
enum { C_IDLE = 0, C_AGAIN = 1, C_RETRY = 2 };                   /* of thread and poll */
enum { C_ACCEPTED, C_BUSY, C_OUT_OF_RANGE, C_NOT_STARTED, C_GONE_AWAY = 7 };
enum { C_STOPPED, C_RUNNING, C_VANISHED };                       /* phases */

struct c_descriptor {
    uint32_t word[8];
};

struct c_disk {
    struct c_descriptor list[C_SLOTS];
    void *self; /* the test's */
};

/* The driver's callbacks, in a file of their own. */
void disk_completed(struct c_disk *disk, unsigned tag, uint32_t outcome);
void disk_uic_done(struct c_disk *disk, uint32_t causes);
void disk_link_error(struct c_disk *disk, uint32_t causes);

/* A clock of 1 ns that moves when the test says so. */
extern volatile uint64_t fake_clock;

/* Registers, where C_LOGGED. */
uint32_t logged_load(void *registers, uint32_t offset);
void logged_store(void *registers, uint32_t offset, uint32_t value);

struct c_core {
    struct c_disk *disk;
    unsigned char *registers;
    uint32_t outstanding, parked, barred, generation;
    uint32_t generation_of[C_SLOTS]; /* 0: the tag is free, its callback has begun */
    uint32_t closing, usable, why_barred, lock;
    uint32_t enabled, phase, no_threads, recorded, wake;
    uint32_t until_look, expected, claimed_since; /* for the optimistic order */
    uint32_t unknown, unhandled, spurious, gone, refused;
};

/* Status in one register, generation in the other. */
struct c_submitted {
    uintptr_t status, generation;
};

#define C_CORE(prefix) C_FUNCTIONS(prefix)
#define C_FUNCTIONS(prefix)                                                                                               \
    void prefix##start(struct c_core *core, uint32_t usable, uint32_t causes);                                         \
    struct c_submitted prefix##submit(struct c_core *core, uint32_t tag);                                              \
    struct c_submitted prefix##submit_set(struct c_core *core, uint32_t set);                                          \
    unsigned prefix##irq(struct c_core *core);                                                                         \
    unsigned prefix##thread(struct c_core *core);                                                                      \
    unsigned prefix##poll(struct c_core *core);                                                                        \
    unsigned prefix##irq_optimistic(struct c_core *core);

/* The loop alone: nothing but the callbacks of a word, lowest bit first. */
void counted_bare_loop(struct c_disk *disk, uint32_t batch);

#ifdef __cplusplus
}
#endif

#endif
