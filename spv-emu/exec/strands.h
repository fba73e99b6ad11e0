/* SPDX-License-Identifier: Apache-2.0 */
/* strands: which strands of a resident subgroup (timeline.h) can issue: subwarp interleaving (S.
 * Damani et al., GPU Subwarp Interleaving, HPCA 2022). While the lanes of one side of a branch wait
 * for memory, those of the other side issue.
 *
 * A strand can begin when all strands that its lanes come from have ended. At most `most` strands
 * of a subgroup are active, that is, have begun and not ended. The one that issued last continues
 * until it waits; then the first ready one issues, in the order in which the subgroup ran them. So
 * with `most` 1 they run in that order. Without strands in its record, a subgroup is one strand. */
#ifndef EMU_STRANDS_H
#define EMU_STRANDS_H

#include "spv-emu/cost/timeline.h"

typedef struct EmuOpen { /* a strand whose predecessors have all ended */
  uint32_t strand;
  bool begun;
  EmuReplay replay;
  uint64_t ready; /* the cycle from which it can issue */
  uint64_t loads; /* loads of the subgroup, up to the next one in the strand */
} EmuOpen;

typedef struct EmuStrands {
  SrArena *arena;
  const EmuRecord *record;
  uint32_t most, begun, last;
  SR_VEC(uint32_t) left; /* by strand: number of its predecessors that have not ended */
  SR_VEC(EmuOpen) open;  /* in the order of the record */
} EmuStrands;

/* Begins the next subgroup, at cycle `now`. Keeps `arena` and `most` of *s. */
void emu_strands_start(EmuStrands *s, const EmuRecord *record, uint64_t now);
/* The cycle from which a strand can issue; UINT64_MAX: all have ended. */
uint64_t emu_strands_ready(const EmuStrands *s);
/* The strand that issues at cycle `now`; to be called when one is ready. */
EmuOpen *emu_strands_choose(EmuStrands *s, uint64_t now);
/* The strand chosen last ends at cycle `now`. False: it was the last one. */
bool emu_strands_end(EmuStrands *s, uint64_t now);
/* Lets no strand issue before cycle `until`. */
void emu_strands_hold(EmuStrands *s, uint64_t until);

#endif
