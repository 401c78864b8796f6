// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doorbell/lock/interrupt_mask.hpp>

/// The interrupt state of a pretended core, and a handle on it that masks.
struct test_interrupts {
    bool enabled = true;
    unsigned masks = 0;
    unsigned restores = 0;
};

class test_mask {
public:
    struct token {
        bool were_enabled;
    };

    static constexpr bool effective = true;

    constexpr explicit test_mask(test_interrupts& interrupts) noexcept : interrupts_{&interrupts} {}

    [[nodiscard]] constexpr token mask() const noexcept {
        ++interrupts_->masks;
        token const before{interrupts_->enabled};
        interrupts_->enabled = false;
        return before;
    }

    constexpr void restore(token before) const noexcept {
        ++interrupts_->restores;
        interrupts_->enabled = before.were_enabled;
    }

private:
    test_interrupts* interrupts_;
};

static_assert(doorbell::interrupt_mask<test_mask>);
