/* decode_step: what instructions on values are put together from. Each step is one handler on whole
 * rows with a register of its own for the result; when all are made, the instruction's result is
 * named after the last ones. A step whose handler does not exist (an operation on a kind that it is
 * not for) is noted and refused at the end. */
#ifndef EMU_DECODE_STEP_H
#define EMU_DECODE_STEP_H

#include "decode/decoder.h"
#include "engine/step.h"

typedef struct EmuSteps {
  EmuDecode *d;
  SrRef r;
  const char *name; /* of an extended instruction, for messages */
  bool missing;     /* a handler that does not exist was asked for */
} EmuSteps;

/* The registers of a value, and the kind of its scalars. */
typedef struct EmuParts {
  const uint32_t *at;
  uint32_t count;
  EmuKind kind;
} EmuParts;

/* Of operand i of the instruction (type and result not counted). */
EmuParts emu_parts(EmuSteps *s, uint32_t i);
/* Register k, or the only one of a scalar that goes with every component. */
static inline uint32_t emu_part(const EmuParts *p, uint32_t k) {
  return p->at[p->count == 1 ? 0 : k];
}
/* Room for the registers of a result. */
uint32_t *emu_new_parts(EmuSteps *s, uint32_t count);

/* Steps; they return the register of the result, which is of kind `kind` or `to`. EMU_NO_ROW stands
 * for operands that there are not. */
uint32_t emu_step(EmuSteps *s, EmuHandler *run, EmuKind kind, uint32_t a, uint32_t b, uint32_t c,
                  uint32_t x);
uint32_t emu_step_alu(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c);
/* A comparison or classification of a kind: gives EMU_BOOL. */
uint32_t emu_step_test(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b);
uint32_t emu_step_glsl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b, uint32_t c);
uint32_t emu_step_opencl(EmuSteps *s, uint32_t op, EmuKind kind, uint32_t a, uint32_t b,
                         uint32_t c);
/* Between kinds that differ; of equal ones the operand itself. */
uint32_t emu_step_convert(EmuSteps *s, uint32_t op, EmuKind from, EmuKind to, uint32_t a);
/* part[index] for each lane; `none` where the index (EMU_U32) is not below count. */
uint32_t emu_step_choose(EmuSteps *s, EmuKind kind, const uint32_t *parts, uint32_t count,
                         uint32_t index, uint32_t none);
/* a[0] * b[0] + a[step] * b[0 + step]… of `count` products, the a's and b's that far apart. */
uint32_t emu_step_products(EmuSteps *s, EmuKind kind, const uint32_t *a, uint32_t step_a,
                           const uint32_t *b, uint32_t step_b, uint32_t count);
/* The same bits as `count` scalars of another kind, the first of them the lowest. */
void emu_step_reshape(EmuSteps *s, const EmuParts *from, EmuKind kind, uint32_t *parts,
                      uint32_t count);

/* An index of any kind of integers as EMU_U32; what is larger becomes the largest. */
uint32_t emu_step_index(EmuSteps *s, EmuKind kind, uint32_t a);

/* A register that always holds this float. */
uint32_t emu_real(EmuSteps *s, EmuKind kind, double value);

/* Names the result after these registers; false where a handler was missing: refused. */
bool emu_steps_end(EmuSteps *s, const uint32_t *parts, uint32_t count);
/* Without a result. */
bool emu_steps_ok(EmuSteps *s);

/* The families' parts: decode_composite.c, decode_linear.c. */
bool emu_decode_composite(EmuSteps *s, SpvOp op, bool *mine);
bool emu_decode_linear(EmuSteps *s, SpvOp op, bool *mine);

#endif
