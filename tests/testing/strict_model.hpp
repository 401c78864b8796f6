// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <doorbell/testing/ufshci_model.hpp>

/// A model that fails the running test for every programming error of the driver that it found and the test did not
/// take away with errors().clear().
class strict_model : public doorbell::testing::ufshci_model {
public:
    explicit strict_model(doorbell::testing::ufshci_knobs const& knobs = {}) : ufshci_model(knobs) {}

    strict_model(strict_model const&) = delete;
    strict_model& operator=(strict_model const&) = delete;

    ~strict_model() {
        for (std::size_t i = 0; i < errors().size(); ++i) {
            UNSCOPED_INFO(errors()[i].text());
        }
        for (std::size_t i = 0; not errors().empty() and i < log().size(); ++i) {
            UNSCOPED_INFO(doorbell::testing::to_string(log()[i]));
        }
        CHECK(errors().total() == 0);
    }
};

/// A strict model that is enabled, linked and running.
class running_model : public strict_model {
public:
    explicit running_model(doorbell::testing::ufshci_knobs const& knobs = {}) : strict_model(knobs) { bring_up(); }
};
