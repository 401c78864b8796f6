// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "duration.hpp"
#include "machine_costs.hpp"
#include "policies.hpp"
#include "policy_run.hpp"

#include <doorbell/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

namespace replay {

/// What the user asked for.
struct command_line {
    std::vector<std::string> files{};
    std::vector<policy_entry> policies{};
    machine_costs costs{};
    policy_settings policy{};
    std::uint64_t line_time_ns = 1'000;
    std::string json{};
    std::string timeline{};
};

namespace detail {

/// An option whose value is a time.
inline void add_time(
    CLI::App& app, std::string const& name, std::uint64_t& value, std::uint64_t least, std::string const& help,
    std::string const& standard) {
    app.add_option_function<std::string>(
           name,
           [&value, least, name](std::string const& text) {
               auto const ns = parse_duration(text);
               if (not ns or *ns < least) {
                   throw CLI::ValidationError{
                       name, "'" + text + "' is no time " + (least > 0 ? "above 0 " : "") +
                                 "(20us, 4ms, 250 for nanoseconds)"};
               }
               value = *ns;
           },
           help)
        ->type_name("TIME")
        ->default_str(standard);
}

/// The policies named in a list with commas.
inline std::vector<policy_entry> choose(std::string const& list, std::span<policy_entry const> known) {
    std::vector<policy_entry> chosen;
    std::string all;
    for (policy_entry const& p : known) {
        all += (all.empty() ? "" : ", ") + std::string{p.name};
    }
    for (std::size_t from = 0; from <= list.size();) {
        std::size_t const to = std::min(list.find(',', from), list.size());
        std::string const name = list.substr(from, to - from);
        auto const found = std::ranges::find(known, std::string_view{name}, &policy_entry::name);
        if (found == known.end()) {
            throw CLI::ValidationError{"--policy", "'" + name + "' is no policy; there are " + all};
        }
        if (std::ranges::find(chosen, found->name, &policy_entry::name) != chosen.end()) {
            throw CLI::ValidationError{"--policy", "'" + name + "' is named twice"};
        }
        chosen.push_back(*found);
        from = to + 1;
    }
    return chosen;
}

/// Do both paths lead to one file, also by a link or by way of `.`? A device, /dev/null for one, may serve twice.
inline bool same_file(std::string const& a, std::string const& b) {
    namespace fs = std::filesystem;
    std::error_code failed; // a path that leads nowhere is told when it is opened
    fs::path const one = fs::weakly_canonical(fs::absolute(a, failed), failed);
    fs::path const other = fs::weakly_canonical(fs::absolute(b, failed), failed);
    bool const same = a == b or (one == other and not one.empty()) or fs::equivalent(a, b, failed);
    return same and not fs::is_character_file(a, failed);
}

inline void check(command_line const& asked) {
    for (std::string const* output : {&asked.json, &asked.timeline}) {
        for (std::string const& file : asked.files) {
            if (not output->empty() and same_file(*output, file)) {
                throw CLI::ValidationError{*output, "is a recording; it would be overwritten"};
            }
        }
    }
    if (not asked.json.empty() and not asked.timeline.empty() and same_file(asked.json, asked.timeline)) {
        throw CLI::ValidationError{asked.json, "cannot be both --json and --timeline"};
    }
}

} // namespace detail

/// The parsed command line, or the exit status when there is nothing (more) to do.
[[nodiscard]] inline std::variant<command_line, int> parse_command_line(
    int argc, char const* const* argv, std::span<policy_entry const> known, std::ostream& out, std::ostream& err) {
    CLI::App app{
        "Replays recorded traffic of UFS drivers through the composed core of doorbell and through the loops of "
        "Linux, on a register model in virtual time, and prints what each policy did. The format of a recording "
        "is found from its content: text of the kernel's trace file, of `trace-cmd report` or of `perf script` "
        "with ufshcd_command events, or register traffic of QEMU's UFS device.",
        "replay"};
    command_line asked;
    std::string policies;
    for (policy_entry const& p : known) {
        policies += (policies.empty() ? "" : ",") + std::string{p.name};
    }
    app.add_option("recording", asked.files, "Recordings to replay")->required()->type_name("FILE");
    app.add_option("--policy", policies, "Policies to run, with commas between them")
        ->type_name("LIST")
        ->capture_default_str();
    detail::add_time(
        app, "--budget", asked.policy.budget_ns, 1, "Budget of time and linux-budgeted in the hard handler", "20us");
    app.add_option(
           "--count", asked.policy.count, "Requests that count completes in the hard handler: 1, 2, 4, 8, 16, 32")
        ->check(CLI::IsMember(std::vector<unsigned>(possible_counts.begin(), possible_counts.end())))
        ->type_name("N")
        ->capture_default_str();
    detail::add_time(
        app, "--tick", asked.policy.tick_ns, 1, "Tick of the clock of linux-budgeted; 1ns for its later form", "4ms");
    detail::add_time(app, "--line-time", asked.line_time_ns, 1, "Time of one line of register traffic", "1us");
    detail::add_time(
        app, "--entry-cost", asked.costs.entry_ns, 0, "From the interrupt line to the hard handler", "1us");
    detail::add_time(app, "--read-cost", asked.costs.read_ns, 0, "A register read", "200ns");
    detail::add_time(app, "--write-cost", asked.costs.write_ns, 0, "A register write", "50ns");
    detail::add_time(app, "--wake-cost", asked.costs.wake_ns, 0, "From a wake to the thread", "10us");
    detail::add_time(app, "--callback-cost", asked.costs.callback_ns, 0, "The upper layer's work on a request", "2us");
    app.add_option("--json", asked.json, "Write the results there")->type_name("FILE");
    app.add_option("--timeline", asked.timeline, "Write a trace for Perfetto there")->type_name("FILE");
    constexpr auto version = doorbell::version;
    app.set_version_flag(
        "--version", "replay of doorbell " + std::to_string(version.major_part) + "." +
                         std::to_string(version.minor_part) + "." + std::to_string(version.patch_part));
    app.footer(
        "Exit status: 0; 1 when a policy of the library lost or doubled a request; 2 for bad usage or bad input.\n"
        "docs/replay.md explains the columns.");
    try {
        app.parse(argc, argv);
        asked.policies = detail::choose(policies, known);
        detail::check(asked);
    } catch (CLI::ParseError const& e) {
        return app.exit(e, out, err) == 0 ? 0 : 2;
    }
    return asked;
}

} // namespace replay
