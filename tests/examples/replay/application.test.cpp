// SPDX-License-Identifier: BSL-1.0
#include "texts.hpp"

#include <replay/application.hpp>
#include <replay/cores.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using texts::event;
using json = nlohmann::json;

namespace {

struct ended {
    int status;
    std::string out;
    std::string err;
};

ended replay_with(std::span<replay::policy_entry const> policies, std::vector<std::string> const& arguments) {
    std::vector<char const*> argv{"replay"};
    for (std::string const& a : arguments) {
        argv.push_back(a.c_str());
    }
    std::ostringstream out;
    std::ostringstream err;
    int const status = replay::application(static_cast<int>(argv.size()), argv.data(), policies, {out, err});
    return {status, out.str(), err.str()};
}

ended run(std::vector<std::string> const& arguments) {
    return replay_with(replay::all_policies, arguments);
}

/// A folder of its own for each test, gone with it.
class folder {
public:
    folder() : path_{std::filesystem::temp_directory_path() / ("replay-test-" + std::to_string(::getpid()))} {
        std::filesystem::create_directories(path_);
    }

    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;

    ~folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string path(std::string const& name) const { return (path_ / name).string(); }

    std::string write(std::string const& name, std::string const& text) const {
        std::ofstream{path(name), std::ios::binary} << text;
        return path(name);
    }

private:
    std::filesystem::path path_;
};

/// 32 requests that finish together: any budget leaves something over.
std::string burst() {
    std::string text;
    for (unsigned tag = 0; tag < 32; ++tag) {
        text += event("1.0", "send_req", std::to_string(tag));
    }
    for (unsigned tag = 0; tag < 32; ++tag) {
        text += event("1.001", "complete_rsp", std::to_string(tag));
    }
    return text;
}

/// The library's core whose thread forgets what it was left.
class dropping_core final : public replay::core_under_test {
public:
    static constexpr bool own = true;

    dropping_core(replay::virtual_machine& machine, replay::policy_settings const& settings)
        : core_{machine, settings} {}

    void start() noexcept override { core_.start(); }

    bool submit(unsigned slot) noexcept override { return core_.submit(slot); }

    replay::handling on_hard_irq() noexcept override { return core_.on_hard_irq(); }

    bool on_thread() noexcept override { return false; }

private:
    replay::count_core<8> core_;
};

/// The library's core in whose driver each request completes twice.
class doubling_core final : public replay::core_under_test {
public:
    static constexpr bool own = true;

    doubling_core(replay::virtual_machine& machine, replay::policy_settings const& settings)
        : machine_{machine}, core_{machine, settings} {}

    void start() noexcept override { core_.start(); }

    bool submit(unsigned slot) noexcept override { return core_.submit(slot); }

    replay::handling on_hard_irq() noexcept override {
        auto const asked = core_.on_hard_irq();
        machine_.callback(0);
        return asked;
    }

    bool on_thread() noexcept override { return core_.on_thread(); }

private:
    replay::virtual_machine& machine_;
    replay::hard_core core_;
};

/// The library's core behind a handler that is never reached: the line stays up.
class deaf_core final : public replay::core_under_test {
public:
    static constexpr bool own = true;

    deaf_core(replay::virtual_machine& machine, replay::policy_settings const& settings) : core_{machine, settings} {}

    void start() noexcept override { core_.start(); }

    bool submit(unsigned slot) noexcept override { return core_.submit(slot); }

    replay::handling on_hard_irq() noexcept override { return {}; }

    bool on_thread() noexcept override { return false; }

private:
    replay::hard_core core_;
};

} // namespace

TEST_CASE("the recordings in tests/data lose nothing under the library's policies") {
    std::vector<std::string> files;
    for (auto const& entry : std::filesystem::directory_iterator{"tests/data"}) {
        if (entry.path().extension() == ".ftrace" or entry.path().extension() == ".mmio") {
            files.push_back(entry.path().string());
        }
    }
    REQUIRE(files.size() >= 6);
    folder const dir;
    files.insert(files.end(), {"--json", dir.path("out.json")});
    auto const r = run(files);
    CHECK(r.status == 0);
    CHECK(r.err.empty());
    json const all = json::parse(std::ifstream{dir.path("out.json")});
    std::size_t replayed = 0;
    for (auto const& recording : all.at("recordings")) {
        for (auto const& p : recording.at("policies")) {
            CAPTURE(recording.at("file"), p.at("policy"));
            CHECK(p.at("lost") == 0);
            CHECK(p.at("doubled") == 0);
            CHECK(p.at("requests") > 2600);
            CHECK(p.at("completed") == p.at("requests"));
            ++replayed;
        }
    }
    CHECK(replayed >= 5 * 7);
}

