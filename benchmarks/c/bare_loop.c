/* SPDX-License-Identifier: BSL-1.0 */
#include "core.h"

void counted_bare_loop(struct c_disk *disk, uint32_t batch)
{
    for (; batch; batch &= batch - 1) {
        unsigned tag = (unsigned)__builtin_ctz(batch);
        disk_completed(disk, tag, *(volatile uint32_t *)&disk->list[tag].word[2] & 0xFF);
    }
}
