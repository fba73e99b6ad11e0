/* SPDX-License-Identifier: Apache-2.0 */
/* meaning: what a handler of the lane engine computes.
 *
 * Bytecode contains pointers to functions instead of opcodes. To find the opcode of a function, the
 * tables of the instruction set (isa.h) are read for every opcode and kind, and inverted. Two
 * opcodes with the same function mean the same. */
#ifndef EMU_MEANING_H
#define EMU_MEANING_H

#include "spv-emu/alu/isa.h"

typedef enum EmuFamily {
  EMU_FAMILY_NONE, /* any other handler */
  EMU_FAMILY_ALU,
  EMU_FAMILY_GLSL,
  EMU_FAMILY_OPENCL,
  EMU_FAMILY_CONVERT,
  EMU_FAMILY_PAIR,
  EMU_FAMILY_PRODUCTS,
  EMU_FAMILY_ALU_ON,
  EMU_FAMILY_MOVE,
  EMU_FAMILY_MOVE_ON,
  EMU_FAMILY_INDEX,
  EMU_FAMILY_ADDRESS,
  EMU_FAMILY_LOAD,
  EMU_FAMILY_STORE,
  EMU_FAMILY_LANES, /* of spv-emu/subgroup; `op` is that of SpvOpGroupNonUniform…, `then` its
                       SpvGroupOperation, or 0 */
} EmuFamily;

typedef struct EmuMeaning {
  uint8_t family;    /* EmuFamily */
  uint8_t kind;      /* EmuKind: of the operands */
  uint8_t to;        /* CONVERT: EmuKind of the result */
  uint8_t bytes;     /* MOVE: of a lane */
  bool right;        /* PAIR: the first result is the right operand of the second */
  uint32_t op, then; /* PAIR, PRODUCTS: `then` is the second */
  int8_t covered;    /* by lower.h: 1 yes, -1 no, 0 not yet asked */
  uint8_t result;    /* if covered: bytes of a lane of the result */
} EmuMeaning;

typedef struct EmuMeanings EmuMeanings;

/* The meanings of all handlers of an instruction set, in `arena`. */
const EmuMeanings *emu_meanings(SrArena *arena, const EmuIsa *isa);
/* The meaning of a handler. If it is in no table, its family is EMU_FAMILY_NONE. */
EmuMeaning *emu_meaning(const EmuMeanings *of, EmuHandler *run);

#endif
