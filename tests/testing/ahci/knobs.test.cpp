// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/ahci/knobs.hpp>

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

using namespace doorbell::testing;

TEST_CASE("Every error of an AHCI driver has a sentence of its own and is counted apart") {
    std::set<std::string> sentences;
    ahci_errors errors;
    CHECK(errors.empty());
    for (unsigned n = 0; n < static_cast<unsigned>(ahci_error::count); ++n) {
        sentences.insert(describe(static_cast<ahci_error>(n)));
        errors.add(static_cast<ahci_error>(n));
        CHECK(errors.count(static_cast<ahci_error>(n)) == 1);
        CHECK(errors.total() == n + 1);
    }
    CHECK(sentences.size() == static_cast<std::size_t>(ahci_error::count));
    errors.clear();
    CHECK(errors.empty());
}
