/* SPDX-License-Identifier: Apache-2.0 */
/* report_tally: what each subgroup of a dispatch issues, and for how many lanes.
 *
 * Subgroups report in any order and from several threads, each subgroup from one thread at a time.
 * The sums are in chunks, which the first thread that needs one allocates; so no sum ever moves.
 * Subgroups past the last chunk are left out. */
#ifndef EMU_REPORT_TALLY_H
#define EMU_REPORT_TALLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { EMU_TALLY_CHUNK = 1 << 12, EMU_TALLY_CHUNKS = 1 << 10 };

typedef struct EmuTallySum {
  uint64_t issues, lanes; /* lanes: summed over the issues */
} EmuTallySum;

typedef struct EmuTally { /* all zeros: empty */
  _Atomic(EmuTallySum *) chunks[EMU_TALLY_CHUNKS];
} EmuTally;

/* Adds to the sums of a subgroup. False: out of memory. */
bool emu_tally_add(EmuTally *t, uint64_t subgroup, uint64_t issues, uint64_t lanes);
/* Finds the subgroup with the most inactive lane slots, the first of equal ones, if subgroups have
 * `lanes` lanes. False: no subgroup has inactive slots. */
bool emu_tally_worst(const EmuTally *t, uint32_t lanes, uint64_t *worst);
void emu_tally_free(EmuTally *t);

#endif
