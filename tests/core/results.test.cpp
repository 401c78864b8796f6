// SPDX-License-Identifier: BSL-1.0
#include <doorbell/core/results.hpp>

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

using namespace doorbell;

TEST_CASE("an interrupt result says handled, wake and gone apart from each other") {
    STATIC_CHECK_FALSE(irq_result::none.handled());
    STATIC_CHECK_FALSE(irq_result::none.wake_thread());
    STATIC_CHECK_FALSE(irq_result::none.controller_gone());
    STATIC_CHECK(irq_result::mine.handled());
    STATIC_CHECK_FALSE(irq_result::mine.wake_thread());
    STATIC_CHECK(irq_result::wake.wake_thread());
    STATIC_CHECK_FALSE(irq_result::wake.handled());
    STATIC_CHECK(irq_result::gone.controller_gone());
    STATIC_CHECK_FALSE(irq_result::gone.handled());
    STATIC_CHECK(irq_result{} == irq_result::none);
}

TEST_CASE("merging interrupt results loses nothing, in any order", "[inv:D3]") {
    constexpr irq_result all[] = {irq_result::none, irq_result::mine, irq_result::wake, irq_result::gone};
    for (irq_result const a : all) {
        for (irq_result const b : all) {
            irq_result merged = a;
            merged |= b;
            CHECK(merged == (a | b));
            CHECK(merged == (b | a));
            CHECK(merged.handled() == (a.handled() or b.handled()));
            CHECK(merged.wake_thread() == (a.wake_thread() or b.wake_thread()));
            CHECK(merged.controller_gone() == (a.controller_gone() or b.controller_gone()));
        }
    }
}

TEST_CASE("results travel in one register") {
    STATIC_CHECK(sizeof(irq_result) == sizeof(unsigned));
    STATIC_CHECK(sizeof(thread_result) == sizeof(unsigned));
    STATIC_CHECK(std::is_trivially_copyable_v<irq_result>);
}

TEST_CASE("a thread retries only when lagging tags are all that is left", "[inv:T11]") {
    STATIC_CHECK_FALSE(thread_result::idle.again());
    STATIC_CHECK_FALSE(thread_result::idle.retry());
    STATIC_CHECK(thread_result::more.again());
    STATIC_CHECK_FALSE(thread_result::more.retry());
    STATIC_CHECK(thread_result::lagging.retry());
    STATIC_CHECK_FALSE(thread_result::lagging.again());
    STATIC_CHECK((thread_result::lagging | thread_result::more).again());
    STATIC_CHECK_FALSE((thread_result::lagging | thread_result::more).retry());
    STATIC_CHECK((thread_result::lagging | thread_result::idle).retry());
    STATIC_CHECK(thread_result{} == thread_result::idle);
}

TEST_CASE("an accepted submission is true and gives tickets of its generation", "[inv:T2]") {
    constexpr submitted yes{submit_status::accepted, 7};
    STATIC_CHECK(yes);
    STATIC_CHECK(yes.status() == submit_status::accepted);
    STATIC_CHECK(yes.generation() == 7);
    STATIC_CHECK(yes.ticket_for(tag{31}) == ticket{tag{31}, 7});
    STATIC_CHECK_FALSE(yes.ticket_for(tag{31}) == ticket{tag{31}, 8});
    STATIC_CHECK_FALSE(yes.ticket_for(tag{31}) == ticket{tag{30}, 7});
}

TEST_CASE("every refusal is false") {
    for (submit_status const why :
         {submit_status::busy, submit_status::out_of_range, submit_status::not_started, submit_status::blocked,
          submit_status::gated, submit_status::closing, submit_status::controller_gone}) {
        submitted const refused{why};
        CHECK_FALSE(static_cast<bool>(refused));
        CHECK(refused.status() == why);
    }
    STATIC_CHECK_FALSE(std::is_convertible_v<submitted, bool>);
}
