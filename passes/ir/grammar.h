/* SPDX-License-Identifier: Apache-2.0 */
/* grammar: the operands of SPIR-V's instructions, by the installed SPIRV-Headers.
 *
 * The build turns spirv.core.grammar.json and the grammars of extended instruction sets into tables
 * (tools/grammar_table.c). An instruction or enumerant that they lack is newer than the headers:
 * the caller decides what to do with it. */
#ifndef SR_GRAMMAR_H
#define SR_GRAMMAR_H

#include "passes/ir/grammar_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands in order, ended by 0; see grammar_kind.h. */
typedef const uint16_t *SrOperandList;

/* The operands of an opcode, its result type and result among them; NULL: the opcode is unknown. */
SrOperandList sr_grammar_instruction(uint32_t op);
/* The opcode's name without "Op"; "unknown" if the opcode is unknown. */
const char *sr_grammar_name(uint32_t op);

/* The extended instruction set of that name; NULL: the set is unknown. */
typedef struct SrSetRow SrSetRow;
const SrSetRow *sr_grammar_set(const char *name);
/* The operands after the instruction's number; NULL: the set has no such instruction. */
SrOperandList sr_grammar_extended(const SrSetRow *set, uint32_t number);

/* Is this kind of operand a mask, whose bits are enumerants? `kind` is SR_KIND_COUNT or more. */
bool sr_grammar_is_mask(unsigned kind);
/* The parameters of an enumerant (for a mask: of one bit); NULL: the enumerant is unknown. */
SrOperandList sr_grammar_enumerant(unsigned kind, uint32_t value);

#endif
