// SPDX-License-Identifier: BSL-1.0
// Damaged recordings: whatever is in the file, the program ends with 0, 1 or 2 and says why.
#include "texts.hpp"

#include <replay/application.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

class mutator {
public:
    explicit mutator(std::uint32_t seed) : random_{seed} {}

    std::string operator()(std::string text, std::string const& other) {
        for (std::size_t n = 1 + below(4); n > 0; --n) {
            step(text, other);
        }
        return text;
    }

private:
    std::size_t below(std::size_t n) {
        return n == 0 ? 0 : std::uniform_int_distribution<std::size_t>{0, n - 1}(random_);
    }

    std::string line(std::string const& text) {
        std::size_t const begin = text.rfind('\n', below(text.size())) + 1;
        return text.substr(begin, text.find('\n', begin) - begin + 1);
    }

    void step(std::string& text, std::string const& other) {
        std::size_t const at = below(text.size());
        switch (below(9)) {
        case 0: // flip a bit
            if (not text.empty()) {
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            }
            break;
        case 1: // cut
            text.resize(at);
            break;
        case 2: // remove a piece
            text.erase(at, below(200));
            break;
        case 3: // noise
            for (std::size_t n = below(40); n > 0; --n) {
                text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(below(256)));
            }
            break;
        case 4: // double a line
            text.insert(text.rfind('\n', at) + 1, line(text));
            break;
        case 5: // a line of another format
            text.insert(text.rfind('\n', at) + 1, line(other));
            break;
        case 6: // a number becomes another one
            if (auto const digit = text.find_first_of("0123456789", at); digit != std::string::npos) {
                text.replace(digit, 1, std::to_string(random_() >> below(32)));
            }
            break;
        case 7: // separators
            if (auto const mark = text.find_first_of("[]:, \n", at); mark != std::string::npos) {
                text[mark] = "[]:, \n"[below(6)];
            }
            break;
        default: // a very long line
            text.insert(at, std::string(below(200'000), "[ :1x"[below(5)]));
            break;
        }
    }

    std::mt19937 random_;
};

} // namespace

TEST_CASE("damaged recordings never do worse than a message and an exit status") {
    std::vector<std::string> samples;
    for (auto const& entry : std::filesystem::directory_iterator{"tests/data/formats"}) {
        samples.push_back(texts::file(entry.path().string()));
    }
    std::ranges::sort(samples);
    REQUIRE(samples.size() > 5);
    for (char const* name : {"tests/data/linux-7.2-doorbell.ftrace", "tests/data/linux-7.2-doorbell.mmio"}) {
        samples.push_back(texts::file(name).substr(0, 20'000));
    }
    auto const path =
        (std::filesystem::temp_directory_path() / ("replay-damage-" + std::to_string(::getpid()))).string();
    std::size_t replayed = 0;
    std::size_t refused = 0;
    for (std::uint32_t seed = 0; seed < 1500; ++seed) {
        mutator damage{seed};
        std::string const text = damage(samples[seed % samples.size()], samples[(seed * 7 + 3) % samples.size()]);
        std::ofstream{path, std::ios::binary} << text;
        std::ostringstream out;
        std::ostringstream err;
        std::vector<char const*> const argv{"replay", path.c_str(), "--policy", "time,linux-budgeted", "--tick", "1"};
        int const status =
            replay::application(static_cast<int>(argv.size()), argv.data(), replay::all_policies, {out, err});
        CAPTURE(seed, err.str());
        if (status == 0) {
            CHECK_FALSE(out.str().empty());
            ++replayed;
        } else {
            CHECK(status == 2); // 1 would be a request lost by the library
            CHECK(err.str().starts_with(path + ":"));
            ++refused;
        }
    }
    std::filesystem::remove(path);
    CHECK(replayed > 100);
    CHECK(refused > 100);
}
