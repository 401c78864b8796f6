// SPDX-License-Identifier: BSL-1.0
// For compilers without libFuzzer: runs a fuzz target on every file of a corpus, then on random changes of them, for so
// many seconds. Repeatable: the seed is printed and can be given.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: fuzz SECONDS CORPUS [SEED]\n", stderr);
        return 2;
    }
    std::vector<std::vector<std::uint8_t>> corpus;
    for (auto const& entry : std::filesystem::directory_iterator(argv[2])) {
        std::ifstream in(entry.path(), std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        LLVMFuzzerTestOneInput(corpus.back().data(), corpus.back().size());
    }
    unsigned const seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : std::random_device{}();
    std::printf("%zu files of the corpus, seed %u\n", corpus.size(), seed);
    std::fflush(stdout);
    std::mt19937 random(seed);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
    unsigned long runs = 0;
    while (std::chrono::steady_clock::now() < end) {
        std::vector<std::uint8_t> data;
        if (not corpus.empty() and random() % 4 != 0) {
            data = corpus[random() % corpus.size()];
        }
        data.resize(data.size() + random() % 256);
        for (unsigned changes = 1 + static_cast<unsigned>(random() % 64); changes != 0 and not data.empty();
             --changes) {
            data[random() % data.size()] = static_cast<std::uint8_t>(random());
        }
        LLVMFuzzerTestOneInput(data.data(), data.size());
        ++runs;
    }
    std::printf("%lu inputs\n", runs);
    return runs == 0 ? 1 : 0;
}
