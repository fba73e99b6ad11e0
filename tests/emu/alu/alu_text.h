/* SPDX-License-Identifier: Apache-2.0 */
/* alu_text: bodies of shaders and kernels as text, run on 32 invocations by each instruction set.
 *
 * A body may use %u0 … %u15, words of random bits, and %f0 … %f15, floats of moderate size, and
 * defines results %o0, %o1, …, whose types are given by a string: u (uint), f (float), b (bool). */
#ifndef ALU_TEXT_H
#define ALU_TEXT_H

#include "tests/unit/unit.h"

#include <stdbool.h>

enum { ALU_TEXT_WORDS = 16, ALU_TEXT_LANES = 32 };

typedef struct AluInput {
  uint32_t u[ALU_TEXT_WORDS];
  float f[ALU_TEXT_WORDS];
} AluInput;

typedef struct AluText {
  const char *name;
  const char *types; /* further types and constants; may be "" */
  const char *body;
  const char *results; /* at most 16 */
  /* Computes the expected bits of each result, booleans as 0 or 1. */
  void (*expected)(const AluInput *in, uint32_t *out);
  float tolerance;         /* of floats: absolute up to 1, relative above; 0: the same bits */
  const char *annotations; /* decorations; NULL: none */
} AluText;

/* Runs the body as a compute shader (GLSL.std.450 is %ext), or as a kernel (OpenCL.std is %ext);
 * fails if a result differs. */
void alu_text_shader(const AluText *text, uint64_t *seed);
void alu_text_kernel(const AluText *text, uint64_t *seed);
/* Copies the message with which a shader is refused to `message`. */
void alu_text_refused(const AluText *text, bool kernel, char *message, size_t size);

#endif
