/* SPDX-License-Identifier: Apache-2.0 */
/* grammar_kind: how the grammar's tables encode one operand. The build's generator
 * (tools/grammar_table.awk) and their reader (grammar.c) share it. */
#ifndef SR_GRAMMAR_KIND_H
#define SR_GRAMMAR_KIND_H

typedef enum SrOperandKind {
#define KIND(name) SR_KIND_##name,
#include "passes/ir/grammar_kind.def"
#undef KIND
  SR_KIND_COUNT /* from here on: enumerations, in the order of the table */
} SrOperandKind;

/* An operand in a list: its kind + 1, and how often it may appear; 0 ends the list. */
enum { SR_OPERAND_OPTIONAL = 0x4000, SR_OPERAND_MANY = 0x8000, SR_OPERAND_KIND = 0x3fff };

#endif
