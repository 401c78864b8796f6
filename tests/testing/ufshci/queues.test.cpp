// SPDX-License-Identifier: BSL-1.0
#include "queue_fixture.hpp"

namespace at = doorbell::ufs::offset;
namespace cause = doorbell::ufs::cause;
namespace ocs = doorbell::ufs::ocs;
using namespace doorbell::testing;

TEST_CASE("Capabilities tell of the queues and where their registers are") {
    queue_model m;
    CHECK((m.load(at::cap) & (1u << 30)) != 0);
    CHECK(m.load(at::mcqcap) == 0x00020001);
    CHECK(m.load(m.config_at(1, at::sqdao)) == 0x1030);
    CHECK(m.load(m.config_at(1, at::sqisao)) == 0x1044);
    CHECK(m.load(m.config_at(1, at::cqdao)) == 0x104C);
    CHECK(m.load(m.config_at(1, at::cqisao)) == 0x1054);
    CHECK(m.load(at::mcqconfig) == 0x1F00);
}

TEST_CASE("A request goes through its rings: fetched, finished, posted, told") {
    queue_model m;
    m.store(at::ie, cause::cqes);
    m.submit(0, 5);
    CHECK(m.load(m.sqd_at(0, at::sqhp)) == 32);
    CHECK(m.requests() == 1);
    CHECK(m.finish_tagged(0, 5, ocs::success));
    CHECK(m.line());
    CHECK(m.load(at::is) == cause::cqes);
    CHECK(m.load(m.cqis_at(0, at::cqis)) == 1);
    CHECK(m.cqtp(0) == 32);
    unsigned char const* const e = m.entry(0, 0);
    CHECK(e[16] == ocs::success);
    CHECK(e[20] == 5);
    CHECK(e[21] == 1);
    m.store(m.cqd_at(0, at::cqhp), 32);
    m.store(m.cqis_at(0, at::cqis), 1);
    m.store(at::is, cause::cqes);
    CHECK_FALSE(m.line());
    CHECK(m.requests() + m.unposted() == 0);
}

TEST_CASE("Requests finish in any order, each once, and in the completion queue their queue names") {
    queue_model m({}, 0);
    m.start(0);
    m.store(m.config_at(1, at::sqlba), 0x2000);
    m.store(m.config_at(1, at::sqattr), 0x80000000u | (0u << 16) | 63u); // its entries go to queue 0
    m.submit(1, 3);
    m.submit(1, 4);
    CHECK(m.finish_tagged(1, 4, ocs::aborted));
    CHECK_FALSE(m.finish_tagged(1, 4));
    CHECK(m.finish_next(1));
    CHECK_FALSE(m.finish_next(1));
    CHECK(m.cqtp(0) == 64);
    CHECK(m.entry(0, 0)[20] == 4);
    CHECK(m.entry(0, 0)[16] == ocs::aborted);
    CHECK((m.entry(0, 1)[0] & 0x1F) == 1);
}

TEST_CASE("The rings wrap, and a full completion ring holds its entries back until software has read") {
    queue_model m;
    for (unsigned i = 0; i < 20; ++i) {
        m.submit(0, i);
        m.finish_next(0);
        m.store(m.cqd_at(0, at::cqhp), m.cqtp(0));
    }
    CHECK(m.cqtp(0) == (20 * 32) % queue_model::ring_bytes);
    for (unsigned i = 0; i < 7; ++i) {
        m.submit(0, i);
    }
    for (unsigned i = 0; i < 7; ++i) {
        m.finish_next(0);
    }
    m.submit(0, 9);
    m.finish_next(0);
    CHECK(m.unposted() == 1);
    m.store(m.cqd_at(0, at::cqhp), (21 * 32) % queue_model::ring_bytes);
    CHECK(m.unposted() == 0);
}

TEST_CASE("The device takes no more requests than MCQCONFIG allows") {
    queue_model m{ufshci_knobs{.queue_depth = 2}};
    m.submit(0, 0);
    m.submit(0, 1);
    m.submit(0, 2);
    CHECK(m.requests() == 2);
    CHECK(m.load(m.sqd_at(0, at::sqhp)) == 64);
    m.finish_next(0);
    CHECK(m.requests() == 2);
    CHECK(m.load(m.sqd_at(0, at::sqhp)) == 96);
    queue_model wide;
    wide.store(at::mcqconfig, 0);
    wide.submit(0, 0);
    wide.submit(0, 1);
    CHECK(wide.requests() == 1);
}

TEST_CASE("An entry is posted later, or when the test says so") {
    queue_model late{ufshci_knobs{.post_latency = 30}};
    late.submit(0, 1);
    late.finish_next(0);
    CHECK(late.cqtp(0) == 0);
    late.advance(30);
    CHECK(late.cqtp(0) == 32);
    queue_model manual{ufshci_knobs{.post_manual = true}};
    manual.submit(0, 1);
    manual.submit(0, 2);
    manual.finish_next(0);
    manual.finish_next(0);
    CHECK(manual.unposted() == 2);
    CHECK(manual.post(0));
    CHECK_FALSE(manual.post(0));
    CHECK(manual.cqtp(0) == 64);
}

