/* SPDX-License-Identifier: BSL-1.0 */
#include "core.h"

C_CORE(C_PREFIX)

#define C_PASTE(a, b) a##b
#define C_JOIN(a, b) C_PASTE(a, b)
#define C_NAME(x) C_JOIN(C_PREFIX, x)

#define REG_IS 0x20u
#define REG_IE 0x24u
#define REG_DB 0x58u
#define TRANSFER 1u
#define UIC (1u << 10 | 7u << 4)
#define ERRORS (1u << 2 | 1u << 7 | 1u << 11 | 1u << 12 | 7u << 16)
#define OCS_NOT_WRITTEN 0xFu
#define BUDGET_TICKS 20000u

/* The low bits of a tag's generation: its response is late; the thread was told of it; always set, so that none is 0. */
#define LAGGING 1u
#define TOLD 2u
#define FIRST 4u
#define STEP 8u

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define inlined static inline __attribute__((always_inline))
#define rare __attribute__((noinline, cold))

/* --- Registers, clock, lock --------------------------------------------------------------------------------------- */

#if C_LOGGED == 1
inlined uint32_t get(struct c_core *core, uint32_t offset) { return logged_load(core->registers, offset); }
inlined void set(struct c_core *core, uint32_t offset, uint32_t value) { logged_store(core->registers, offset, value); }
#elif C_LOGGED == 2
inlined volatile uint32_t *at(struct c_core *core, uint32_t offset)
{
    return (volatile uint32_t *)(core->registers + offset);
}
inlined uint32_t get(struct c_core *core, uint32_t offset) { return *at(core, offset); }
inlined void set(struct c_core *core, uint32_t offset, uint32_t value)
{
    if (offset == REG_IS)
        *at(core, offset) &= ~value;
    else if (offset == REG_DB)
        *at(core, offset) |= value;
    else
        *at(core, offset) = value;
}
#else
inlined uint32_t get(struct c_core *core, uint32_t offset) { return *(volatile uint32_t *)(core->registers + offset); }
inlined void set(struct c_core *core, uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(core->registers + offset) = value;
}
#endif

inlined void barrier(void) { __asm__ volatile("" ::: "memory"); }

#ifdef C_CLOCK
inlined uint64_t now(void) { return C_CLOCK; }
#else
inlined uint64_t now(void) { return fake_clock; }
#endif

#if C_SPIN
inlined void lock(struct c_core *core)
{
    while (unlikely(__atomic_exchange_n(&core->lock, 1u, __ATOMIC_ACQUIRE) != 0))
        while (__atomic_load_n(&core->lock, __ATOMIC_RELAXED) != 0)
            __builtin_ia32_pause();
}
inlined void unlock(struct c_core *core) { __atomic_store_n(&core->lock, 0u, __ATOMIC_RELEASE); }
#else
inlined void lock(struct c_core *core) { (void)core; }
inlined void unlock(struct c_core *core) { (void)core; }
#endif

/* --- Start and submit --------------------------------------------------------------------------------------------- */

void C_NAME(start)(struct c_core *core, uint32_t usable, uint32_t causes)
{
    lock(core);
    core->usable = usable;
    core->barred = ~usable;
    core->why_barred = C_OUT_OF_RANGE;
    core->generation = FIRST;
    core->phase = C_RUNNING;
    core->until_look = 64;
    core->enabled = causes;
    set(core, REG_IE, causes);
    unlock(core);
}

static rare uint32_t refusal(struct c_core *core, uint32_t tags)
{
    if (tags & ~core->usable)
        return core->why_barred == C_NOT_STARTED ? C_NOT_STARTED : C_OUT_OF_RANGE;
    return core->barred == ~0u ? core->why_barred : C_BUSY;
}

static rare struct c_submitted refuse(struct c_core *core, uint32_t why)
{
    struct c_submitted result = {why, 0};
    ++core->refused;
    return result;
}

struct c_submitted C_NAME(submit)(struct c_core *core, uint32_t tag)
{
    struct c_submitted result = {C_ACCEPTED, 0};
    uint32_t bit = 1u << (tag & 31), generation, why;

    if (unlikely(tag >= C_SLOTS))
        return refuse(core, C_OUT_OF_RANGE);
    lock(core);
    if (unlikely((core->barred & bit) || core->generation_of[tag])) {
        why = refusal(core, bit);
        unlock(core);
        return refuse(core, why);
    }
    core->outstanding |= bit;
    core->generation = generation = core->generation + STEP;
    core->generation_of[tag] = generation;
    barrier();
    set(core, REG_DB, bit);
    unlock(core);
    result.generation = generation;
    return result;
}

static rare struct c_submitted submit_nothing(struct c_core *core)
{
    struct c_submitted result = {C_ACCEPTED, 0};
    uint32_t why = 0;

    lock(core);
    if (core->barred == ~0u)
        why = core->why_barred;
    unlock(core);
    return why ? refuse(core, why) : result;
}

