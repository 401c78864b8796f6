// SPDX-License-Identifier: BSL-1.0
#include <catch2/catch_test_macros.hpp>
#include <doorbell/controllers/ufshci/bank_window.hpp>
#include <doorbell/controllers/ufshci/queue_registers.hpp>
#include <doorbell/registers/operations.hpp>
#include <doorbell/testing/expectation.hpp>
#include <doorbell/testing/ufshci_model.hpp>

using namespace doorbell::testing;
namespace ufs = doorbell::ufs;

TEST_CASE("Registers of a queue are reached where the host says they are") {
    ufshci_model model{ufshci_knobs{.queues = 2}};
    model_bank bank{model};
    ufs::bank_window config{bank, 0x440};
    ufs::bank_window submission{bank, doorbell::read<ufs::queue::sqdao>(config)};
    ufs::bank_window interrupts{bank, doorbell::read<ufs::queue::cqisao>(config)};
    doorbell::write<ufs::queue::sqcti>(submission, ufs::queue::sqcti::tag::put(9));
    doorbell::write<ufs::queue::cqie>(interrupts, 1);
    CHECK(model.peek(0x1030 + 0xC) == 9);
    CHECK(model.peek(0x1054 + 4) == 1);
}

TEST_CASE("The barriers of a window are those of the bank below") {
    ufshci_model model;
    model_bank bank{model};
    ufs::bank_window window{bank, 0x400};
    window.before_doorbell();
    window.after_done();
    window.before_unlock();
    CHECK(expect(model.log())
              .in_order(
                  {note_of(access_kind::before_doorbell), note_of(access_kind::after_done),
                   note_of(access_kind::before_unlock)}));
}
