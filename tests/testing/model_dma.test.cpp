// SPDX-License-Identifier: BSL-1.0
#include "strict_model.hpp"

#include <doorbell/testing/expectation.hpp>
#include <doorbell/testing/model_dma.hpp>

namespace at = doorbell::ufs::offset;
using namespace doorbell::testing;

TEST_CASE("The policy moves a descriptor to the device and its answer back, and both are noted [inv:R5]", "[inv:R5]") {
    running_model m{ufshci_knobs{.dma_needs_sync = true}};
    model_dma const dma{m};
    m.prepare(2);
    dma.for_device(doorbell::tag{2});
    m.store(at::utrldbr, 4);
    m.finish(2);
    dma.for_cpu(doorbell::tag{2});
    CHECK(m.ocs(2) == doorbell::ufs::ocs::success);
    CHECK(expect(m.log()).in_order(
        {note_of(access_kind::for_device, 2), write_of(at::utrldbr, 4), note_of(access_kind::finish, 2),
         note_of(access_kind::for_cpu, 2)}));
}