struct c_submitted C_NAME(submit_set)(struct c_core *core, uint32_t tags)
{
    struct c_submitted result = {C_ACCEPTED, 0};
    uint32_t generation, left, why;

    if (unlikely(tags == 0))
        return submit_nothing(core);
    lock(core);
    if (unlikely(core->barred & tags))
        goto refused;
    left = tags;
    do
        if (unlikely(core->generation_of[__builtin_ctz(left)]))
            goto refused;
    while (left &= left - 1);
    core->outstanding |= tags;
    core->generation = generation = core->generation + STEP;
    left = tags;
    do {
        unsigned tag = (unsigned)__builtin_ctz(left);
        core->generation_of[tag] = generation;
        } while (left &= left - 1);
    barrier();
    set(core, REG_DB, tags);
    unlock(core);
    result.generation = generation;
    return result;
refused:
    why = refusal(core, tags);
    unlock(core);
    return refuse(core, why);
}

/* --- Completion --------------------------------------------------------------------------------------------------- */

static rare void count_unknown(struct c_core *core, uint32_t tags)
{
    core->unknown += (uint32_t)__builtin_popcount(tags);
}

/* With the lock held: one reading of the doorbell. Returns what the caller now owns. */
inlined uint32_t claim(struct c_core *core, uint32_t *unknown)
{
    uint32_t outstanding = core->outstanding, busy = get(core, REG_DB), fresh = outstanding & ~busy;

    barrier();
    *unknown = busy & ~outstanding;
    if (unlikely(*unknown))
        *unknown &= ~core->closing;
    core->outstanding = outstanding & busy;
    fresh |= core->parked;
    core->parked = 0;
    return fresh;
}

/* Parks what is left; tells whether somebody has to be woken. */
static rare unsigned park(struct c_core *core, uint32_t unasked, uint32_t lagging)
{
    unsigned wake = unasked != 0;

    lock(core);
    core->parked |= unasked | lagging;
    for (; lagging; lagging &= lagging - 1) {
        uint32_t *generation = &core->generation_of[__builtin_ctz(lagging)];
        wake |= (*generation & TOLD) == 0;
        *generation |= LAGGING | TOLD;
    }
    if (wake)
        core->wake = 1;
    unlock(core);
    return wake ? C_WAKE : C_NONE;
}

inlined int complete_one(struct c_core *core, struct c_disk *disk, uint32_t batch)
{
    unsigned tag = (unsigned)__builtin_ctz(batch);
    uint32_t outcome = *(volatile uint32_t *)&disk->list[tag].word[2] & 0xFF;

    if (unlikely(outcome == OCS_NOT_WRITTEN))
        return 0;
    core->generation_of[tag] = 0;
    disk_completed(disk, tag, outcome);
    return 1;
}

/* Everything in `batch`, which is not empty; returns what has no response yet. */
inlined uint32_t complete_all(struct c_core *core, struct c_disk *disk, uint32_t batch, uint32_t lagging)
{
    do
        if (unlikely(!complete_one(core, disk, batch)))
            lagging |= batch & -batch;
    while (batch &= batch - 1);
    return lagging;
}

static rare unsigned hand_over(struct c_core *core, uint32_t unasked, uint32_t lagging)
{
    if (core->no_threads) {
        if (unasked)
            lagging = complete_all(core, core->disk, unasked, lagging);
        unasked = 0;
    }
    return park(core, unasked, lagging);
}

/* As long as the budget lasts. The clock is read when more than one waits, and then after every completion, or between
 * windows of C_STRIDE tags, in which nothing is counted. */
inlined unsigned complete_in_budget(struct c_core *core, uint32_t batch)
{
    struct c_disk *disk = core->disk;
    uint32_t lagging = 0;
    uint64_t end = 0;
#if C_STRIDE > 1
    uint32_t window = batch;
#endif

    if (batch & (batch - 1)) {
        end = now() + BUDGET_TICKS;
#if C_STRIDE > 1
        window = batch & (((1u << C_STRIDE) - 1) << __builtin_ctz(batch));
#endif
    }
    for (;;) {
#if C_STRIDE > 1
        batch &= ~window;
        lagging = complete_all(core, disk, window, lagging);
        window = batch;
        if (batch == 0)
            break;
#else
        if (unlikely(!complete_one(core, disk, batch)))
            lagging |= batch & -batch;
        batch &= batch - 1;
        if (batch == 0)
            break;
#endif
        if ((int64_t)(now() - end) >= 0)
            break;
    }
    return likely((batch | lagging) == 0) ? C_NONE : hand_over(core, batch, lagging);
}

/* --- The hard handler --------------------------------------------------------------------------------------------- */

