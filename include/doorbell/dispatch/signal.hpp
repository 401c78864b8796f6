// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace doorbell {

struct signal_family;
struct order_family;
struct gathering_family;
struct read_back_family;

/// Option of `host`: the line is high while an enabled cause stands. One round per entry: the line itself asks for the
/// next. The default. [D1]
struct level_line {
    using family = signal_family;
    static constexpr bool level = true;
    static constexpr unsigned rounds = 1;
};

/// Option of `host`: an interrupt comes when the first cause appears, and none while one stands. So each entry clears,
/// serves and reads again until nothing stands, at most `Rounds` times; then the thread goes on. [D1] [D7]
template <unsigned Rounds = 4>
struct edge_line {
    static_assert(
        Rounds > 1,
        "doorbell: an edge is not repeated, so the status has to be read again; write edge_line<2> or more");
    using family = signal_family;
    static constexpr bool level = false;
    static constexpr unsigned rounds = Rounds;
};

/// Option of `host`: a message per 0 to 1 of the summed causes; served like an edge. [D1]
template <unsigned Rounds = 4>
struct message : edge_line<Rounds> {};

/// Option of `host`: acknowledge the causes that were read, then look what finished. The default. [D1]
struct acknowledge_first {
    using family = order_family;
    static constexpr bool optimistic_order = false;

    struct state {};
};

/// Option of `host`, level lines only: acknowledge the transfer cause without having read it, and look what finished.
/// The status is read in the same entry when nothing was found, when another command is expected to finish, when the
/// thread owns the transfers, and in every `Every`th entry. 1 + 1/Every reads of registers per interrupt. [D1a]
template <unsigned Every = 64>
struct optimistic {
    static_assert(Every > 0, "doorbell: the status has to be read now and then; write optimistic<64>");
    using family = order_family;
    static constexpr bool optimistic_order = true;

    struct state {
        unsigned until_look = Every;
    };

    static constexpr unsigned every = Every;
};

/// Option of `host`: every completion raises its cause by itself. The default.
struct each_completion {
    using family = gathering_family;
    static constexpr bool gathers = false;
};

/// Option of `host`: the controller gathers up to `Count` completions into one interrupt, for at most `Units` units of
/// its timer (UFSHCI: 40 us). The counter is reset before the completion state is read, so that what finishes in
/// between is counted anew.
template <unsigned Count, unsigned Units>
struct gathered {
    static_assert(
        Count > 0 and Count < 32, "doorbell: the threshold of interrupt aggregation has five bits; write 1 to 31");
    static_assert(
        Units > 0 and Units < 256,
        "doorbell: without its timer the last completions would wait for ever; write 1 to 255 units");
    using family = gathering_family;
    static constexpr bool gathers = true;
    static constexpr unsigned count = Count;
    static constexpr unsigned units = Units;
};

/// Option of `host`: leave the acknowledge to reach the controller in its own time. The default.
struct posted_acknowledge {
    using family = read_back_family;
    static constexpr bool reads_back = false;
};

/// Option of `host`: read the status back behind the acknowledge, so that a line that is seen late does not bring a
/// second, empty entry. One register read per entry.
struct flushed_acknowledge {
    using family = read_back_family;
    static constexpr bool reads_back = true;
};

} // namespace doorbell
