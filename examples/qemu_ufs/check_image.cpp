// SPDX-License-Identifier: BSL-1.0
// Looks at the disk image from the outside, after the firmware has ended: every byte.
#include "pattern.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    std::FILE* const image = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
    if (image == nullptr) {
        std::fputs("usage: example_qemu_ufs_image <image>\n", stderr);
        return 2;
    }
    std::vector<unsigned char> bytes(words_per_block * 4);
    unsigned wrong = 0;
    for (unsigned block = 0; block < blocks; ++block) {
        if (std::fread(bytes.data(), 1, bytes.size(), image) != bytes.size()) {
            ++wrong;
            continue;
        }
        for (unsigned n = 0; n < words_per_block; ++n) {
            std::uint32_t const expected = pattern(block, n);
            for (unsigned byte = 0; byte < 4; ++byte) {
                wrong += bytes[n * 4 + byte] != (expected >> byte * 8 & 0xFFU) ? 1U : 0U;
            }
        }
    }
    std::fclose(image);
    std::printf("%u bytes or blocks are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
