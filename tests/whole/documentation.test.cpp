// SPDX-License-Identifier: BSL-1.0
// Reads the headers as text: what a user can name is explained where it stands, and the verbs of the front door tell
// from where they may be called and what they cost.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// One declaration: where it begins and ends, its text, and the doc comment above it or above the group it stands in:
/// the lines that follow a documented declaration without a blank line between.
struct declaration {
    std::size_t line;
    std::size_t last;
    std::string text;
    std::string doc;
};

[[nodiscard]] std::string trimmed(std::string_view text) {
    while (not text.empty() and std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (not text.empty() and std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return std::string{text};
}

/// The line without its comment, and with string literals emptied, so that only code is left to count braces in.
[[nodiscard]] std::string code_of(std::string const& line) {
    std::string code;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (in_string) {
            if (line[i] == '\\') {
                ++i;
            } else if (line[i] == '"') {
                in_string = false;
                code += '"';
            }
        } else if (line.compare(i, 2, "//") == 0) {
            break;
        } else {
            in_string = line[i] == '"';
            code += line[i];
        }
    }
    return trimmed(code);
}

/// The declarations that stand directly in `scope`: "namespace doorbell" finds those of all its public namespaces (the
/// verbs as free functions are explained at the front door), "class host" the public members of that class.
[[nodiscard]] std::vector<declaration> declarations(fs::path const& file, std::string const& scope) {
    std::ifstream in{file};
    std::vector<declaration> found;

    struct brace {
        std::string owner;
        int parentheses; // how many were open around it: a lambda or a list inside an expression
        std::string doc; // of a namespace, which then speaks for all that is in it
    };

    std::vector<brace> open;
    std::string doc;
    std::string statement;
    std::size_t begin = 0;
    int parentheses = 0;
    bool is_public = false;
    bool const of_class = scope.starts_with("class ");

    auto const inside = [&] {
        if (of_class) {
            return is_public and not open.empty() and open.back().owner.find(scope) != std::string::npos;
        }
        bool const named = not open.empty() and open.front().owner.starts_with(scope);
        return named and std::all_of(open.begin(), open.end(), [](brace const& b) {
                   return b.owner.starts_with("namespace ") and b.owner.find("detail") == std::string::npos and
                          b.owner.find("verb") == std::string::npos;
               });
    };
    auto const note = [&](std::size_t number) {
        if (inside()) {
            if (doc.empty() and not found.empty() and found.back().last + 1 == begin) {
                doc = found.back().doc;
            }
            if (doc.empty() and not of_class) {
                doc = open.back().doc;
            }
            found.push_back({begin, number, statement, doc});
        }
    };

    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        auto const text = trimmed(line);
        if (text.empty()) {
            if (statement.empty()) {
                doc.clear();
            }
            continue;
        }
        if (text.starts_with("#")) {
            for (; line.ends_with('\\') and std::getline(in, line); ++number) { // it goes on in the next one
            }
            continue;
        }
        if (statement.empty() and text.starts_with("///")) {
            doc += text + '\n';
            continue;
        }
        auto const code = code_of(line);
        if (code.empty()) {
            continue;
        }
        if (code == "public:" or code == "private:" or code == "protected:") {
            is_public = code == "public:";
            doc.clear();
            continue;
        }
        for (char const c : code) {
            if (statement.empty()) {
                if (c == ';' or std::isspace(static_cast<unsigned char>(c)) != 0) {
                    continue;
                }
                begin = number;
            }
            parentheses += (c == '(' ? 1 : 0) - (c == ')' ? 1 : 0);
            if (c == '{') {
                bool const of_expression = parentheses > 0;
                if (not of_expression and not statement.starts_with("namespace ")) {
                    note(number);
                }
                open.push_back({statement, parentheses, doc});
                statement.clear();
                if (of_class and open.back().owner.find(scope) != std::string::npos) {
                    is_public = false;
                }
                doc.clear();
            } else if (c == '}') {
                statement.clear();
                doc.clear();
                if (not open.empty()) {
                    if (open.back().parentheses > 0) { // back in the declaration that the braces are part of
                        statement = open.back().owner;
                        doc = open.back().doc;
                    }
                    open.pop_back();
                }
                if (inside() and not found.empty()) {
                    found.back().last = number;
                }
            } else if (c == ';' and parentheses == 0) {
                note(number);
                statement.clear();
                doc.clear();
            } else {
                statement += c;
            }
        }
        if (not statement.empty()) {
            statement += ' ';
        }
    }
    return found;
}

/// True for what needs no explanation of its own.
[[nodiscard]] bool is_exempt(std::string const& text) {
    auto const has = [&](std::string_view what) { return text.find(what) != std::string::npos; };
    bool const continues_a_concept = text.starts_with("and ") or text.starts_with("or ") or text.starts_with(">");
    bool const deduces = has(") ->");
    bool const defines_a_member = text.find("::") < text.find('(') and text.find('(') != std::string::npos;
    bool const is_register = has(": reg32<") or has("_fields") or has(", reg32<"); // explained by what it inherits
    bool const names_a_family = has("_family");
    bool const is_value_or_alias = text.starts_with("inline constexpr") or text.starts_with("using ");
    return text.starts_with("static_assert") or text.starts_with("template <>") or has("operator") or
           continues_a_concept or deduces or defines_a_member or is_register or names_a_family or is_value_or_alias;
}

[[nodiscard]] std::vector<fs::path> headers() {
    std::vector<fs::path> all;
    for (auto const& entry : fs::recursive_directory_iterator{DOORBELL_INCLUDE_DIR "/doorbell"}) {
        if (entry.path().extension() == ".hpp") {
            all.push_back(entry.path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

TEST_CASE("the headers are found and their declarations are seen", "[inv:W3]") {
    CHECK(headers().size() > 50);
    auto const verbs = declarations(DOORBELL_INCLUDE_DIR "/doorbell/host.hpp", "class host");
    auto const is_submit = [](declaration const& d) { return d.text.starts_with("submitted submit("); };
    CHECK(std::any_of(verbs.begin(), verbs.end(), is_submit));
}

TEST_CASE("every type, function and concept of the namespace is explained where it stands", "[inv:W3]") {
    for (auto const& header : headers()) {
        for (auto const& d : declarations(header, "namespace doorbell")) {
            bool const explained = is_exempt(d.text) or not d.doc.empty();
            INFO(header.string() << ':' << d.line << ": " << d.text);
            CHECK(explained);
        }
    }
}

TEST_CASE("each verb of the front door tells from where it may be called", "[inv:W3]") {
    for (auto const& d : declarations(DOORBELL_INCLUDE_DIR "/doorbell/host.hpp", "class host")) {
        if (d.doc.empty() or d.text.find('(') == std::string::npos or is_exempt(d.text)) {
            continue;
        }
        bool const tells = d.doc.find("ontext") != std::string::npos or d.text.starts_with("constexpr ");
        INFO("host.hpp:" << d.line << ": " << d.text);
        CHECK(tells);
    }
}
