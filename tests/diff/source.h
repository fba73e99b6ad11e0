/* SPDX-License-Identifier: Apache-2.0 */
/* source: writes a program from templates, in GLSL or, with macros for what C lacks (kernel.h), in
 * OpenCL C.
 *
 * A template is text with holes: "@U += @u;" is a statement that adds any unsigned expression to
 * any unsigned variable. Every function declares the same locals, so that any expression fits
 * anywhere:
 *
 *   uint u0..u3   int i0..i2   float f0..f2   uint a[8]   S s, t   uvec4 v
 *
 * and all share `data` (read only), `rec[id]` and `own[lane]` (an element for each invocation),
 * `tally` and `total` (changed by atomics whose order does not matter).
 *
 * Holes: @u @i @f @b an expression (unsigned, signed, float, bool); @g a float variable or a small
 * number; @U @I @F a variable or element; @n an unsigned number; @m a signed one from 1 on; @c 0u
 * to 7u; @d 0u to 3u; @q 1u to 3u; @w, in fragment shaders, an unsigned expression that is the same
 * for the whole quad (slope.h).
 *
 * No program has undefined behaviour: indices and shifts are masked, divisors are not 0, and those
 * of signed divisions are positive. Floats are exact: exact() keeps variables at multiples of 0.5
 * up to 512 in magnitude, only these are multiplied, and an expression has few factors, so no sum
 * needs more than 24 bits; contraction and reordering of sums change nothing. */
#ifndef DIFF_SOURCE_H
#define DIFF_SOURCE_H

#include "tests/equiv/gen/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* invocations of a workgroup; words of an invocation's output; loop counters in scope, at most */
enum { LANES = 64, WORDS = 12, COUNTERS = 8 };

typedef struct Source {
  Rng rng;
  FILE *out;
  uint32_t indent;                            /* of the line */
  uint32_t level;                             /* of the expression */
  uint32_t depth;                             /* of nested statements */
  uint32_t budget;                            /* statements that may still be written */
  uint32_t functions;                         /* call0 … can be called */
  uint32_t names;                             /* names of loop counters used so far */
  uint32_t counters[COUNTERS], counter_count; /* those in scope */
  bool shared_memory;                         /* the program has `own` and `tally` */
  bool may_break, may_continue;
  bool kernel;           /* OpenCL C: without what C does not define, with the parts of kernel.h */
  bool fragment;         /* a fragment shader: without `rec`, and with the statements of slope.h */
  bool demotes;          /* and it demotes */
  bool quads;            /* and it has quad operations */
  bool waste;            /* and derivatives in divergent flow, whose results are not used */
  uint32_t slopes;       /* slope0 … can be called at the level of quads */
  bool families, narrow; /* with statements of family.c; with integers of 8, 16 and 64 bits */
  const char *leave;     /* a template that returns; NULL: returning is not allowed */
} Source;

/* The file of a program; a failure ends the generator. */
FILE *source_open(const char *path);
void source_close(Source *s, const char *path);
/* The main function of a generator, GENERATOR COUNT SEED FOLDER: writes the programs of COUNT seeds
 * from SEED on. */
int source_main(int argc, char **argv, void (*write_case)(const char *folder, uint64_t seed));

/* Writes the template. */
void put(Source *s, const char *text);
/* Writes the template as an indented line. */
void put_line(Source *s, const char *text);
/* Picks one of `count` templates, in a fragment shader one without `rec`, which helper lanes could
 * not write, in a kernel one that C has. */
const char *pick(Source *s, const char *const *texts, uint32_t count);
/* Writes `count` numbers and END: small ones, so that conditions vary, and large ones. */
void put_data(Source *s, uint32_t count);

#define PICK(s, texts) pick(s, texts, sizeof(texts) / sizeof *(texts))

#endif
