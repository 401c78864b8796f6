// SPDX-License-Identifier: BSL-1.0
// conformance FILE...: replays recordings of register traffic on the register model, prints what was compared.
// Exit status 0: no difference; 1: a difference; 2: bad usage or a malformed recording.

#include "replayer.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: conformance FILE...\n", stderr);
        return 2;
    }
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        try {
            conformance::recording const what = conformance::parse_file(argv[i]);
            conformance::result const r = conformance::replayer<>(what).run();
            std::printf(
                "%s: %s, %llu reads and %llu writes compared, %llu line changes in %llu evaluations\n", argv[i],
                what.queues ? "multi-queue" : "doorbell", static_cast<unsigned long long>(r.reads),
                static_cast<unsigned long long>(r.writes), static_cast<unsigned long long>(r.line_changes),
                static_cast<unsigned long long>(r.evaluations));
            for (auto const& [offset, count] : r.compared) {
                std::printf(
                    "    %-10s %8llu\n", doorbell::testing::register_name(offset).c_str(),
                    static_cast<unsigned long long>(count));
            }
            if (what.queues) {
                std::printf(
                    "    %llu deferred posts ran after further accesses; at most %zu candidates at once\n",
                    static_cast<unsigned long long>(r.deferred), r.most_candidates);
            }
            for (auto const& d : r.differences) {
                std::printf("    DIFFERENCE %s\n", d.c_str());
                status = 1;
            }
        } catch (std::exception const& wrong) {
            std::fprintf(stderr, "%s\n", wrong.what());
            return 2;
        }
    }
    return status;
}