TEST_CASE("the results as JSON have exactly the documented members") {
    folder const dir;
    auto const file = dir.write("a.txt", burst());
    auto const r = run(
        {file, "--json", dir.path("out.json"), "--policy", "linux-budgeted,time", "--tick", "1ns", "--write-cost",
         "0"});
    CHECK(r.status == 0); // what a baseline loses is expected
    json const all = json::parse(std::ifstream{dir.path("out.json")});
    auto const names = [](json const& object) {
        std::vector<std::string> keys;
        for (auto const& [key, value] : object.items()) {
            keys.push_back(key);
        }
        std::ranges::sort(keys);
        return keys;
    };
    CHECK(names(all) == std::vector<std::string>{"recordings"});
    REQUIRE(all.at("recordings").size() == 1);
    auto const& recording = all.at("recordings")[0];
    CHECK(
        names(recording) ==
        std::vector<std::string>{"file", "format", "lost_in_gap", "open", "policies", "queued", "skipped"});
    CHECK(recording.at("file") == file);
    CHECK(recording.at("format") == "ftrace");
    REQUIRE(recording.at("policies").size() == 2);
    auto const& budgeted = recording.at("policies")[0];
    CHECK(
        names(budgeted) == std::vector<std::string>{
                               "added_max_ns", "added_mean_ns", "completed", "doubled", "hard_max_ns", "interrupts",
                               "lock_max_ns", "lost", "policy", "reads_per_request", "requests", "wakeups",
                               "writes_per_request"});
    CHECK(budgeted.at("policy") == "linux-budgeted");
    CHECK(budgeted.at("lost") == 22);
    CHECK(budgeted.at("completed") == 10);
    CHECK(recording.at("policies")[1].at("lost") == 0);
    CHECK(recording.at("policies")[1].at("hard_max_ns") == 20'400);
}

TEST_CASE("a core of the library that drops its leftover is found out, with exit status 1") {
    folder const dir;
    auto const file = dir.write("a.txt", burst());
    std::vector<replay::policy_entry> const policies{
        {"good", &replay::make_run<replay::count_core<8>>}, {"bad", &replay::make_run<dropping_core>}};
    auto const r = replay_with(policies, {file, "--json", dir.path("out.json"), "--write-cost", "0"});
    CHECK(r.status == 1);
    CHECK_THAT(r.err, ContainsSubstring("policy bad lost 24 and doubled 0 requests"));
    json const all = json::parse(std::ifstream{dir.path("out.json")});
    CHECK(all["recordings"][0]["policies"][0]["lost"] == 0);
    CHECK(all["recordings"][0]["policies"][1]["lost"] == 24);
    CHECK(all["recordings"][0]["policies"][1]["completed"] == 8);
    CHECK(replay_with(policies, {file, "--policy", "good"}).status == 0);
    // Beside bad input too: losing a request is the worse of the two.
    CHECK(replay_with(policies, {file, dir.path("missing")}).status == 1);
}

TEST_CASE("a core that keeps all slots to itself ends, and is found out") {
    std::string text = burst();
    for (unsigned n = 0; n < 1000; ++n) {
        std::string const second = std::to_string(n + 2);
        text += event(second + ".0", "send_req", "1") + event(second + ".5", "complete_rsp", "1");
    }
    folder const dir;
    std::vector<replay::policy_entry> const policies{{"deaf", &replay::make_run<deaf_core>}};
    auto const r = replay_with(policies, {dir.write("a.txt", text)});
    CHECK(r.status == 1);
    CHECK_THAT(r.err, ContainsSubstring("policy deaf lost 32 and"));
    CHECK_THAT(r.err, ContainsSubstring("interrupt storm"));
    CHECK_THAT(r.err, ContainsSubstring("no slot became free"));
}

TEST_CASE("a core of the library that completes a request twice is found out, with exit status 1") {
    folder const dir;
    std::vector<replay::policy_entry> const policies{{"twice", &replay::make_run<doubling_core>}};
    auto const r =
        replay_with(policies, {dir.write("a.txt", event("1.0", "send_req", "9") + event("1.1", "complete_rsp", "9"))});
    CHECK(r.status == 1);
    CHECK_THAT(r.err, ContainsSubstring("policy twice lost 0 and doubled 1 requests"));
}

TEST_CASE("bad input is told by file and line, with exit status 2, and does not keep the others from being replayed") {
    folder const dir;
    auto const good = dir.write("good.txt", burst());
    auto const twice =
        dir.write("twice.txt", "# tracer: nop\n" + event("1.0", "send_req", "1") + event("1.1", "send_req", "1"));

    struct {
        std::string file;
        std::string said;
    } const rows[] = {
        {dir.path("missing"), ":0: cannot be opened: No such file or directory"},
        {dir.path(""), ":0: is a directory"},
        {dir.write("empty", ""), ":0: no event at all"},
        {dir.write(
             "noise",
             std::string{
                 "\x7f"
                 "ELF\x02\0\0\n\n",
                 9}),
         ":1: binary noise"},
        {dir.write("text", "hello\n"), ":1: no event at all"},
        {twice, ":3: tag 1 is sent twice; its request of line 2 has not completed"},
    };

    for (auto const& row : rows) {
        CAPTURE(row.file);
        auto const r = run({row.file, good, "--policy", "hard"});
        CHECK(r.status == 2);
        CHECK_THAT(r.err, StartsWith(row.file + row.said));
        CHECK_THAT(r.out, ContainsSubstring(good + " (ftrace)"));
        CHECK_THAT(r.out, ContainsSubstring("32 requests"));
        CHECK_THAT(r.out, not ContainsSubstring(row.file + " ("));
    }
}

TEST_CASE("a cut last line is told, and is no fault") {
    folder const dir;
    auto const file = dir.write("cut.txt", burst() + "     fio-100   [000] .....  1.2: ufshcd_comm");
    auto const r = run({file});
    CHECK(r.status == 0);
    CHECK(r.err == file + ":65: the last line is cut; it is ignored\n");
}

TEST_CASE("multi-queue register traffic is told not to be replayable yet, and is no fault") {
    folder const dir;
    auto const r = run({"tests/data/formats/qemu-multi-queue.txt", "--json", dir.path("out.json")});
    CHECK(r.status == 0);
    CHECK(r.err.empty());
    CHECK_THAT(r.out, ContainsSubstring("not replayable yet"));
    json const all = json::parse(std::ifstream{dir.path("out.json")});
    CHECK(all["recordings"][0]["format"] == "qemu-mcq");
    CHECK(all["recordings"][0]["policies"].empty());
    CHECK(run({"tests/data/formats/qemu-multi-queue.txt", dir.path("missing")}).status == 2);
}

TEST_CASE("bad usage is told, with exit status 2") {
    folder const dir;
    auto const good = dir.write("good.txt", burst());
    std::filesystem::create_symlink(good, dir.path("link.txt"));
    for (auto const& arguments : std::vector<std::vector<std::string>>{
             {},
             {good, "--policy", "fast"},
             {good, "--policy", ""},
             {good, "--policy", "hard,hard"},
             {good, "--policy", "hard,"},
             {good, "--budget", "0"},
             {good, "--budget", "soon"},
             {good, "--tick", "0ns"},
             {good, "--line-time", "0"},
             {good, "--count", "3"},
             {good, "--read-cost", "-1"},
             {good, "--unknown"},
             {good, "--json"},
             {good, "--json", good},
             {good, "--json", dir.path("./good.txt")},
             {good, "--timeline", dir.path("link.txt")},
             {good, "--json", dir.path("none/out.json")},
             {good, "--json", dir.path("x"), "--timeline", dir.path("x")},
             {good, "--json", dir.path("x"), "--timeline", dir.path("./x")},
         }) {
        CAPTURE(arguments);
        auto const r = run(arguments);
        CHECK(r.status == 2);
        CHECK_FALSE(r.err.empty());
        CHECK(r.out.empty());
    }
    CHECK(texts::file(good) == burst());
}

TEST_CASE("help and version are told, with exit status 0") {
    auto const help = run({"--help"});
    CHECK(help.status == 0);
    for (char const* word : {"--policy", "--budget", "--tick", "--line-time", "--json", "--timeline", "--wake-cost"}) {
        CHECK_THAT(help.out, ContainsSubstring(word));
    }
    CHECK(run({"--version"}).status == 0);
}

TEST_CASE("the line time stretches register traffic") {
    folder const dir;
    auto const slow = run({"tests/data/formats/qemu-prefixed.txt", "--policy", "hard", "--line-time", "1ms"});
    auto const quick = run({"tests/data/formats/qemu-prefixed.txt", "--policy", "hard", "--line-time", "1"});
    CHECK(slow.status == 0);
    CHECK(quick.status == 0);
    CHECK(slow.out != quick.out);
}

TEST_CASE("the timeline is JSON with a track for handler, thread, lock and each tag, and nothing on a track overlaps") {
    folder const dir;
    auto const r =
        run({dir.write("a \"quoted\" name", burst()), "--timeline", dir.path("t.json"), "--policy", "time,hard"});
    CHECK(r.status == 0);
    json const all = json::parse(std::ifstream{dir.path("t.json")});
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> spans;
    std::map<std::pair<int, int>, std::string> names;
    std::vector<std::string> processes;
    for (auto const& e : all.at("traceEvents")) {
        std::pair<int, int> const track{e.at("pid").get<int>(), e.at("tid").get<int>()};
        if (e.at("ph") == "X") {
            CHECK(e.at("dur").get<double>() >= 0);
            spans[track].emplace_back(e.at("ts").get<double>(), e.at("ts").get<double>() + e.at("dur").get<double>());
        } else if (e.at("name") == "thread_name") {
            names[track] = e.at("args").at("name");
        } else if (e.at("name") == "process_name") {
            processes.push_back(e.at("args").at("name"));
        }
    }
    REQUIRE(processes.size() == 2);
    CHECK_THAT(processes[0], ContainsSubstring("\"quoted\" name time"));
    std::map<std::string, std::size_t> on;
    for (auto& [track, list] : spans) {
        REQUIRE(names.contains(track));
        on[names[track]] += list.size();
        std::ranges::sort(list);
        for (std::size_t i = 1; i < list.size(); ++i) {
            CHECK(list[i].first >= list[i - 1].second - 0.0005);
        }
    }
    CHECK(on["tag 0"] == 2);
    CHECK(on["tag 31"] == 2);
    CHECK(on["thread"] == 1);
    CHECK(on["hard handler"] >= 2);
    CHECK(on["lock"] > 64);
}
