// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "recording.hpp"

#include <doorbell/testing/ufshci_model.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace conformance {

struct result {
    std::map<std::uint32_t, std::uint64_t> compared{}; // accesses per register
    std::uint64_t reads = 0, writes = 0, line_changes = 0, evaluations = 0;
    std::uint64_t deferred = 0; // completion queue posts that ran after further accesses
    std::size_t most_candidates = 1;
    std::uint64_t driver_errors = 0;
    std::vector<std::string> differences{}; // empty: the model explains the recording

    [[nodiscard]] bool conforms() const { return differences.empty(); }
};

/// Feeds a model with the driver's writes and the device's events and compares every recorded read, and every place
/// where the line was evaluated. What was recorded as read and the line reach nothing but this comparison.
///
/// One step of the recorded device leaves no event of its own: the deferred step that moves finished requests into a
/// completion ring (it only shows in what it changes). So after each finished request of a queue there are as many
/// candidates as there are places for that step, each a whole model of its own; a comparison that fails ends its
/// candidate, and a recording conforms when one candidate explains all of it. Without queues there is one candidate.
template <typename Model = doorbell::testing::ufshci_model>
class replayer {
public:
    explicit replayer(recording const& what) : recording_(what) {
        auto knobs = doorbell::testing::qemu_10(what.queues ? what.queue_count : 0);
        candidates_.push_back(std::make_unique<candidate>(candidate{Model(knobs)}));
    }

    result run() {
        for (event const& e : recording_.events) {
            fork();
            step(e);
            if (candidates_.empty()) {
                out_.differences.push_back(recording_.name + ":" + std::to_string(e.line) + ": " + last_difference_);
                return out_;
            }
        }
        out_.driver_errors = candidates_.front()->model.errors().total();
        out_.deferred = candidates_.front()->deferred;
        return out_;
    }

private:
    struct candidate {
        Model model;
        std::uint64_t deferred = 0;
        bool accessed = false; // since a request finished whose entry is not posted
    };

    static constexpr std::size_t limit = 512;

    /// For each candidate and each completion queue with entries that wait: the step runs here, or later.
    void fork() {
        for (unsigned queue = 0; recording_.queues and queue < recording_.queue_count; ++queue) {
            std::size_t const before = candidates_.size();
            for (std::size_t i = 0; i < before and candidates_.size() < limit; ++i) {
                if (candidates_[i]->model.unposted() == 0) {
                    continue;
                }
                auto posted = std::make_unique<candidate>(*candidates_[i]);
                if (posted->model.post(queue)) {
                    posted->deferred += posted->accessed ? 1u : 0u;
                    posted->accessed = false;
                    keep(std::move(posted));
                }
            }
        }
        out_.most_candidates = std::max(out_.most_candidates, candidates_.size());
    }

    void keep(std::unique_ptr<candidate> c) {
        for (auto const& other : candidates_) {
            if (same(other->model, c->model)) {
                return;
            }
        }
        candidates_.push_back(std::move(c));
    }

    static bool same(Model const& a, Model const& b) {
        if (a.unposted() != b.unposted() or a.line() != b.line()) {
            return false;
        }
        for (std::size_t at = 0; at < Model::window; at += 4) {
            if (a.peek(at) != b.peek(at)) {
                return false;
            }
        }
        return true;
    }

    void step(event const& e) {
        bool const access = e.kind == event_kind::read or e.kind == event_kind::write;
        if (access) {
            ++out_.compared[e.a];
            ++(e.kind == event_kind::read ? out_.reads : out_.writes);
        }
        if (e.kind == event_kind::raise or e.kind == event_kind::lower) {
            ++out_.evaluations;
            out_.line_changes += line_ != (e.kind == event_kind::raise) ? 1u : 0u;
            line_ = e.kind == event_kind::raise;
        }
        std::erase_if(candidates_, [&](auto const& c) { return not agrees(*c, e); });
    }

    bool agrees(candidate& c, event const& e) {
        Model& m = c.model;
        switch (e.kind) {
        case event_kind::read: {
            c.accessed = c.accessed or m.unposted() != 0;
            if (m.line() != line_) {
                return differ(std::string("line is recorded ") + (line_ ? "high" : "low") + " before this access");
            }
            std::uint32_t const answer = m.load(e.a);
            return answer == e.b or differ(
                                        "read of " + doorbell::testing::register_name(e.a) + ": recorded " + hex(e.b) +
                                        ", model " + hex(answer));
        }
        case event_kind::write:
            c.accessed = c.accessed or m.unposted() != 0;
            if (m.line() != line_) {
                return differ(std::string("line is recorded ") + (line_ ? "high" : "low") + " before this access");
            }
            m.store(e.a, e.b);
            return true;
        case event_kind::raise:
        case event_kind::lower:
            return m.line() == line_ or differ(std::string("line is recorded ") + (line_ ? "high" : "low"));
        case event_kind::uic:
            for (unsigned i = 0; i < 3; ++i) {
                if (m.peek(doorbell::ufs::offset::ucmdarg1 + 4 * i) != e.args[i]) {
                    return differ("argument of the UIC command differs");
                }
            }
            return m.finish_uic() or differ("the model has no UIC command in flight");
        case event_kind::sendback:
            return m.finish(e.a) or differ("the model has no request in slot " + std::to_string(e.a));
        case event_kind::queue_done:
            return m.finish_next(e.a) or differ("the model has no request of queue " + std::to_string(e.a));
        }
        return false;
    }

    bool differ(std::string what) {
        last_difference_ = std::move(what);
        return false;
    }

    static std::string hex(std::uint32_t value) {
        constexpr char digits[] = "0123456789abcdef";
        std::string out = "0x";
        for (int shift = 28; shift >= 0; shift -= 4) {
            out += digits[(value >> static_cast<unsigned>(shift)) & 0xFu];
        }
        return out;
    }

    recording const& recording_;
    std::vector<std::unique_ptr<candidate>> candidates_{};
    result out_{};
    std::string last_difference_{};
    bool line_ = false; // as recorded
};

} // namespace conformance
