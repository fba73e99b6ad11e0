/* SPDX-License-Identifier: Apache-2.0 */
/* decode_extended: code that the two instruction sets of OpExtInst share. An instruction is a row
 * of extended_glsl.def or extended_opencl.def: its number, its name and the function that decodes
 * it. Operands of an extended instruction come after the set and the number. */
#ifndef EMU_DECODE_EXTENDED_H
#define EMU_DECODE_EXTENDED_H

#include "spv-emu/decode/decode_step.h"

typedef bool EmuExtended(EmuSteps *s, uint32_t op);

/* The function that decodes instruction `op`, and its name; NULL: there is no such instruction. */
EmuExtended *emu_glsl_find(uint32_t op, const char **name);
EmuExtended *emu_opencl_find(uint32_t op, const char **name);

/* Operand i of the extended instruction. */
EmuParts emu_extended_parts(EmuSteps *s, uint32_t i);
uint32_t emu_extended_id(EmuSteps *s, uint32_t i);

/* Looks up the handler that computes one component of instruction `op`. */
typedef EmuHandler *EmuLookUp(uint32_t op, EmuKind kind);
/* Applies that handler to each component. */
bool emu_each_component(EmuSteps *s, EmuLookUp *look_up, uint32_t op);
/* The same; the second operand is an exponent, of any integer type. */
bool emu_with_exponent(EmuSteps *s, EmuLookUp *look_up, uint32_t op);
/* Computes two results from the first `arguments` operands: `first` computes the instruction's
 * result; `second` computes a result of kind `kind`, which is stored through the next operand. */
bool emu_store_second(EmuSteps *s, EmuHandler *first, EmuHandler *second, EmuKind kind,
                      uint32_t arguments);
/* Refuses the instruction, by name. */
bool emu_refuse_extended(EmuSteps *s, uint32_t op);

/* decode_interpolate.c: interpolateAtCentroid, …AtSample, …AtOffset. */
bool emu_extended_interpolate(EmuSteps *s, uint32_t op);
/* The cross product, an instruction of both sets. */
bool emu_extended_cross(EmuSteps *s, uint32_t op);
/* Geometry on vectors; both return registers of the result. The length is the square root of the
 * sum of squares. */
uint32_t *emu_difference(EmuSteps *s, const EmuParts *a, const EmuParts *b);
uint32_t emu_length(EmuSteps *s, const EmuParts *a);

#endif
