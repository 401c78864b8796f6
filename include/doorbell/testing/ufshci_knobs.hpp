// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <cstddef>
#include <cstdint>

namespace doorbell::testing {

/// How the interrupt output behaves.
enum class line_kind : std::uint8_t {
    level,    ///< asserted as long as IS & IE is not 0
    edge,     ///< one pulse per IS bit that goes 0 to 1 while enabled
    edge_line ///< one pulse when IS & IE as a whole goes from 0 to not 0 (a message made from a level line)
};

/// Which of the two effects of a finished request comes first.
enum class completion_order : std::uint8_t { is_before_doorbell, doorbell_before_is };

/// Polarity of UTRLCLR and UTMRLCLR.
enum class clear_polarity : std::uint8_t {
    write_0_clears, ///< the standard
    write_1_clears  ///< quirk of some hosts
};

/// Whether the host has interrupt aggregation.
enum class aggregation_mode : std::uint8_t {
    absent, ///< UTRIACR ignores writes and reads 0
    present
};

/// How long a request takes from its ring.
enum class latency_kind : std::uint8_t {
    manual,  ///< until `finish()` is called
    fixed,   ///< `latency_ns`
    uniform, ///< `latency_ns` to `latency_max_ns`, repeatable from `seed`
    list     ///< `latency_list[n % latency_list_size]` for the n-th request (also for recorded latencies)
};

/// Everything the standard leaves open, real hosts do differently, or a test wants broken; one plain struct. Defaults
/// are the standard as far as it is known, and a quick, quiet device: immediate effects, nothing lagging.
/// Times are nanoseconds of virtual time. `impossible(knobs)` names a contradiction.
struct ufshci_knobs {
    // What the host is.
    std::uint32_t nutrs = 32;       ///< transfer slots, 1 to 32
    std::uint32_t nutmrs = 8;       ///< task management slots, 1 to 8
    std::uint32_t queues = 0;       ///< completion and submission queues; 0: no multi-queue mode, at most 32
    std::uint32_t version = 0x400;  ///< VER
    std::uint32_t product = 0;      ///< HCPID
    std::uint32_t manufacturer = 0; ///< HCMID
    std::uint32_t cap_extra = 0;    ///< further bits of CAP and MCQCAP
    std::uint32_t mcqcap_extra = 0;
    std::uint32_t queue_depth = 32; ///< requests that all queues together keep in the device (MAC), 1 to 64

    // Interrupt line.
    line_kind line = line_kind::level;
    bool masked_bits_latch = true; ///< IS bits latch while disabled in IE
    bool pulse_on_enable = false;  ///< edge kinds: enabling a cause that is already set pulses
    std::uint64_t line_lag = 0;    ///< the interrupt chip sees a fall this late, or after the next read (0: at once)

    // Transfer and task lists.
    completion_order order = completion_order::is_before_doorbell;
    std::uint64_t order_gap = 0;         ///< time between the two effects when the device runs by itself
    std::uint64_t ocs_lag = 0;           ///< the status lands in the descriptor this long after the doorbell cleared
    bool ocs_stuck = false;              ///< the status never lands by itself; `write_status()` lands it
    bool sets_cnr = true;                ///< completion notification exists (3.0 and later)
    bool interrupt_bit_required = false; ///< without aggregation, only descriptors with I = 1 interrupt
    bool failure_interrupts = true;      ///< a status other than success interrupts whatever I and aggregation say
    clear_polarity polarity = clear_polarity::write_0_clears;
    std::uint64_t clear_latency = 0; ///< time until a clear takes effect
    bool clear_never = false;        ///< a clear never takes effect
    bool clear_requires_run = true;  ///< a clear is ignored while the list is stopped
    bool clear_present = true;       ///< false: slot clear is not implemented
    bool tasks_present = true;       ///< false: no task management list
    bool run_required = true;        ///< a ring is ignored while RSR or HCE is 0
    bool run_needs_ready = true;     ///< setting RSR needs HCE and the ready bit in HCS
    bool stop_drops = true;          ///< RSR 1 to 0 drops what is in flight; false: it only stops new rings
    bool disable_drops = true;       ///< HCE 1 to 0 drops what is in flight and clears the doorbells
    bool enable_resets = true;       ///< HCE 0 to 1 puts the registers back to their reset values
    std::uint64_t enable_latency = 0;
    bool high_bits_stick = true;        ///< a doorbell bit at or above `nutrs`, once written, never clears
    std::uint32_t phantom_doorbell = 0; ///< doorbell bits that read 1 although nobody rang
    std::uint32_t stale_cnr = 0;        ///< CNR at power-on

