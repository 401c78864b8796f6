// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// What a caller may rely on, judged by somebody who sees no more than a caller does: writes that were reported,
/// flushes that were asked for and answered, what a failed device said in public, and what the blocks hold after a cut.
/// It knows nothing of generations, riders or device flushes.
namespace power_cut {

inline constexpr unsigned most_domains = 3;
inline constexpr unsigned most_streams = 4;

using domain_set = std::uint32_t; ///< bit n is domain n

/// Up to N things in a row, copied as a whole: histories are forked at every event.
template <class T, std::size_t N>
class row {
public:
    void push_back(T const& each) { things_.at(count_++) = each; }

    [[nodiscard]] std::size_t size() const noexcept { return count_; }

    [[nodiscard]] T& operator[](std::size_t i) { return things_[i]; }

    [[nodiscard]] T const& operator[](std::size_t i) const { return things_[i]; }

    [[nodiscard]] T* begin() noexcept { return things_.data(); }

    [[nodiscard]] T* end() noexcept { return things_.data() + count_; }

    [[nodiscard]] T const* begin() const noexcept { return things_.data(); }

    [[nodiscard]] T const* end() const noexcept { return things_.data() + count_; }

private:
    std::array<T, N> things_{};
    std::size_t count_ = 0;
};

/// The judge of one history of at most `Events` events. `Medium` answers `after_a_cut(domain, block)`: the stamp that
/// the block holds when only the medium is left. Writes of one domain carry ascending stamps.
template <std::size_t Events>
class oracle {
public:
    /// `window`: how old an acknowledged write may be that a cut loses; 0 where a flush is answered once it is true.
    explicit oracle(std::uint64_t window) : window_{window} {}

    /// The block layer tells a caller that this write has succeeded.
    void write_reported(unsigned domain, std::uint64_t block, std::uint64_t stamp) {
        domains_[domain].writes.push_back({block, stamp});
    }

    /// It tells that a write has failed. Where that is to fail the next flush, every stream is owed an error.
    void write_failed(unsigned domain, bool fails_flush) {
        for (auto& stream : streams_) {
            stream[domain].owed = stream[domain].owed or fails_flush;
        }
    }

    /// A caller asks for a flush; the number stands for the request until it is answered.
    [[nodiscard]] std::size_t asked(unsigned stream, domain_set where) {
        question q{.stream = stream, .where = where};
        for (unsigned d = 0; d < most_domains; ++d) {
            q.of[d] = {domains_[d].writes.size(), streams_[stream][d].told, streams_[stream][d].owed};
        }
        questions_.push_back(q);
        return questions_.size() - 1;
    }

    template <class Medium>
    void answered(std::size_t number, bool ok, std::uint64_t now, Medium const& blocks) {
        question const& q = questions_[number];
        for (unsigned d = 0; d < most_domains; ++d) {
            if ((q.where >> d & 1U) == 0) {
                continue;
            }
            if (ok) {
                promise(q.of[d], d, now, blocks);
            } else {
                // What was reported before this answer is not promised to this stream any more.
                streams_[q.stream][d] = {domains_[d].writes.size(), false};
                domains_[d].told_anybody = domains_[d].writes.size();
            }
        }
    }

    /// The device failed, and no cut did it. What had been acknowledged early and is gone, or will not be flushed any
    /// more, is excused from the window; but the next flush that covers it must not succeed. `blocks` tells what the
    /// block would hold if the device lived on. Levels that answer when it is true have no such excuse.
    template <class Medium>
    void device_failed(unsigned domain, Medium const& blocks) {
        for (auto& w : domains_[domain].writes) {
            w.betrayed = w.betrayed or (window_ != 0 and w.acknowledged != never and lost(domain, w, blocks));
        }
    }

    /// "You may switch the device off": everything that was reported is on the medium, or an error was answered since.
    template <class Medium>
    void may_switch_off(Medium const& blocks) {
        for (unsigned d = 0; d < most_domains; ++d) {
            for (std::size_t i = domains_[d].told_anybody; i < domains_[d].writes.size(); ++i) {
                if (lost(d, domains_[d].writes[i], blocks)) {
                    fail("the device may be switched off, but its cache holds a write", d, domains_[d].writes[i]);
                }
            }
        }
    }

    /// The power fails at this instant: is every promise kept?
    template <class Medium>
    void cut_here(std::uint64_t now, Medium const& blocks) {
        for (unsigned d = 0; d < most_domains; ++d) {
            for (auto const& w : domains_[d].writes) {
                bool const promised = w.acknowledged != never and not w.betrayed;
                if (promised and lost(d, w, blocks) and (window_ == 0 or now - w.acknowledged > window_)) {
                    fail("a cut loses a write that an answered flush covered", d, w);
                }
            }
        }
    }

    /// Nothing is wrong so far.
    [[nodiscard]] bool content() const noexcept { return what_.empty(); }

    [[nodiscard]] std::string text() const {
        return content() ? "content"
                         : std::string{what_} + ": domain " + std::to_string(where_) + ", block " +
                               std::to_string(which_.block) + ", stamp " + std::to_string(which_.stamp);
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    struct write {
        std::uint64_t block = 0;
        std::uint64_t stamp = 0;
        std::uint64_t acknowledged = never; ///< when a flush that covers it was first answered
        bool betrayed = false;              ///< acknowledged early, then lost by a failure of the device
    };

    struct domain_record {
        row<write, Events> writes{};
        std::size_t told_anybody = 0; ///< the writes before this one were reported before some error was answered
    };

    struct standing {
        std::size_t told = 0; ///< the writes before this one are those that an error of this stream spoke of
        bool owed = false;    ///< an error is due
    };

    struct extent {
        std::size_t before = 0;  ///< writes reported before it was asked
        std::size_t excused = 0; ///< of them, those that an error had spoken of
        bool owed = false;       ///< an error was due when it was asked
    };

    struct question {
        unsigned stream = 0;
        domain_set where = 0;
        std::array<extent, most_domains> of{};
    };

    template <class Medium>
    [[nodiscard]] static bool lost(unsigned d, write const& w, Medium const& blocks) {
        return blocks.after_a_cut(d, w.block) < w.stamp;
    }

    template <class Medium>
    void promise(extent const& of, unsigned d, std::uint64_t now, Medium const& blocks) {
        if (of.owed) {
            fail("an error was due and the flush was answered as a success", d, {});
        }
        for (std::size_t i = of.excused; i < of.before; ++i) {
            write& w = domains_[d].writes[i];
            if (w.betrayed and lost(d, w, blocks)) {
                fail("lost after an early answer, and the next flush was answered as a success", d, w);
            }
            w.acknowledged = w.acknowledged < now ? w.acknowledged : now;
        }
    }

    void fail(std::string_view what, unsigned d, write const& w) {
        if (content()) {
            what_ = what;
            where_ = d;
            which_ = w;
        }
    }

    std::uint64_t window_;
    std::array<domain_record, most_domains> domains_{};
    std::array<std::array<standing, most_domains>, most_streams> streams_{};
    row<question, Events> questions_{};
    std::string_view what_{};
    unsigned where_ = 0;
    write which_{};
};

} // namespace power_cut
