// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../strict_model.hpp"

#include <cstring>

/// A model in multi-queue mode with its rings in memory: queue q has 8 entries a ring, submission from 0x1000 * (q +
/// 1), completion 0x800 behind it, command descriptors from 0x8000 on, 0x80 for each tag.
class queue_model : public strict_model {
public:
    static constexpr std::uint32_t ring_bytes = 8 * 32;

    explicit queue_model(doorbell::testing::ufshci_knobs k = {}, unsigned started = 2) : strict_model(with_queues(k)) {
        namespace at = doorbell::ufs::offset;
        bring_up();
        store(at::config, 1);
        for (unsigned q = 0; q < started; ++q) {
            start(q);
        }
        log().clear();
    }

    void start(unsigned q) {
        namespace at = doorbell::ufs::offset;
        store(config_at(q, at::sqlba), 0x1000 * (q + 1));
        store(config_at(q, at::cqlba), 0x1000 * (q + 1) + 0x800);
        store(cqis_at(q, at::cqie), 1);
        store(config_at(q, at::cqattr), 0x80000000u | (ring_bytes / 4 - 1));
        store(config_at(q, at::sqattr), 0x80000000u | (q << 16) | (ring_bytes / 4 - 1));
    }

    /// Puts a request with a task tag at the tail and rings.
    void submit(unsigned q, unsigned tag, bool interrupts = true) {
        put(q, tag, interrupts);
        store(sqd_at(q, doorbell::ufs::offset::sqtp), tail_[q]);
    }

    /// Only puts it.
    void put(unsigned q, unsigned tag, bool interrupts = true) {
        unsigned char* const e = memory().host(0x1000 * (q + 1) + tail_[q], 32);
        std::memset(e, 0, 32);
        e[3] = interrupts ? 1 : 0;
        e[16] = static_cast<unsigned char>(0x80 * (tag % 2));
        e[17] = static_cast<unsigned char>(0x80 + tag / 2);
        unsigned char* const u = memory().host(0x8000 + 0x80 * tag, 32);
        std::memset(u, 0, 32);
        u[2] = 1;
        u[3] = static_cast<unsigned char>(tag);
        tail_[q] = (tail_[q] + 32) % ring_bytes;
    }

    [[nodiscard]] std::uint32_t tail(unsigned q) const { return tail_[q]; }

    /// The i-th entry of a completion ring.
    unsigned char const* entry(unsigned q, unsigned i) { return memory().host(0x1000 * (q + 1) + 0x800 + 32 * i, 32); }

    [[nodiscard]] std::uint32_t cqtp(unsigned q) { return load(cqd_at(q, doorbell::ufs::offset::cqtp)); }

private:
    static doorbell::testing::ufshci_knobs with_queues(doorbell::testing::ufshci_knobs k) {
        k.queues = k.queues == 0 ? 2 : k.queues;
        return k;
    }

    std::uint32_t tail_[32] = {};
};