    bool task_manual = false;       ///< task requests finish when `finish_task()` is called
    std::uint64_t task_latency = 0; ///< time a task request takes

    // Aggregation.
    aggregation_mode aggregation = aggregation_mode::present;
    bool aggregation_timer = true;        ///< the IATOVAL timer works
    bool counter_reset_forbidden = false; ///< writing CTR is a fault: HCFES

    // UIC.
    std::uint64_t uic_latency = 0;        ///< time until UCCS
    std::uint64_t uic_second_latency = 0; ///< from UCCS to UHES, UHXS or UPMS
    bool uic_manual = false;              ///< commands finish when `finish_uic()` is called
    bool uic_attributes = true;           ///< false: GET and SET answer with result 1
    bool uic_local_result = false;        ///< hibernate leaves UPMCRS = 1 (local) instead of 0 (ok)
    bool uic_masks_opcode = true;         ///< only 7:0 of UICCMD are kept; false: the register keeps nothing
    bool starts_linked = false;           ///< the device is present and both lists are ready without link start-up

    // Multi-queue mode.
    std::uint64_t post_latency = 0; ///< from the finished request to its entry in the completion queue
    bool post_manual = false;       ///< entries wait in the host until `post()` is called
    bool cqie_gates = true;         ///< CQIS reaches IS.CQES only where CQIE enables it
    bool queue_runtime = true;      ///< SQRTC, SQCTI, SQRTS, SQIS, CQIE and CQIACR exist
    bool summary_reasserts = false; ///< IS.CQES stands again at once while an enabled CQIS is set: ack the child first
    std::uint64_t stop_latency = 0; ///< from SQRTC.STOP to SQRTS.STS
    std::uint64_t cleanup_latency = 0; ///< from SQRTC.ICU to SQRTS.CUS
    bool cleanup_never = false;

    // Bus.
    bool posted_writes = false;         ///< a write lands no later than the next read of the bank
    std::uint64_t posted_delay = 1'000; ///< a posted write lands by itself after this time
    bool weak_bus = false;              ///< with posted_writes: only a read of the same register pushes
    std::uint64_t gone_after = 0;       ///< from this access on (counted from 1) reads give all ones; 0: never
    std::uint64_t clock_off_after = 0;  ///< from this access on reads give 0; 0: never
    std::uint32_t garbage = 0; ///< seed of the values of reserved bits in configuration registers; 0: they read 0

    // Memory of the machine.
    std::size_t memory_bytes = 0x10000; ///< byte array that both sides see; 0: the device touches no memory
    std::uint64_t memory_base = 0;      ///< bus address of its first byte
    bool memory_needs_barriers = false; ///< bytes cross only at before_doorbell() and after_done()
    bool dma_needs_sync = false;        ///< bytes cross only by for_device() and for_cpu() of that tag
    bool check_descriptors = true;      ///< a ring whose descriptor does not say "not written yet" is an error

    // Device.
    latency_kind latency = latency_kind::manual;
    std::uint64_t latency_ns = 0, latency_max_ns = 0;
    std::uint64_t const* latency_list = nullptr;
    std::size_t latency_list_size = 0;
    std::uint32_t parallel = 64; ///< requests the device works on at once; the others wait in order
    std::uint64_t seed = 1;
    std::uint32_t blocks = 0;       ///< blocks of the write cache model; 0: none
    bool write_cache = true;        ///< writes are acknowledged from the cache
    bool reset_drops_cache = false; ///< a host or device reset loses what only the cache holds

