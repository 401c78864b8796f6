// SPDX-License-Identifier: BSL-1.0
#include "texts.hpp"

#include <replay/line_reader.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace {

struct got {
    std::string text;
    bool ended;
    bool shortened;
    bool operator==(got const&) const = default;
};

std::vector<got> lines(std::string text, std::size_t piece = 4096) {
    replay::line_reader reader{texts::source(std::move(text), piece)};
    std::vector<got> out;
    replay::text_line line;
    while (reader.next(line)) {
        out.push_back({std::string{line.text}, line.ended, line.shortened});
        CHECK(line.number == out.size());
    }
    return out;
}

} // namespace

TEST_CASE("lines end in LF or CR LF, and the last one without an end is told apart") {
    for (std::size_t const piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4096}}) {
        CHECK(
            lines("a\nbc\r\n\nd", piece) ==
            std::vector<got>{{"a", true, false}, {"bc", true, false}, {"", true, false}, {"d", false, false}});
        CHECK(lines("a\n", piece) == std::vector<got>{{"a", true, false}});
        CHECK(lines("", piece).empty());
        CHECK(lines(std::string{"x\0y\n", 4}, piece) == std::vector<got>{{std::string{"x\0y", 3}, true, false}});
    }
}

TEST_CASE("a line that is too long keeps its beginning, and the next line is whole") {
    auto const longest = replay::line_reader::longest;
    for (std::size_t const extra : {std::size_t{0}, std::size_t{1}, 3 * longest, 4 * longest - 1, 9 * longest + 7}) {
        std::string const text = std::string(longest + extra, 'x') + "\nnext\n";
        for (std::size_t const piece : {std::size_t{4096}, 3 * longest}) {
            auto const found = lines(text, piece);
            REQUIRE(found.size() == 2);
            CHECK(found[0].text == std::string(longest, 'x'));
            CHECK(found[0].shortened == (extra > 0));
            CHECK(found[0].ended);
            CHECK(found[1] == got{"next", true, false});
        }
    }
}

TEST_CASE("a text that is one endless line is one line") {
    auto const found = lines(std::string(20 * replay::line_reader::longest, 'y'));
    REQUIRE(found.size() == 1);
    CHECK(found[0].text.size() == replay::line_reader::longest);
    CHECK(found[0].shortened);
    CHECK_FALSE(found[0].ended);
}
