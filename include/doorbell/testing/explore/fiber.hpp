// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#    define DOORBELL_EXPLORE_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define DOORBELL_EXPLORE_ASAN 1
#    endif
#endif
#if defined(__SANITIZE_THREAD__)
#    define DOORBELL_EXPLORE_TSAN 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define DOORBELL_EXPLORE_TSAN 1
#    endif
#endif

#if defined(DOORBELL_EXPLORE_ASAN)
#    include <sanitizer/asan_interface.h>
#    include <sanitizer/common_interface_defs.h>
#endif
#if defined(DOORBELL_EXPLORE_TSAN)
#    include <sanitizer/tsan_interface.h>
#endif

namespace doorbell::testing::explore::detail {

/// Stacks with a guard page, used again and again.
class stack_pool {
public:
    static constexpr std::size_t bytes = std::size_t{256} * 1024;

    stack_pool() = default;
    stack_pool(stack_pool const&) = delete;
    stack_pool& operator=(stack_pool const&) = delete;

    ~stack_pool() {
        for (auto& each : all_) {
            source_.deallocate(each);
        }
    }

    [[nodiscard]] boost::context::stack_context take() {
        if (free_.empty()) {
            all_.push_back(source_.allocate());
            free_.push_back(all_.back());
            free_.reserve(all_.size());
        }
        boost::context::stack_context const stack = free_.back();
        free_.pop_back();
#if defined(DOORBELL_EXPLORE_ASAN)
        // Whoever was abandoned here has left his frames' red zones behind, also where the memory was given back and
        // allocated again.
        __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - stack.size, stack.size);
#endif
        return stack;
    }

    void give_back(boost::context::stack_context const& stack) noexcept { free_.push_back(stack); }

private:
    boost::context::protected_fixedsize_stack source_{bytes};
    std::vector<boost::context::stack_context> all_{};
    std::vector<boost::context::stack_context> free_{};
};

/// A context's own stack and place in its code. It is resumed by the scheduler and suspends to it. One that has not
/// finished when it is destroyed is abandoned: nothing is unwound, since its frames may be noexcept, so it must own
/// nothing but memory that someone else gives back.
class fiber {
public:
    fiber(stack_pool& pool, void (*run)(void*), void* argument)
        : pool_{&pool}, stack_{pool.take()}, run_{run}, argument_{argument} {
        // Room for the record that the library keeps at the top of the stack.
        ::new (storage()) boost::context::fiber{
            std::allocator_arg, boost::context::preallocated{stack_.sp, stack_.size, stack_}, no_deallocation{},
            [this](boost::context::fiber&& scheduler) {
                arrived();
                scheduler_ = std::addressof(scheduler);
                run_(argument_);
                finished_ = true;
                leave(true);
                return std::move(scheduler);
            }};
#if defined(DOORBELL_EXPLORE_TSAN)
        own_ = __tsan_create_fiber(0);
#endif
    }

    fiber(fiber const&) = delete;
    fiber& operator=(fiber const&) = delete;

    ~fiber() {
#if defined(DOORBELL_EXPLORE_TSAN)
        __tsan_destroy_fiber(own_);
#endif
        pool_->give_back(stack_);
    }

    [[nodiscard]] bool finished() const noexcept { return finished_; }

    /// Called by the scheduler: runs the context until it suspends or finishes.
    void resume() {
#if defined(DOORBELL_EXPLORE_ASAN)
        void* mine = nullptr;
        __sanitizer_start_switch_fiber(&mine, static_cast<char*>(stack_.sp) - stack_.size, stack_.size);
#endif
#if defined(DOORBELL_EXPLORE_TSAN)
        schedulers_ = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(own_, 0);
#endif
        handle() = std::move(handle()).resume();
#if defined(DOORBELL_EXPLORE_ASAN)
        __sanitizer_finish_switch_fiber(mine, nullptr, nullptr);
#endif
    }

    /// Called by the context: back to the scheduler.
    void suspend() {
        leave(false);
        *scheduler_ = std::move(*scheduler_).resume();
        arrived();
    }

private:
    struct no_deallocation {
        void deallocate(boost::context::stack_context&) const noexcept {}
    };

    void leave([[maybe_unused]] bool for_ever) noexcept {
#if defined(DOORBELL_EXPLORE_ASAN)
        __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake_stack_, scheduler_bottom_, scheduler_size_);
#endif
#if defined(DOORBELL_EXPLORE_TSAN)
        __tsan_switch_to_fiber(schedulers_, 0);
#endif
    }

    void arrived() noexcept {
#if defined(DOORBELL_EXPLORE_ASAN)
        __sanitizer_finish_switch_fiber(fake_stack_, &scheduler_bottom_, &scheduler_size_);
#endif
    }

    [[nodiscard]] void* storage() noexcept { return static_cast<void*>(storage_); }

    [[nodiscard]] boost::context::fiber& handle() noexcept {
        return *std::launder(static_cast<boost::context::fiber*>(storage()));
    }

    stack_pool* pool_;
    boost::context::stack_context stack_;
    void (*run_)(void*);
    void* argument_;
    boost::context::fiber* scheduler_ = nullptr;
    bool finished_ = false;
    // Never destroyed as a fiber: its destructor would unwind an abandoned stack.
    alignas(boost::context::fiber) unsigned char storage_[sizeof(boost::context::fiber)]{};
#if defined(DOORBELL_EXPLORE_ASAN)
    void* fake_stack_ = nullptr;
    void const* scheduler_bottom_ = nullptr;
    std::size_t scheduler_size_ = 0;
#endif
#if defined(DOORBELL_EXPLORE_TSAN)
    void* own_ = nullptr;
    void* schedulers_ = nullptr;
#endif
};

} // namespace doorbell::testing::explore::detail

#undef DOORBELL_EXPLORE_ASAN
#undef DOORBELL_EXPLORE_TSAN