TEST_CASE("CQIE lets the queue's status through to IS, unless the host does not look") {
    queue_model m;
    m.store(m.cqis_at(0, at::cqie), 0);
    m.submit(0, 1);
    m.finish_next(0);
    CHECK(m.load(m.cqis_at(0, at::cqis)) == 1);
    CHECK(m.load(at::is) == 0);
    m.store(m.cqis_at(0, at::cqie), 1);
    CHECK(m.load(at::is) == cause::cqes);
    queue_model open{ufshci_knobs{.cqie_gates = false}};
    open.store(open.cqis_at(0, at::cqie), 0);
    open.submit(0, 1);
    open.finish_next(0);
    CHECK(open.load(at::is) == cause::cqes);
}

TEST_CASE("Aggregation per queue counts entries with I = 0 and tells when the threshold is reached") {
    queue_model m;
    m.store(m.cqis_at(0, at::cqiacr), 0x81000200);
    m.submit(0, 1, false);
    m.finish_next(0);
    CHECK(m.load(at::is) == 0);
    CHECK(m.load(m.cqis_at(0, at::cqis)) == 1);
    CHECK(m.load(m.cqis_at(0, at::cqiacr)) == 0x81100200);
    m.submit(0, 2, false);
    m.finish_next(0);
    CHECK(m.load(at::is) == cause::iages);
    m.store(at::is, cause::iages);
    m.submit(0, 3, true);
    m.finish_next(0);
    CHECK(m.load(at::is) == cause::cqes);
    m.store(m.cqis_at(0, at::cqiacr), 0x81010201);
    m.submit(0, 4, false);
    m.store(at::is, cause::all);
    m.finish_next(0);
    m.advance(40'000);
    CHECK(m.load(at::is) == cause::iages);
}

TEST_CASE("A latency finishes queue requests by themselves") {
    queue_model m{ufshci_knobs{.latency = latency_kind::fixed, .latency_ns = 100}};
    m.submit(0, 1);
    m.advance(99);
    CHECK(m.cqtp(0) == 0);
    m.advance(1);
    CHECK(m.cqtp(0) == 32);
}

TEST_CASE("An entry that nobody asked for can be posted [U.C33]", "[U.C33]") {
    queue_model m;
    CHECK(m.post_foreign(1, 200));
    CHECK(m.cqtp(1) == 32);
    CHECK(m.entry(1, 0)[20] == 200);
    CHECK_FALSE(m.post_foreign(2, 0));
}

TEST_CASE("Only queues that exist have registers: index number-of-queues touches nothing [U.A23]", "[U.A23]") {
    ufshci_model m{ufshci_knobs{.queues = 2}};
    std::size_t const beyond = m.cqis_at(2, at::cqis);
    CHECK(m.load(beyond) == 0);
    m.store(beyond, 1);
    m.store(m.sqd_at(2, at::sqtp), 32);
    CHECK(m.errors().count(driver_error::unknown_register) == 3);
    CHECK(m.peek(m.sqd_at(2, at::sqtp)) == 0);
    CHECK_FALSE(m.finish_next(2));
    CHECK_FALSE(m.finish_next(99));
    CHECK_FALSE(m.post(2));
}

TEST_CASE("Errors of queue use are found") {
    ufshci_model m{ufshci_knobs{.queues = 2}};
    m.bring_up();
    m.store(m.sqd_at(0, at::sqtp), 32);
    CHECK(m.errors().count(driver_error::queue_disabled) == 1);
    m.store(m.config_at(0, at::sqattr), 0x8000003F);
    CHECK(m.errors().count(driver_error::queue_order) == 1);
    m.store(m.config_at(0, at::cqattr), 0x80000000);
    CHECK(m.errors().count(driver_error::queue_pointer) == 1);
    m.store(m.config_at(0, at::cqattr), 0x8000003F);
    m.store(m.config_at(0, at::sqlba), 0x1000);
    m.store(m.config_at(0, at::sqattr), 0x8000003F);
    m.store(m.sqd_at(0, at::sqtp), 33);
    m.store(m.sqd_at(0, at::sqtp), 0x1000);
    CHECK(m.errors().count(driver_error::queue_pointer) == 3);
    m.store(m.cqd_at(0, at::cqhp), 32);
    CHECK(m.errors().count(driver_error::queue_overrun) == 1);
    m.store(m.cqd_at(0, at::cqtp), 32);
    m.store(m.config_at(0, at::sqdao), 0);
    CHECK(m.errors().count(driver_error::write_read_only) == 2);
}

TEST_CASE("A tail that runs over entries the device has not taken is found") {
    queue_model m{ufshci_knobs{.queue_depth = 1}};
    for (unsigned i = 0; i < 7; ++i) {
        m.submit(0, i);
    }
    CHECK(m.errors().empty());
    m.submit(0, 7);
    m.submit(0, 8);
    CHECK(m.errors().count(driver_error::queue_overrun) >= 1);
    m.errors().clear();
}

TEST_CASE("A tail before the barrier does not show the device its entries [U.D1]", "[U.D1]") {
    queue_model m{ufshci_knobs{.memory_needs_barriers = true}};
    m.submit(0, 3);
    CHECK(m.errors().count(driver_error::ring_unpublished) == 1);
    m.errors().clear();
    m.put(0, 4);
    m.before_doorbell();
    m.store(m.sqd_at(0, at::sqtp), m.tail(0));
    CHECK(m.errors().empty());
}

TEST_CASE("A summary bit that follows its children must be acknowledged last [U.A13]", "[U.A13]") {
    bool const child_first = GENERATE(true, false);
    queue_model m{ufshci_knobs{.summary_reasserts = true}};
    m.store(at::ie, cause::cqes);
    m.submit(0, 1);
    m.finish_next(0);
    unsigned entries = 0;
    while (m.line() and entries < 10) {
        ++entries;
        std::uint32_t const is = m.load(at::is);
        if (child_first) {
            m.store(m.cqis_at(0, at::cqis), m.load(m.cqis_at(0, at::cqis)));
            m.store(at::is, is);
        } else {
            m.store(at::is, is); // comes back at once: the child still stands
            m.store(m.cqis_at(0, at::cqis), m.load(m.cqis_at(0, at::cqis)));
        }
    }
    CHECK(entries == (child_first ? 1u : 2u));
}

TEST_CASE(
    "Edge: a queue that asserts between the read and the acknowledge of the summary is lost unless it is read "
    "again [U.A14]",
    "[U.A14]") {
    bool const again = GENERATE(true, false);
    queue_model m{ufshci_knobs{.line = line_kind::edge}};
    m.store(at::ie, cause::cqes);
    m.submit(0, 1);
    m.submit(1, 2);
    m.finish_next(0);
    REQUIRE(m.take_pulse());
    unsigned served = 0;
    auto const serve = [&] {
        for (unsigned q = 0; q < 2; ++q) {
            if (m.load(m.cqis_at(q, at::cqis)) != 0) {
                m.store(m.cqis_at(q, at::cqis), 1);
                ++served;
                if (q == 0) {
                    m.store(m.cqis_at(1, at::cqie), 1);
                }
            }
        }
    };
    std::uint32_t const is = m.load(at::is);
    if (again) { // clear first, serve, look again until quiet
        m.store(at::is, is);
        std::uint32_t const child = m.load(m.cqis_at(0, at::cqis));
        m.finish_next(1);
        CHECK(child == 1);
        do {
            serve();
            std::uint32_t const more = m.load(at::is);
            m.store(at::is, more);
            if (more == 0) {
                break;
            }
        } while (true);
        CHECK(served == 2);
    } else {
        std::uint32_t const child = m.load(m.cqis_at(0, at::cqis));
        m.finish_next(1);    // IS.CQES stands already: no pulse
        m.store(at::is, is); // takes the summary of queue 1 with it
        CHECK(child == 1);
        m.store(m.cqis_at(0, at::cqis), 1); // serves queue 0 alone
        CHECK_FALSE(m.take_pulse());
        CHECK(m.load(m.cqis_at(1, at::cqis)) == 1); // waits for ever
        CHECK(m.load(at::is) == 0);
    }
}

TEST_CASE("An event of a submission queue goes through SQIE") {
    queue_model m;
    m.queue_event(0, 2);
    CHECK(m.load(m.sqis_at(0, at::sqis)) == 2);
    CHECK(m.load(at::is) == 0);
    m.store(m.sqis_at(0, at::sqie), 4);
    m.queue_event(0, 4);
    CHECK(m.load(at::is) == cause::sqes);
    m.store(m.sqis_at(0, at::sqis), 6);
    CHECK(m.load(m.sqis_at(0, at::sqis)) == 0);
    m.queue_event(9, 1);
}

TEST_CASE("A host without run-time registers of the queues keeps nothing in them") {
    queue_model m{ufshci_knobs{.cqie_gates = false, .queue_runtime = false}};
    m.store(m.sqd_at(0, at::sqcti), 5);
    m.store(m.cqis_at(0, at::cqie), 1);
    m.store(m.sqd_at(0, at::sqrtc), 1);
    m.store(m.cqis_at(0, at::cqiacr), 0x81000200);
    CHECK(m.load(m.sqd_at(0, at::sqcti)) == 0);
    CHECK(m.load(m.cqis_at(0, at::cqie)) == 0);
    CHECK(m.load(m.sqd_at(0, at::sqrts)) == 0);
    CHECK(m.load(m.cqis_at(0, at::cqiacr)) == 0);
}

TEST_CASE("Disabling the host drops the requests of the queues, enabling it resets their registers") {
    queue_model m;
    m.submit(0, 1);
    m.store(at::hce, 0);
    CHECK(m.requests() == 0);
    m.store(at::hce, 1);
    CHECK(m.load(m.config_at(0, at::sqattr)) == 0);
    CHECK(m.load(m.sqd_at(0, at::sqtp)) == 0);
    CHECK(m.load(m.config_at(0, at::sqdao)) == 0x1000);
}
