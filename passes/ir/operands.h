/* SPDX-License-Identifier: Apache-2.0 */
/* operands: which words of an instruction are ids.
 *
 * Follows the grammar (grammar.h) word by word. Instructions and enumerants that the grammar lacks
 * are accepted: they may be newer than the tables. */
#ifndef SR_OPERANDS_H
#define SR_OPERANDS_H

#include "passes/ir/module.h"

typedef struct SrOperands {
  /* in */
  const SrModule *m;     /* holds the definitions of all ids before this instruction */
  const uint32_t *words; /* the instruction */
  uint32_t count;        /* its words */
  SrBits *is_id;         /* set for words that are ids; bit `base` is that of word 0 */
  uint32_t base;
  SrBits *strings; /* NULL, or one bit per word: set for the first word of a string */
  /* out */
  uint32_t type, result; /* ids, if it has them */
  bool has_type, has_result;
  bool nonsemantic;    /* of a NonSemantic or debug instruction set */
  bool unknown;        /* the opcode, or the meaning of the words from some index on, is unknown */
  const char *problem; /* why the words do not fit the grammar, for a message; or NULL */
} SrOperands;

/* Walks the operands; all `out` fields must be 0. Returns false where there is a problem. */
bool sr_operands_walk(SrOperands *o);

#endif
