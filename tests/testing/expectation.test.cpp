// SPDX-License-Identifier: BSL-1.0
#include "strict_model.hpp"

#include <doorbell/testing/expectation.hpp>

namespace at = doorbell::ufs::offset;
using namespace doorbell::testing;

namespace {

/// One request with one interrupt, as a handler does it.
struct served : running_model {
    served() {
        store(at::ie, 1);
        log().clear();
        before_doorbell();
        store(at::utrldbr, 1);
        finish(0);
        store(at::is, load(at::is));
        (void)load(at::utrldbr);
        after_done();
    }
};

} // namespace

TEST_CASE("An exact sequence holds, and says what differs") {
    served m;
    CHECK(expect(m.log()).exactly(
        {write_of(at::utrldbr, 1), read_of(at::is, 1), write_of(at::is, 1), read_of(at::utrldbr, 0)}));
    CHECK(expect(m.log()).exactly(
        {note_of(access_kind::before_doorbell), write_of(at::utrldbr), read_of(at::is), write_of(at::is),
         read_of(at::utrldbr)}));
    verdict const wrong = expect(m.log()).exactly({write_of(at::utrldbr, 2)});
    CHECK_FALSE(wrong);
    CHECK(
        wrong.why().starts_with("expected write UTRLDBR 0x00000002 (slot1), found t=0 write UTRLDBR 0x00000001 (slot0)"
                                "\nlog:\n"));
    CHECK_FALSE(expect(m.log()).exactly({write_of(at::utrldbr)}));
    CHECK(
        expect(m.log())
            .exactly({write_of(at::utrldbr), read_of(at::is), write_of(at::is), read_of(at::utrldbr), read_of(at::is)})
            .why()
            .starts_with("missing at the end: read IS"));
}

TEST_CASE("Order, count and absence can be asked for") {
    served m;
    CHECK(expect(m.log()).in_order({write_of(at::is), read_of(at::utrldbr)}));
    CHECK_FALSE(expect(m.log()).in_order({read_of(at::utrldbr), write_of(at::is)}));
    CHECK(expect(m.log()).count(read_of(at::is)) == 1);
    CHECK(expect(m.log()).count(write_of(at::utrldbr, 1)) == 1);
    CHECK(expect(m.log()).never(write_of(at::ie)));
    CHECK_FALSE(expect(m.log()).never(read_of(at::is)));
    CHECK(expect(m.log()).count(note_of(access_kind::finish, 0)) == 1);
}

TEST_CASE("The barrier comes before each ring, a read of the doorbell before each response [U.D1]", "[U.D1]") {
    served m;
    CHECK(expect(m.log()).each_preceded(write_of(at::utrldbr), note_of(access_kind::before_doorbell)));
    m.prepare(0);
    m.store(at::utrldbr, 1);
    CHECK_FALSE(expect(m.log()).each_preceded(write_of(at::utrldbr), note_of(access_kind::before_doorbell)));
}

TEST_CASE("Only the bits that matter are compared") {
    served m;
    CHECK(expect(m.log()).count(write_of(at::utrldbr, 0xFF).only(0x1)) == 1);
    CHECK(expect(m.log()).count(write_of(at::utrldbr, 0xFF).only(0x2)) == 0);
}
