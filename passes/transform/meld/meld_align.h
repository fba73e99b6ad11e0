/* SPDX-License-Identifier: Apache-2.0 */
/* meld_align: aligns two sequences so that melding saves the most.
 *
 * S. Needleman and C. Wunsch, A General Method Applicable to the Search for Similarities in the
 * Amino Acid Sequence of Two Proteins, 1970, with costs of gaps that depend on whether a guard is
 * already open (O. Gotoh, An Improved Algorithm for Matching Biological Sequences, 1982). Only a
 * band around the diagonal is searched, so that time and memory are linear. */
#ifndef SR_MELD_ALIGN_H
#define SR_MELD_ALIGN_H

#include "passes/base/vec.h"
#include <stdbool.h>

/* One step: a pair that becomes one element (both set), or an element that stays alone (the other
 * is SR_NONE). */
typedef struct SrMeldStep {
  uint32_t at[2]; /* index in either sequence */
} SrMeldStep;

typedef SR_VEC(SrMeldStep) SrMeldSteps;

typedef struct SrMeldAlignment {
  uint32_t count[2];
  /* The cost saved if elements i and j become one; very negative: they cannot. */
  int32_t (*gain)(void *user, uint32_t i, uint32_t j);
  /* Does the element need a guard if it stays alone? */
  bool (*guarded)(void *user, int side, uint32_t i);
  void *user;
  int32_t guard, arm; /* the cost of a guard, and of its second arm */
} SrMeldAlignment;

/* Appends to *out, which is in `arena`, the steps in an order that keeps the order of both
 * sequences. */
void sr_meld_align(SrArena *arena, SrArena *scratch, const SrMeldAlignment *a, SrMeldSteps *out);

#endif
