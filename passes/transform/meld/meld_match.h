/* SPDX-License-Identifier: Apache-2.0 */
/* meld_match: which instructions of the two sides can become one, and what that costs. */
#ifndef SR_MELD_MATCH_H
#define SR_MELD_MATCH_H

#include "passes/transform/meld/meld_side.h"

enum { SR_MELD_NEVER = INT32_MIN / 4 }; /* they cannot become one */

/* The two sides, and what is known of their values. Two values are partners if, after melding,
 * lanes of both sides find theirs in one id. */
typedef struct SrMeldPair {
  SrMeld *k;
  const SrMeldSide *side[2]; /* of the lanes for which the condition holds; of the others */
  SrIdTable *partner; /* by value of the first side; NULL: values count as partners if the same
                         operation computes them */
  uint32_t condition;
} SrMeldPair;

/* May an OpSelect choose between the two values? */
bool sr_meld_can_select(const SrMeldPair *p, uint32_t a, uint32_t b);
/* The number of OpSelects that operands need if a and b become one instruction, or SR_MELD_NEVER.
 */
int32_t sr_meld_match(const SrMeldPair *p, SrRef a, SrRef b);
/* The same for phis, by their results only: can they become one? */
bool sr_meld_match_phis(const SrMeldPair *p, SrRef a, SrRef b);
/* For terminators of the same shape: the number of OpSelects that their operands need, or
 * SR_MELD_NEVER. */
int32_t sr_meld_match_ends(const SrMeldPair *p, SrRef a, SrRef b);
/* Are the two values one value after melding? */
bool sr_meld_are_partners(const SrMeldPair *p, uint32_t a, uint32_t b);

#endif
