/* SPDX-License-Identifier: Apache-2.0 */
/* grammar: what SPIR-V's instructions look like, as the installed SPIRV-Headers say.
 *
 * The build turns spirv.core.grammar.json and the grammars of extended instruction sets into tables
 * (tools/grammar_table.c). An instruction or enumerant that they lack is newer than the headers:
 * the caller decides what to do with it. */
#ifndef SR_GRAMMAR_H
#define SR_GRAMMAR_H

#include "ir/grammar_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands in order, ended by 0; see grammar_kind.h. */
typedef const uint16_t *SrOperandList;

/* The operands of an opcode, its result type and result among them; NULL: it is unknown. */
SrOperandList sr_grammar_instruction(uint32_t op);
/* Without "Op"; "unknown" if it is unknown. */
const char *sr_grammar_name(uint32_t op);

/* The extended instruction set of that name; NULL: it is unknown. */
typedef struct SrSetRow SrSetRow;
const SrSetRow *sr_grammar_set(const char *name);
/* The operands after the instruction's number; NULL: the set has no such instruction. */
SrOperandList sr_grammar_extended(const SrSetRow *set, uint32_t number);

/* Is the kind of operand a mask, whose bits are enumerants? Kinds from SR_KIND_COUNT on only. */
bool sr_grammar_is_mask(unsigned kind);
/* The parameters of an enumerant (for a mask: of one bit); NULL: it is unknown. */
SrOperandList sr_grammar_enumerant(unsigned kind, uint32_t value);

#endif