static rare unsigned vanished(struct c_core *core)
{
    lock(core);
    core->phase = C_VANISHED;
    core->enabled = 0;
    core->wake = 1;
    core->barred = ~0u;
    core->why_barred = C_GONE_AWAY;
    unlock(core);
    ++core->gone;
    return C_HANDLED | C_WAKE | C_GONE;
}

static rare unsigned without_cause(struct c_core *core)
{
    ++core->spurious;
    return C_NONE;
}

static rare unsigned other_causes(struct c_core *core, uint32_t causes)
{
    uint32_t later = causes & ERRORS;

    if (causes & ~(UIC | ERRORS))
        ++core->unhandled;
    if (causes & UIC)
        disk_uic_done(core->disk, causes & UIC);
    if (!later)
        return C_NONE;
    lock(core);
    core->recorded |= later;
    core->wake = 1;
    unlock(core);
    return C_WAKE;
}

unsigned C_NAME(irq)(struct c_core *core)
{
    uint32_t enabled = core->enabled, status, causes, unknown, batch;
    unsigned result = C_HANDLED;

    if (enabled == 0)
        return C_NONE;
    status = get(core, REG_IS);
    if (unlikely(status == ~0u))
        return vanished(core);
    causes = status & enabled;
    if (unlikely(causes == 0))
        return without_cause(core);
    set(core, REG_IS, causes);
    if (unlikely(causes & ~TRANSFER))
        result |= other_causes(core, causes & ~TRANSFER);
    if (likely(causes & TRANSFER)) {
        lock(core);
        batch = claim(core, &unknown);
        unlock(core);
        if (unlikely(unknown))
            count_unknown(core, unknown);
        if (batch)
            result |= complete_in_budget(core, batch);
    }
    return result;
}

/* --- The same in the optimistic order --------------------------------------------------------------------------------- */

#define LOOK_EVERY 64

static rare unsigned look_at_status(struct c_core *core, unsigned result, uint32_t batch, uint32_t since)
{
    uint32_t status, causes;

    core->until_look = LOOK_EVERY;
    status = get(core, REG_IS);
    if (status == ~0u)
        return result | vanished(core);
    causes = status & core->enabled;
    if (causes & ~TRANSFER) {
        set(core, REG_IS, causes & ~TRANSFER);
        return result | other_causes(core, causes & ~TRANSFER);
    }
    if (!batch && !causes && !since)
        return without_cause(core);
    return result;
}

/* Acknowledges the cause of transfers without having read it. */
unsigned C_NAME(irq_optimistic)(struct c_core *core)
{
    uint32_t enabled = core->enabled, unknown, batch, since;
    unsigned result = C_HANDLED;

    if (enabled == 0)
        return C_NONE;
    if (unlikely(!(enabled & TRANSFER)))
        return C_NAME(irq)(core);
    set(core, REG_IS, TRANSFER);
    lock(core);
    batch = claim(core, &unknown);
    since = core->claimed_since;
    core->claimed_since = 0;
    unlock(core);
    if (unlikely(unknown))
        count_unknown(core, unknown);
    if (likely(batch)) {
        result |= complete_in_budget(core, batch);
        if (likely(--core->until_look != 0 && core->expected == 0))
            return result;
    }
    return look_at_status(core, result, batch, since);
}

/* --- Thread and poll ---------------------------------------------------------------------------------------------- */

static rare unsigned park_lagging(struct c_core *core, uint32_t lagging, uint32_t marks)
{
    lock(core);
    core->parked |= lagging;
    for (; lagging; lagging &= lagging - 1)
        core->generation_of[__builtin_ctz(lagging)] |= marks;
    unlock(core);
    return C_RETRY;
}

inlined unsigned serve(struct c_core *core, int recorded_too)
{
    uint32_t causes = 0, unknown = 0, batch;
    unsigned result = C_IDLE;

    lock(core);
    if (recorded_too) {
        core->wake = 0;
        causes = core->recorded;
        core->recorded = 0;
    }
    if (likely(core->phase == C_RUNNING)) {
        batch = claim(core, &unknown);
    } else {
        batch = core->parked;
        core->parked = 0;
    }
#if C_OPTIMISTIC
    core->claimed_since |= batch != 0;
#endif
    unlock(core);
    if (unlikely(unknown))
        count_unknown(core, unknown);
    if (recorded_too && unlikely(causes & UIC))
        disk_uic_done(core->disk, causes & UIC);
    if (recorded_too && unlikely(causes & ERRORS))
        disk_link_error(core->disk, causes & ERRORS);
    if (batch) {
        batch = complete_all(core, core->disk, batch, 0);
        if (unlikely(batch))
            result = park_lagging(core, batch, recorded_too ? LAGGING | TOLD : LAGGING);
    }
    if (core->wake)
        result |= C_AGAIN;
    return result;
}

unsigned C_NAME(thread)(struct c_core *core) { return serve(core, 1); }
unsigned C_NAME(poll)(struct c_core *core) { return serve(core, 0); }
