// SPDX-License-Identifier: BSL-1.0
#include <doorbell/testing/lock_watch.hpp>

#include <catch2/catch_test_macros.hpp>

#include <vector>

using doorbell::testing::lock_error;
using doorbell::testing::lock_user;
using doorbell::testing::lock_watch;

namespace {

struct diary {
    std::vector<int> lines{};
    std::vector<lock_error> errors{};

    [[nodiscard]] lock_watch::hooks hooks() {
        return {
            .self = this,
            .acquired = [](void* self) { static_cast<diary*>(self)->lines.push_back(1); },
            .released = [](void* self) { static_cast<diary*>(self)->lines.push_back(-1); },
            .failed = [](void* self, lock_error e) { static_cast<diary*>(self)->errors.push_back(e); }};
    }
};

} // namespace

TEST_CASE("a lock used rightly is held in between, counted, and in order") {
    diary seen;
    lock_watch watch{seen.hooks()};
    CHECK_FALSE(watch.held());
    auto const token = watch.acquire();
    CHECK(watch.held());
    CHECK(watch.held_by(lock_user::thread));
    CHECK_FALSE(watch.held_by(lock_user::hard_handler));
    watch.release(token);
    CHECK_FALSE(watch.held());
    CHECK_FALSE(watch.held_by(lock_user::thread));
    CHECK(watch.run_as(lock_user::hard_handler) == lock_user::thread);
    auto const next = watch.acquire();
    CHECK(next != token);
    CHECK(watch.held_by(lock_user::hard_handler));
    watch.release(next);
    CHECK(watch.acquisitions() == 2);
    CHECK(watch.errors() == 0);
    CHECK(seen.lines == std::vector<int>{1, -1, 1, -1});
    CHECK(seen.errors.empty());
    watch.forget_acquisitions();
    CHECK(watch.acquisitions() == 0);
}

TEST_CASE("taking the lock twice is an error, and one error only") {
    diary seen;
    lock_watch watch{seen.hooks()};
    auto const outer = watch.acquire();
    auto const inner = watch.acquire();
    watch.release(inner);
    CHECK(watch.held());
    watch.release(outer);
    CHECK_FALSE(watch.held());
    CHECK(seen.errors == std::vector{lock_error::recursive});
    CHECK(watch.errors(lock_error::recursive) == 1);
}

TEST_CASE("a hard handler that wants what the thread below it holds is a deadlock") {
    lock_watch watch{};
    auto const outer = watch.acquire();
    static_cast<void>(watch.run_as(lock_user::hard_handler));
    auto const inner = watch.acquire();
    CHECK(watch.held_by(lock_user::hard_handler));
    watch.release(inner);
    static_cast<void>(watch.run_as(lock_user::thread));
    CHECK(watch.held_by(lock_user::thread));
    watch.release(outer);
    CHECK(watch.errors(lock_error::deadlock) == 1);
    CHECK(watch.errors() == 1);
}

TEST_CASE("a context that may not take the lock is noticed") {
    lock_watch watch{};
    watch.allow(lock_user::hard_handler, false);
    watch.release(watch.acquire());
    CHECK(watch.errors() == 0);
    static_cast<void>(watch.run_as(lock_user::hard_handler));
    watch.release(watch.acquire());
    CHECK(watch.errors(lock_error::forbidden_context) == 1);
    watch.allow(lock_user::hard_handler);
    watch.release(watch.acquire());
    CHECK(watch.errors() == 1);
}

TEST_CASE("a release that does not fit its acquisition is noticed") {
    lock_watch watch{};
    watch.release(1);
    CHECK(watch.errors(lock_error::not_held) == 1);

    auto const first = watch.acquire();
    watch.release(first + 1);
    CHECK(watch.errors(lock_error::wrong_token) == 1);
    CHECK_FALSE(watch.held());

    auto const second = watch.acquire();
    static_cast<void>(watch.run_as(lock_user::hard_handler));
    watch.release(second);
    CHECK(watch.errors(lock_error::wrong_context) == 1);
    CHECK(watch.errors() == 3);
}

TEST_CASE("endless recursion is counted and breaks nothing") {
    lock_watch watch{};
    for (int i = 0; i != 100; ++i) {
        static_cast<void>(watch.acquire());
    }
    CHECK(watch.errors(lock_error::recursive) == 99);
    CHECK(watch.held());
}
