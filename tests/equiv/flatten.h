/* SPDX-License-Identifier: Apache-2.0 */
/* flatten: control-flow flattening, for tests of undispatch.
 *
 * The entry stays; all other blocks become cases of one switch in a loop, on a number that names
 * the block to run next, and each block ends by setting that number:
 *
 *     A: c ? B : C             E: s = a         D: switch s           A: s = c ? b : c
 *                       =>     branch D            a: A  b: B  c: C   branch D
 *
 * A value that another block uses is carried around the loop. Uses nothing of passes/. */
#ifndef EQUIV_FLATTEN_H
#define EQUIV_FLATTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FlattenOptions {
  bool variables; /* number and carried values are in local variables; else in phis */
  bool latch;     /* all blocks lead to one block, which leads back to the switch */
  uint64_t seed;  /* of the numbers, and of other choices */
} FlattenOptions;

typedef struct Flattened {
  uint32_t *words; /* to be freed */
  size_t count;
  uint32_t functions; /* that were flattened; others have one block, or carry a pointer or handle */
  uint32_t left;      /* functions of several blocks that were not */
  uint32_t blocks;    /* reachable ones, of the flattened functions, before */
  uint32_t *blocks_of; /* by function of the module: the same, 0 for the others; to be freed */
  uint32_t carried;    /* values */
} Flattened;

void flatten(const uint32_t *words, size_t count, const FlattenOptions *options, Flattened *out);

#endif