    // Notes.
    std::size_t log_entries = 1024; ///< capacity of the access log; 0: off
};

/// The one preset that answers like QEMU 10's controller (and nothing else): no slot clear, no aggregation, no task
/// list, no run-stop discipline, entries of completion queues posted by a deferred step, queue interrupts not gated.
/// The test plays its device: finish(), finish_uic(), finish_next() and post().
[[nodiscard]] constexpr ufshci_knobs qemu_10(std::uint32_t queues = 0) noexcept {
    ufshci_knobs k;
    k.queues = queues;
    k.mcqcap_extra = queues != 0 ? 0x200u : 0u;
    k.aggregation = aggregation_mode::absent;
    k.clear_present = false;
    k.tasks_present = false;
    k.run_required = false;
    k.run_needs_ready = false;
    k.stop_drops = false;
    k.disable_drops = false;
    k.enable_resets = false;
    k.uic_manual = true;
    k.uic_attributes = false;
    k.uic_local_result = true;
    k.uic_masks_opcode = false;
    k.post_manual = true;
    k.cqie_gates = false;
    k.queue_runtime = false;
    k.memory_bytes = 0;
    k.check_descriptors = false;
    k.log_entries = 0;
    return k;
}

/// One sentence that names what contradicts itself, or nullptr.
[[nodiscard]] constexpr char const* impossible(ufshci_knobs const& k) noexcept {
    if (k.nutrs < 1 or k.nutrs > 32) {
        return "doorbell: nutrs must be 1 to 32: the doorbell has one bit per slot.";
    }
    if (k.nutmrs < 1 or k.nutmrs > 8) {
        return "doorbell: nutmrs must be 1 to 8: the task doorbell has eight bits.";
    }
    if (k.queues > 32) {
        return "doorbell: queues must be at most 32: the register window has no room for more.";
    }
    if (k.queue_depth < 1 or k.queue_depth > 64) {
        return "doorbell: queue_depth must be 1 to 64.";
    }
    if (k.weak_bus and not k.posted_writes) {
        return "doorbell: weak_bus needs posted_writes: without posted writes there is nothing to push.";
    }
    if (k.gone_after != 0 and k.clock_off_after != 0) {
        return "doorbell: gone_after and clock_off_after exclude each other: a read gives all ones or zeros.";
    }
    if (k.clear_never and k.clear_latency != 0) {
        return "doorbell: clear_never and clear_latency exclude each other.";
    }
    if (k.ocs_stuck and k.ocs_lag != 0) {
        return "doorbell: ocs_stuck and ocs_lag exclude each other.";
    }
    if (k.line_lag != 0 and k.line != line_kind::level) {
        return "doorbell: line_lag needs a level line: a pulse does not fall late.";
    }
    if (k.pulse_on_enable and k.line == line_kind::level) {
        return "doorbell: pulse_on_enable needs an edge line.";
    }
    if (k.latency == latency_kind::uniform and k.latency_max_ns < k.latency_ns) {
        return "doorbell: latency_max_ns is below latency_ns.";
    }
    if (k.latency == latency_kind::list and (k.latency_list == nullptr or k.latency_list_size == 0)) {
        return "doorbell: latency list is empty.";
    }
    if (k.parallel == 0) {
        return "doorbell: parallel must be at least 1, or no request ever finishes.";
    }
    if (k.memory_bytes == 0 and (k.memory_needs_barriers or k.dma_needs_sync or k.check_descriptors)) {
        return "doorbell: memory_needs_barriers, dma_needs_sync and check_descriptors need memory_bytes.";
    }
    if (k.memory_needs_barriers and k.dma_needs_sync) {
        return "doorbell: memory_needs_barriers and dma_needs_sync exclude each other; test one at a time.";
    }
    if (k.memory_bytes % 4096 != 0 or k.memory_bytes > 0x1000000) {
        return "doorbell: memory_bytes must be a multiple of 4096 and at most 16 MiB.";
    }
    return nullptr;
}

static_assert(impossible(ufshci_knobs{}) == nullptr);
static_assert(impossible(qemu_10()) == nullptr and impossible(qemu_10(2)) == nullptr);

} // namespace doorbell::testing
