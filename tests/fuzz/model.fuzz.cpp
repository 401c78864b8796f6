// SPDX-License-Identifier: BSL-1.0
// Any sequence of register accesses, device events and memory contents, under any possible knobs: no undefined
// behaviour, and the books balance. The input is a program for a small machine: bytes choose knobs first, then one
// operation each.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <doorbell/testing/ufshci_model.hpp>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

namespace at = doorbell::ufs::offset;
using namespace doorbell::testing;

class input {
public:
    input(std::uint8_t const* data, std::size_t size) : data_(data), left_(size) {}

    [[nodiscard]] bool empty() const { return left_ == 0; }

    std::uint8_t byte() {
        if (left_ == 0) {
            return 0;
        }
        --left_;
        return *data_++;
    }

    bool flag() { return (byte() & 1u) != 0; }

    std::uint32_t word() {
        std::uint32_t v = 0;
        for (int i = 0; i < 4; ++i) {
            v = (v << 8) | byte();
        }
        return v;
    }

private:
    std::uint8_t const* data_;
    std::size_t left_;
};

std::uint64_t const latencies[] = {5, 0, 1000, 70};

ufshci_knobs knobs_from(input& in) {
    ufshci_knobs k;
    k.nutrs = in.byte() % 34u;
    k.nutmrs = in.byte() % 10u;
    k.queues = in.byte() % 34u;
    k.queue_depth = in.byte() % 66u;
    k.line = static_cast<line_kind>(in.byte() % 3u);
    std::uint32_t const bits = in.word();
    unsigned n = 0;
    auto const bit = [&bits, &n] { return ((bits >> n++) & 1u) != 0; };
    k.masked_bits_latch = bit();
    k.order = bit() ? completion_order::is_before_doorbell : completion_order::doorbell_before_is;
    k.sets_cnr = bit();
    k.interrupt_bit_required = bit();
    k.polarity = bit() ? clear_polarity::write_0_clears : clear_polarity::write_1_clears;
    k.clear_requires_run = bit();
    k.run_required = bit();
    k.run_needs_ready = bit();
    k.stop_drops = bit();
    k.disable_drops = bit();
    k.enable_resets = bit();
    k.high_bits_stick = bit();
    k.aggregation = bit() ? aggregation_mode::present : aggregation_mode::absent;
    k.uic_manual = bit();
    k.starts_linked = bit();
    k.post_manual = bit();
    k.cqie_gates = bit();
    k.summary_reasserts = bit();
    k.queue_runtime = bit();
    k.posted_writes = bit();
    k.weak_bus = bit();
    k.memory_needs_barriers = bit();
    k.dma_needs_sync = bit();
    k.reset_drops_cache = bit();
    k.tasks_present = bit();
    k.task_manual = bit();
    std::uint8_t const times = in.byte();
    k.order_gap = (times & 1u) != 0 ? 3 : 0;
    k.ocs_lag = (times & 2u) != 0 ? 4 : 0;
    k.clear_latency = (times & 4u) != 0 ? 6 : 0;
    k.uic_latency = (times & 8u) != 0 ? 7 : 0;
    k.uic_second_latency = (times & 16u) != 0 ? 8 : 0;
    k.post_latency = (times & 32u) != 0 ? 9 : 0;
    k.stop_latency = k.cleanup_latency = k.enable_latency = (times & 64u) != 0 ? 11 : 0;
    k.line_lag = (times & 128u) != 0 ? 2 : 0;
    k.latency = static_cast<latency_kind>(in.byte() % 4u);
    k.latency_ns = in.byte();
    k.latency_max_ns = in.byte();
    k.latency_list = latencies;
    k.latency_list_size = in.byte() % 5u;
    k.parallel = in.byte() % 40u;
    k.garbage = in.byte();
    k.blocks = in.byte();
    k.memory_bytes = in.flag() ? 0x4000 : 0;
    k.check_descriptors = k.memory_bytes != 0 and in.flag();
    k.gone_after = in.flag() ? in.byte() : 0;
    k.log_entries = in.byte();
    return k;
}

std::size_t offset_from(input& in) {
    std::uint8_t const b = in.byte();
    switch (b >> 6) {
    case 0:
        return std::size_t{4} * (b & 0x3Fu); // 0x00 to 0xFC
    case 1:
        return 0x400u + std::size_t{4} * (b & 0x3Fu); // queue configuration
    case 2:
        return 0x1000u + std::size_t{4} * (b & 0x3Fu); // queue run time
    default:
        return (std::size_t{b & 0x3Fu} << 8) | in.byte(); // anywhere, also misaligned
    }
}

/// Requests that were started are finished, dropped, or still there.
void balance(ufshci_model const& m) {
    bool const is_first = m.knobs().order == completion_order::is_before_doorbell;
    std::uint64_t const there =
        static_cast<std::uint64_t>(std::popcount(m.in_flight()) + (is_first ? 0 : std::popcount(m.half_finished())));
    if (m.started() != m.finished() + m.dropped() + there) {
        std::abort();
    }
}

void operate(ufshci_model& m, input& in) {
    switch (in.byte() % 24u) {
    case 0:
    case 1:
    case 2: {
        std::size_t const offset = offset_from(in);
        m.store(offset, in.word());
        break;
    }
    case 3:
        (void)m.load(offset_from(in));
        break;
    case 4:
        m.advance(in.byte());
        break;
    case 5:
        m.finish(in.byte(), in.byte());
        break;
    case 6:
        m.finish_begin(in.byte());
        break;
    case 7:
        m.finish_end(in.byte());
        break;
    case 8:
        m.raise(in.word());
        break;
    case 9:
        m.finish_next(in.byte(), in.byte());
        break;
    case 10:
        m.post(in.byte());
        break;
    case 11:
        m.finish_tagged(in.byte(), in.byte());
        break;
    case 12:
        m.finish_uic();
        break;
    case 13:
        m.finish_task(in.byte());
        break;
    case 14: {
        std::uint32_t const where = in.word() % 0x4000u;
        if (unsigned char* const p = m.memory().host(where, 4)) {
            for (int i = 0; i < 4; ++i) {
                p[i] = in.byte();
            }
        }
        break;
    }
    case 15:
        m.before_doorbell();
        break;
    case 16:
        m.after_done();
        break;
    case 17:
        m.for_device(in.byte());
        break;
    case 18:
        m.for_cpu(in.byte());
        break;
    case 19:
        m.bring_up();
        break;
    case 20:
        (void)m.power_cut();
        break;
    case 21:
        m.prepare(in.byte() % 32u, in.flag());
        break;
    case 22:
        m.abandon(in.byte());
        break;
    default:
        switch (in.byte() % 8u) {
        case 0:
            m.gone();
            break;
        case 1:
            m.back();
            break;
        case 2:
            m.duplicate(in.byte());
            break;
        case 3:
            m.post_foreign(in.byte(), in.byte());
            break;
        case 4:
            m.queue_event(in.byte(), in.word());
            break;
        case 5:
            m.next_latency(in.byte(), in.word());
            break;
        case 6:
            (void)m.ocs(in.byte());
            break;
        default:
            m.advance(~std::uint64_t{0});
            break;
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    input in(data, size);
    ufshci_knobs const knobs = knobs_from(in);
    if (impossible(knobs) != nullptr) {
        return 0;
    }
    auto const m = std::make_unique<ufshci_model>(knobs);
    while (not in.empty()) {
        operate(*m, in);
        balance(*m);
        (void)m->line();
        (void)m->take_pulse();
    }
    return 0;
}
