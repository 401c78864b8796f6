// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "hosted.hpp"

#include <cstdint>

namespace doorbell::testing {

/// Who runs, as far as a lock is concerned. The test says it; nothing finds it out.
enum class lock_user : std::uint8_t { thread, hard_handler };

/// What was done wrong with a lock.
enum class lock_error : std::uint8_t {
    recursive,         ///< acquired by the context that holds it
    deadlock,          ///< acquired while the other context holds it: on one core nobody would ever release it
    forbidden_context, ///< acquired in a context that the test forbids
    not_held,          ///< released while nobody held it
    wrong_token,       ///< released with a token of another acquisition
    wrong_context,     ///< released by the context that does not hold it
};

/// The state behind checking locks: one virtual core, on which a test switches between thread and hard handler. Errors
/// are counted and told to a hook; the lock then behaves as if the step had been right, so that one fault gives one
/// error.
class lock_watch {
public:
    /// What happens at the lock, for those who measure or switch there. `self` is passed through.
    struct hooks {
        void* self = nullptr;
        void (*acquired)(void* self) = nullptr;
        void (*released)(void* self) = nullptr;
        void (*failed)(void* self, lock_error error) = nullptr;
    };

    constexpr lock_watch() noexcept = default;

    constexpr explicit lock_watch(hooks h) noexcept : hooks_{h} {}

    lock_watch(lock_watch const&) = delete;
    lock_watch& operator=(lock_watch const&) = delete;

    /// Says who runs from now on; returns who ran before.
    constexpr lock_user run_as(lock_user user) noexcept {
        lock_user const before = user_;
        user_ = user;
        return before;
    }

    /// Whether the context may take the lock; at first both may.
    constexpr void allow(lock_user user, bool may = true) noexcept { allowed_[index(user)] = may; }

    [[nodiscard]] constexpr bool held() const noexcept { return depth_ != 0; }

    [[nodiscard]] constexpr bool held_by(lock_user user) const noexcept { return held() and top().holder == user; }

    [[nodiscard]] constexpr std::uint64_t acquisitions() const noexcept { return acquisitions_; }

    constexpr void forget_acquisitions() noexcept { acquisitions_ = 0; }

    [[nodiscard]] constexpr std::uint64_t errors() const noexcept { return errors_; }

    [[nodiscard]] constexpr std::uint64_t errors(lock_error kind) const noexcept {
        return by_kind_[static_cast<unsigned>(kind)];
    }

    /// What the lock calls. The token is the number of the acquisition.
    [[nodiscard]] constexpr std::uint64_t acquire() noexcept {
        if (held()) {
            fail(held_by(user_) ? lock_error::recursive : lock_error::deadlock);
        } else if (not allowed_[index(user_)]) {
            fail(lock_error::forbidden_context);
        }
        ++depth_;
        ++acquisitions_;
        top() = {.token = acquisitions_, .holder = user_};
        if (hooks_.acquired != nullptr) {
            hooks_.acquired(hooks_.self);
        }
        return acquisitions_;
    }

    constexpr void release(std::uint64_t token) noexcept {
        if (not held()) {
            fail(lock_error::not_held);
            return;
        }
        if (token != top().token) {
            fail(lock_error::wrong_token);
        } else if (not held_by(user_)) {
            fail(lock_error::wrong_context);
        }
        --depth_;
        if (hooks_.released != nullptr) {
            hooks_.released(hooks_.self);
        }
    }

private:
    struct hold {
        std::uint64_t token;
        lock_user holder;
    };

    static constexpr unsigned room = 8;

    [[nodiscard]] static constexpr unsigned index(lock_user user) noexcept { return static_cast<unsigned>(user); }

    // A right program never holds it twice; one that runs away into recursion shares the last place.
    [[nodiscard]] constexpr hold& top() noexcept { return holds_[depth_ < room ? depth_ : room]; }

    [[nodiscard]] constexpr hold const& top() const noexcept { return holds_[depth_ < room ? depth_ : room]; }

    constexpr void fail(lock_error error) noexcept {
        ++errors_;
        ++by_kind_[static_cast<unsigned>(error)];
        if (hooks_.failed != nullptr) {
            hooks_.failed(hooks_.self, error);
        }
    }

    hooks hooks_{};
    std::uint64_t acquisitions_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t by_kind_[6]{};
    hold holds_[room + 1]{};
    unsigned depth_ = 0;
    bool allowed_[2]{true, true};
    lock_user user_ = lock_user::thread;
};

} // namespace doorbell::testing
