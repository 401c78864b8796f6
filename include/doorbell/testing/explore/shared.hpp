// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../hosted.hpp"
#include "points.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace doorbell::testing::explore {

/// A word that contexts share: every load and store is a switch point. For models and small programs.
template <class T>
class shared {
public:
    shared(schedule& one, std::string name, T value = {}) : what_{one.thing(std::move(name))}, value_{value} {}

    shared(shared const&) = delete;
    shared& operator=(shared const&) = delete;

    [[nodiscard]] T load() const {
        point("load", what_, {what_, mode::read});
        if (schedule* const one = schedule::here()) {
            one->saw(static_cast<std::uint64_t>(value_));
        }
        return value_;
    }

    void store(T value) {
        point("store", what_, {what_, mode::write}, static_cast<std::uint64_t>(value));
        value_ = value;
    }

    /// One step.
    T exchange(T value) {
        point("exchange", what_, {what_, mode::write}, static_cast<std::uint64_t>(value));
        return std::exchange(value_, value);
    }

    /// Waits until the word has this value.
    void await(T value) const {
        wait_until("await", what_, {what_, mode::read}, [this, value] { return value_ == value; });
    }

    /// No switch point: for checks, and for what has just been stepped over.
    [[nodiscard]] T peek() const noexcept { return value_; }

    [[nodiscard]] object what() const noexcept { return what_; }

private:
    object what_;
    T value_;
};

/// What a thread sleeps on. A wake is sticky: one that comes before the sleep ends it at once, and many are one. [H3]
class wake_flag {
public:
    explicit wake_flag(schedule& one, std::string name = "wake") : what_{one.thing(std::move(name))} {}

    wake_flag(wake_flag const&) = delete;
    wake_flag& operator=(wake_flag const&) = delete;

    void wake() {
        point("wake", what_, {what_, mode::write});
        set_ = true;
    }

    void sleep() {
        wait_until("sleep", what_, {what_, mode::write}, [this] { return set_; });
        set_ = false;
    }

private:
    object what_;
    bool set_ = false;
};

/// How many are inside something, for those who wait until nobody is: what synchronising with an interrupt does.
class presence {
public:
    explicit presence(schedule& one, std::string name) : what_{one.thing(std::move(name))} {}

    presence(presence const&) = delete;
    presence& operator=(presence const&) = delete;

    void enter() {
        point("enter", what_, {what_, mode::write});
        ++inside_;
    }

    void leave() {
        point("leave", what_, {what_, mode::write});
        --inside_;
    }

    void await_nobody() const {
        wait_until("synchronize", what_, {what_, mode::read}, [this] { return inside_ == 0; });
    }

    /// No switch point: for conditions that touch `what`.
    [[nodiscard]] unsigned count() const noexcept { return inside_; }

    [[nodiscard]] object what() const noexcept { return what_; }

private:
    object what_;
    unsigned inside_ = 0;
};

} // namespace doorbell::testing::explore
