// SPDX-License-Identifier: BSL-1.0
#include <doorbell/registers/concepts.hpp>

#include <doorbell/registers/register.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace doorbell;

namespace {

template <class Access>
using all_of = reg32<0x20, Access>;

// An interrupt aggregation register: settings, a self-clearing reset and a read-only status in one word.
using aggregation = reg32<
    0x4C, field<7, 0, access::read_write>, field<16, 16, access::self_clearing>, field<20, 20, access::read_only>>;
// A status register with a few causes among its bits.
using status = reg32<0x30, field<3, 0, access::read_only>, field<5, 4, access::write_1_to_clear>>;
using settings_and_causes = reg32<0x10, field<15, 0, access::read_write>, field<31, 16, access::write_1_to_clear>>;
using settings_and_doorbell = reg32<0x14, field<15, 0, access::read_write>, field<31, 16, access::write_1_to_set>>;
using errors = reg32<0x38, field<31, 31, access::read_to_clear>, field<4, 0, access::read_only>>;

struct throwing_bank {
    std::uint32_t load(std::size_t);
    void store(std::size_t, std::uint32_t);
    void before_doorbell();
    void after_done();
    void before_unlock();
};

struct bank_without_barriers {
    std::uint32_t load(std::size_t) noexcept;
    void store(std::size_t, std::uint32_t) noexcept;
};

} // namespace

TEST_CASE("a bank does not throw and has its barriers", "[inv:R4]") {
    STATIC_CHECK_FALSE(register_bank<throwing_bank>);
    STATIC_CHECK_FALSE(register_bank<bank_without_barriers>);
    STATIC_CHECK_FALSE(register_bank<int>);
}

TEST_CASE("only a register description describes a register") {
    STATIC_CHECK(register_description<all_of<access::read_only>>);
    STATIC_CHECK(register_description<aggregation>);
    STATIC_CHECK_FALSE(register_description<int>);
    STATIC_CHECK_FALSE(readable<int>);
}

// Checked while running, so that a fault in a concept is a case that fails and not a file that does not compile.

TEST_CASE("a register of one access kind allows what the kind allows and nothing else", "[inv:R1]") {
    using namespace access;
    CHECK(readable<all_of<read_write>>);
    CHECK(readable<all_of<read_only>>);
    CHECK_FALSE(readable<all_of<write_only>>);
    CHECK(readable<all_of<write_1_to_clear>>);
    CHECK_FALSE(readable<all_of<write_0_to_clear>>);
    CHECK(readable<all_of<write_1_to_set>>);
    CHECK(readable<all_of<read_to_clear>>);
    CHECK(readable<all_of<self_clearing>>);

    CHECK(writable<all_of<read_write>>);
    CHECK_FALSE(writable<all_of<read_only>>);
    CHECK(writable<all_of<write_only>>);
    CHECK_FALSE(writable<all_of<write_1_to_clear>>);
    CHECK_FALSE(writable<all_of<write_0_to_clear>>);
    CHECK_FALSE(writable<all_of<write_1_to_set>>);
    CHECK_FALSE(writable<all_of<read_to_clear>>);
    CHECK(writable<all_of<self_clearing>>);

    CHECK(modifiable<all_of<read_write>>);
    CHECK_FALSE(modifiable<all_of<read_only>>);
    CHECK_FALSE(modifiable<all_of<write_only>>);
    CHECK_FALSE(modifiable<all_of<write_1_to_clear>>);
    CHECK_FALSE(modifiable<all_of<write_0_to_clear>>);
    CHECK_FALSE(modifiable<all_of<write_1_to_set>>);
    CHECK_FALSE(modifiable<all_of<read_to_clear>>);
    CHECK_FALSE(modifiable<all_of<self_clearing>>);

    CHECK(acknowledgeable<all_of<write_1_to_clear>>);
    CHECK_FALSE(acknowledgeable<all_of<read_write>>);
    CHECK_FALSE(acknowledgeable<all_of<write_0_to_clear>>);
    CHECK(ringable<all_of<write_1_to_set>>);
    CHECK_FALSE(ringable<all_of<read_write>>);
    CHECK(clearable<all_of<write_0_to_clear>>);
    CHECK_FALSE(clearable<all_of<write_1_to_clear>>);
    CHECK_FALSE(clearable<all_of<read_write>>);
}

TEST_CASE("a register of several kinds allows what harms none of its fields", "[inv:R1]") {
    CHECK(readable<aggregation>);
    CHECK(writable<aggregation>);
    CHECK_FALSE(modifiable<aggregation>);
    CHECK_FALSE(acknowledgeable<aggregation>);

    CHECK(readable<status>);
    CHECK(acknowledgeable<status>);
    CHECK_FALSE(writable<status>);
    CHECK_FALSE(modifiable<status>);

    // Acknowledging would write zeros into the settings, and writing settings might acknowledge.
    CHECK(readable<settings_and_causes>);
    CHECK_FALSE(acknowledgeable<settings_and_causes>);
    CHECK_FALSE(writable<settings_and_causes>);
    CHECK_FALSE(modifiable<settings_and_causes>);

    // A whole word says of every bit whether to ring; read-modify-write would ring again for what was just finished.
    CHECK(writable<settings_and_doorbell>);
    CHECK_FALSE(ringable<settings_and_doorbell>);
    CHECK_FALSE(modifiable<settings_and_doorbell>);

    CHECK(modifiable<reg32<0, field<3, 0, access::read_write>, field<9, 8, access::read_write>>>);
}

TEST_CASE("a register that a look would change may not be dumped", "[inv:R2]") {
    CHECK(dumpable<all_of<access::read_only>>);
    CHECK(dumpable<all_of<access::write_1_to_clear>>);
    CHECK_FALSE(dumpable<all_of<access::read_to_clear>>);
    CHECK_FALSE(dumpable<errors>);
    CHECK_FALSE(dumpable<all_of<access::write_only>>);
    CHECK_FALSE(dumpable<all_of<access::write_0_to_clear>>);
}
