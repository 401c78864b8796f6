/* SPDX-License-Identifier: BSL-1.0 */
/* The driver's callbacks in measurements: out of line, and as short as they can be. */
#include "core.h"

volatile uint64_t fake_clock = 1000;

void disk_completed(struct c_disk *disk, unsigned tag, uint32_t outcome) { disk->list[tag].word[7] += outcome + 1; }

void disk_uic_done(struct c_disk *disk, uint32_t causes) { disk->list[0].word[6] |= causes; }

void disk_link_error(struct c_disk *disk, uint32_t causes) { disk->list[0].word[5] |= causes; }
