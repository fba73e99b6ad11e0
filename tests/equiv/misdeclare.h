/* SPDX-License-Identifier: Apache-2.0 */
/* misdeclare: breaks the declarations of structure in a module, and nothing else: merge
 * instructions are dropped, added, moved, doubled, or name other blocks; the cases of an OpSwitch
 * change places. No branch is changed, so a lane computes what it did. */
#ifndef EQUIV_MISDECLARE_H
#define EQUIV_MISDECLARE_H

#include "tests/equiv/gen/rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum Misdeclaration {
  MIS_DROPPED, /* a header has no merge instruction */
  MIS_ADDED,   /* a block that is not a header has one */
  MIS_MERGE,   /* it names another merge block */
  MIS_TARGET,  /* another continue target */
  MIS_SHARED,  /* the merge block of another header, too */
  MIS_EARLY,   /* it is not last but one in its block */
  MIS_DOUBLED, /* there are two */
  MIS_KIND,    /* OpLoopMerge in place of OpSelectionMerge, or the reverse */
  MIS_CASES,   /* the cases of an OpSwitch in a different order */
  MIS_DECLARATIONS
} Misdeclaration;

extern const char *const misdeclaration_names[MIS_DECLARATIONS];

/* Makes one to six changes, and adds each to its kind's count. *out is to be freed. False, *out
 * NULL: nothing can be changed. */
bool misdeclare(Rng *rng, const uint32_t *words, size_t count, uint32_t **out, size_t *out_count,
                uint64_t made[MIS_DECLARATIONS]);

#endif
