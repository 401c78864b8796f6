// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../dma/concepts.hpp"
#include "ufshci_model.hpp"

namespace doorbell::testing {

/// The DMA policy of a driver under test: tells the model what was synchronised, and when, so that a synchronisation
/// that is missing, too early or too late is found [R5]. With the knob `dma_needs_sync` it also is what moves the
/// bytes. A handle, as cheap to copy as a pointer; the model must outlive it. One thread.
class model_dma {
public:
    explicit constexpr model_dma(ufshci_model& model) noexcept : model_(&model) {}

    void for_device(tag which) const noexcept { model_->for_device(which.index); }

    void for_cpu(tag which) const noexcept { model_->for_cpu(which.index); }

private:
    ufshci_model* model_;
};

static_assert(dma_policy<model_dma>);

} // namespace doorbell::testing
