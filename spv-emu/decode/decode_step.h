/* SPDX-License-Identifier: Apache-2.0 */
/* decode_step: the steps that make up an instruction on values. Each step is one handler on whole
 * rows with its own register for the result; the registers of the last steps become the
 * instruction's result. If a step has no handler (its operation does not support the kind), the
 * instruction is refused at the end. */
#ifndef EMU_DECODE_STEP_H
#define EMU_DECODE_STEP_H

#include "spv-emu/decode/decode.h"
#include "spv-emu/engine/step.h"

typedef struct EmuSteps {
  EmuDecode *d;
  SrRef r;
  const char *name; /* of an extended instruction, for messages */
  bool missing;     /* some step had no handler */
} EmuSteps;

/* The registers of a value, and the kind of its scalars. */
typedef struct EmuParts {
  const uint32_t *at;
  uint32_t count;
  EmuKind kind;
} EmuParts;

/* The registers of operand i of the instruction (type and result not counted). */
EmuParts emu_parts(EmuSteps *s, uint32_t i);
/* Register k; for a scalar always its only register. */
static inline uint32_t emu_part(const EmuParts *p, uint32_t k) {
  return p->at[p->count == 1 ? 0 : k];
}
/* An array for the registers of a result. */
uint32_t *emu_new_parts(EmuSteps *s, uint32_t count);

/* Steps. They return the register of the result, which is of kind `kind` or `to`. EMU_NO_ROW as an
 * operand: there is no such operand. */
uint32_t emu_step(EmuSteps *s, EmuHandler *run, EmuKind kind, uint32_t a, uint32_t b, uint32_t c,
                  uint32_t x);
uint32_t emu_step_alu(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c);
/* A comparison or classification of operands of kind `kind`; the result is EMU_BOOL. */
uint32_t emu_step_test(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b);
uint32_t emu_step_glsl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c);
uint32_t emu_step_opencl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b,
                         uint32_t c);
/* A conversion; if the kinds are equal, the operand itself. */
uint32_t emu_step_convert(EmuSteps *s, uint32_t op, EmuKind from, EmuKind to, uint32_t a);
/* parts[index] for each lane; `none` if the index (EMU_U32) is not below `count`. */
uint32_t emu_step_choose(EmuSteps *s, EmuKind kind, const uint32_t *parts, uint32_t count,
                         uint32_t index, uint32_t none);
/* The sum of a[i * step_a] * b[i * step_b] for i from 0 to count - 1. */
uint32_t emu_step_products(EmuSteps *s, EmuKind kind, const uint32_t *a, uint32_t step_a,
                           const uint32_t *b, uint32_t step_b, uint32_t count);
/* Splits or joins scalars into `count` scalars of a different kind with the same bits, the lowest bits
 * first; their registers are written to `parts`. */
void emu_step_reshape(EmuSteps *s, const EmuParts *from, EmuKind kind, uint32_t *parts,
                      uint32_t count);

/* Converts an index of any integer kind to EMU_U32, saturated. */
uint32_t emu_step_index(EmuSteps *s, EmuKind kind, uint32_t a);

/* A register that holds this constant. */
uint32_t emu_real(EmuSteps *s, EmuKind kind, double value);

/* Makes these registers the result. False: a handler was missing, and the instruction is
 * refused. */
bool emu_steps_end(EmuSteps *s, const uint32_t *parts, uint32_t count);
/* The same without a result. */
bool emu_steps_ok(EmuSteps *s);

/* Called by decode_alu.c; defined in decode_composite.c and decode_linear.c. */
bool emu_decode_composite(EmuSteps *s, SpvOp op, bool *mine);
bool emu_decode_linear(EmuSteps *s, SpvOp op, bool *mine);

#endif
