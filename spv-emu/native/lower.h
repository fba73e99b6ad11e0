/* SPDX-License-Identifier: Apache-2.0 */
/* lower: the value that an instruction of bytecode computes, as vectors of LLVM.
 *
 * The expressions are those of the tables of spv-emu/alu (alu_int.def, alu_float.def, ...) and give
 * the same bits in all lanes, active or not; only the choice among NaNs may differ, as it may there
 * (alu.h). */
#ifndef EMU_LOWER_H
#define EMU_LOWER_H

#include "spv-emu/native/build.h"
#include "spv-emu/native/meaning.h"

/* An operand: a row as integers. `safe` is the same, and known to LLVM if the row is a constant;
 * instructions on floats must not use it (build.h). */
typedef struct EmuOperand {
  EmuVector row, safe;
} EmuOperand;

typedef struct EmuLowerArgs {
  EmuOperand in[4];
  uint32_t x; /* EmuIns.x */
} EmuLowerArgs;

/* The result row, as integers. NULL: the instruction is not covered. *test: the result of a
 * comparison with one bit for each lane; NULL for any other instruction. Masks are not applied: for
 * ALU_ON and MOVE_ON the result is that of the active lanes. */
EmuVector emu_lower(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args,
                    EmuVector *test);

/* Is the instruction covered? Sets m->covered and m->result; b->at is in a block. */
bool emu_lower_covers(const EmuBuild *b, EmuMeaning *m);
/* Bytes of a lane of operand `at`. */
uint32_t emu_lower_bytes(const EmuMeaning *m, uint32_t at);
/* How many of a, b, c and the first row of the list the instruction reads as operands. */
uint32_t emu_lower_operands(const EmuMeaning *m, const EmuIns *i);

/* ---- the parts ------------------------------------------------------------------------------- */

/* Operand `in` as unsigned and signed integers of the type that the tables compute in: 32 or 64
 * bits. */
EmuVector emu_lower_unsigned(const EmuBuild *b, EmuOperand in);
EmuVector emu_lower_signed(const EmuBuild *b, EmuOperand in);

/* Each returns NULL if it does not know the instruction. Results are wider than the row, or are
 * tests: vectors of one bit. */
EmuVector emu_lower_int(const EmuBuild *b, uint32_t op, EmuKind kind, const EmuLowerArgs *args);
EmuVector emu_lower_int_glsl(const EmuBuild *b, uint32_t op, const EmuLowerArgs *args);
EmuVector emu_lower_bool(const EmuBuild *b, uint32_t op, const EmuLowerArgs *args);
/* Operands and result are floats. */
EmuVector emu_lower_float(const EmuBuild *b, uint32_t op, const EmuVector in[3]);
EmuVector emu_lower_float_glsl(const EmuBuild *b, uint32_t op, const EmuVector in[3]);
/* Tests of floats: comparisons, and classes of their bits. */
EmuVector emu_lower_float_test(const EmuBuild *b, uint32_t op, const EmuVector in[3],
                               EmuVector bits);
EmuVector emu_lower_convert(const EmuBuild *b, const EmuMeaning *m, const EmuLowerArgs *args);
EmuVector emu_lower_index(const EmuBuild *b, EmuKind kind, const EmuLowerArgs *args);
EmuVector emu_lower_index_address(const EmuBuild *b, const EmuLowerArgs *args);

#endif
