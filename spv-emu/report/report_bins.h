/* SPDX-License-Identifier: Apache-2.0 */
/* report_bins: a schedule of any length in bounded memory.
 *
 * Time is divided into bins of at least `width` issues. For each part of the program that started
 * in it, a bin says how often the part ran and with which lanes. For each lane, it has the number
 * of issues in which the lane was active. When there are too many bins or entries, each bin is
 * merged with its neighbour, and the width doubles. Sums stay exact; only time becomes coarser. A
 * step is counted in the bin in which it starts. */
#ifndef EMU_REPORT_BINS_H
#define EMU_REPORT_BINS_H

#include <stdbool.h>
#include <stdint.h>

enum { EMU_BINS_MOST = 1024, EMU_BIN_ENTRIES_MOST = 1 << 16 };

typedef struct EmuBinEntry {
  uint32_t part;       /* SPV_EMU_NO_PART: instructions that the policy adds */
  uint64_t executions; /* with SPV_EMU_NO_PART: instructions */
  uint64_t lanes;      /* sum of the active lanes of the executions */
} EmuBinEntry;

typedef struct EmuBin {
  uint64_t issues;
  uint32_t first, count; /* entries */
} EmuBin;

typedef struct EmuBins {
  uint32_t lanes, words; /* of a subgroup; of a mask */
  uint64_t width;
  EmuBin bins[EMU_BINS_MOST];
  uint32_t count; /* the last one is open */
  EmuBinEntry *entries;
  uint64_t *masks; /* by entry: the lanes that were active in at least one execution */
  uint32_t entry_count;
  uint64_t entry_room, mask_room;
  uint64_t *active; /* by bin and lane: issues in which the lane was active */
  uint32_t *at;     /* by part: the index of its entry in the open bin, if it has one */
  uint64_t at_room;
} EmuBins;

/* NULL: out of memory. */
EmuBins *emu_bins_new(uint32_t lanes);
void emu_bins_free(EmuBins *b);
/* Adds a step of `issues` instructions. False: out of memory. */
bool emu_bins_add(EmuBins *b, uint32_t part, uint32_t issues, const uint64_t *lanes);
/* Merges bins in pairs; with an odd number of bins, the last one stays alone. */
void emu_bins_merge(EmuBins *b);

#endif
