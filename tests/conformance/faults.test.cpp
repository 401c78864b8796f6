// SPDX-License-Identifier: BSL-1.0
// The comparison is only worth something if a wrong model fails it. Each fault is a model that is wrong in one place.
// (That a write of IS clears no more than was written is not among them: the recorded drivers always write all of it.)
#include "replayer.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

namespace {

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
using doorbell::testing::qemu_10;
using doorbell::testing::ufshci_knobs;
using doorbell::testing::ufshci_model;

enum class fault {
    status_is_plain,           // IS is written as it stands
    status_clears_on_read,     // reading IS clears it
    enable_is_sticky,          // bits of IE are never cleared
    doorbell_is_plain,         // a write of UTRLDBR replaces the word
    doorbell_stays,            // a finished request keeps its doorbell bit
    doorbell_clears_neighbour, // the bit of the neighbour goes as well
    no_transfer_cause,         // UTRCS is not raised
    no_hibernate_cause,        // UHES comes later than UCCS
    ready_missing,             // UCRDY does not come with HCE
    enable_reads_zero,         // HCE reads 0 after it was set
    result_always_zero,        // the result code of an unknown attribute is success
    capability_wrong,          // one slot less
    line_falls_late,           // the line is still high at the next access
    tail_moves_half,           // CQTP counts entries of 16 bytes
    queue_cause_gated,         // IS.CQES needs CQIE
    queue_status_stays,        // CQIS is not cleared by ones
    post_at_once               // entries are posted at once: the deferred step of the recorded device is not modelled
};

template <fault F>
class faulty : public ufshci_model {
public:
    explicit faulty(ufshci_knobs const& knobs) : ufshci_model(changed(knobs)) {}

    std::uint32_t load(std::size_t offset) {
        if constexpr (F == fault::status_clears_on_read) {
            std::uint32_t const value = ufshci_model::load(offset);
            if (offset == at::is) {
                ufshci_model::store(at::is, value);
            }
            return value;
        } else if constexpr (F == fault::ready_missing) {
            std::uint32_t const value = ufshci_model::load(offset);
            return offset == at::hcs ? value & ~doorbell::ufs::status::ucrdy : value;
        } else if constexpr (F == fault::enable_reads_zero) {
            return offset == at::hce ? 0 : ufshci_model::load(offset);
        } else if constexpr (F == fault::tail_moves_half) {
            std::uint32_t const value = ufshci_model::load(offset);
            return offset == cqd_at(0, at::cqtp) ? value / 2 : value;
        } else {
            return ufshci_model::load(offset);
        }
    }

    void store(std::size_t offset, std::uint32_t value) {
        if (F == fault::status_is_plain and offset == at::is) {
            poke(at::is, value);
            return;
        }
        if (F == fault::enable_is_sticky and offset == at::ie) {
            value |= peek(at::ie);
        }
        if (F == fault::doorbell_is_plain and offset == at::utrldbr) {
            poke(at::utrldbr, 0);
        }
        if (F == fault::queue_status_stays and offset == cqis_at(0, at::cqis)) {
            return;
        }
        ufshci_model::store(offset, value);
    }

    bool finish(unsigned slot) {
        std::uint32_t const before = peek(at::utrldbr);
        std::uint32_t const is = peek(at::is);
        bool const done = ufshci_model::finish(slot);
        if (F == fault::doorbell_stays) {
            poke(at::utrldbr, before);
        }
        if (F == fault::doorbell_clears_neighbour) {
            poke(at::utrldbr, peek(at::utrldbr) & ~(1u << ((slot + 1) % 32)));
        }
        if (F == fault::no_transfer_cause) {
            poke(at::is, is);
            ufshci_model::store(at::is, 0);
        }
        return done;
    }

    bool finish_next(unsigned queue) {
        bool const done = ufshci_model::finish_next(queue);
        if (F == fault::post_at_once) {
            post(0);
        }
        return done;
    }

private:
    static ufshci_knobs changed(ufshci_knobs k) {
        switch (F) {
        case fault::no_hibernate_cause:
            k.uic_second_latency = 1'000'000;
            break;
        case fault::result_always_zero:
            k.uic_attributes = true;
            break;
        case fault::capability_wrong:
            k.nutrs = 31;
            break;
        case fault::line_falls_late:
            k.line_lag = 1'000'000;
            break;
        case fault::queue_cause_gated:
            k.cqie_gates = true;
            break;
        default:
            break;
        }
        return k;
    }
};

/// Whether a model with this fault explains the recordings that show the part it is wrong in.
template <fault F>
bool explains(bool queues) {
    std::filesystem::path const data = std::filesystem::path(__FILE__).parent_path().parent_path() / "data";
    for (auto const& entry : std::filesystem::directory_iterator(data)) {
        if (entry.path().extension() != ".mmio") {
            continue;
        }
        conformance::recording const r = conformance::parse_file(entry.path().string());
        if (r.queues == queues and conformance::replayer<faulty<F>>(r).run().conforms()) {
            return true;
        }
    }
    return false;
}

} // namespace

TEST_CASE("A model that is wrong in one place does not explain a doorbell recording") {
    CHECK_FALSE(explains<fault::status_is_plain>(false));
    CHECK_FALSE(explains<fault::status_clears_on_read>(false));
    CHECK_FALSE(explains<fault::enable_is_sticky>(false));
    CHECK_FALSE(explains<fault::doorbell_is_plain>(false));
    CHECK_FALSE(explains<fault::doorbell_stays>(false));
    CHECK_FALSE(explains<fault::doorbell_clears_neighbour>(false));
    CHECK_FALSE(explains<fault::no_transfer_cause>(false));
    CHECK_FALSE(explains<fault::no_hibernate_cause>(false));
    CHECK_FALSE(explains<fault::ready_missing>(false));
    CHECK_FALSE(explains<fault::enable_reads_zero>(false));
    CHECK_FALSE(explains<fault::result_always_zero>(false));
    CHECK_FALSE(explains<fault::capability_wrong>(false));
    CHECK_FALSE(explains<fault::line_falls_late>(false));
}

TEST_CASE("A model that is wrong in one place does not explain a multi-queue recording") {
    CHECK_FALSE(explains<fault::status_is_plain>(true));
    CHECK_FALSE(explains<fault::tail_moves_half>(true));
    CHECK_FALSE(explains<fault::queue_cause_gated>(true));
    CHECK_FALSE(explains<fault::queue_status_stays>(true));
    CHECK_FALSE(explains<fault::post_at_once>(true));
    CHECK_FALSE(explains<fault::no_hibernate_cause>(true));
}
