/* SPDX-License-Identifier: Apache-2.0 */
/* parse: SPIR-V words to instruction records, with the ids marked. operands.h describes the words
 * of an instruction. */
#ifndef SR_PARSE_H
#define SR_PARSE_H

#include "passes/ir/module.h"

enum { SR_HEADER_WORDS = 5 };

typedef struct SrParsed {
  uint32_t labels, functions; /* instructions OpLabel, OpFunction */
  bool unknown;               /* there are instructions with SrInst.unknown */
} SrParsed;

/* Reads `count` words into a new module in `arena` that has instructions and definitions, but no
 * lists, functions or blocks yet (reader.h). Ids that are used need not be defined. On failure *out
 * is NULL and `diag` says what is wrong, and where. */
SR_MUST_USE SrStatus sr_parse(SrArena *arena, SrDiag *diag, const uint32_t *words, size_t count,
                              SrModule **out, SrParsed *parsed);

/* The place of an instruction: its function and block, as far as the words before it tell, and its
 * word offset. Needs no functions or blocks; searches all instructions. */
SrWhere sr_parse_place(const SrModule *m, SrRef r);

#endif
