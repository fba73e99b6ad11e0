/* SPDX-License-Identifier: Apache-2.0 */
/* check: compares a module with the output of a control-flow transform, word by word. */
#ifndef EQUIV_CHECK_H
#define EQUIV_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CheckModule {
  const uint32_t *words;
  size_t count;
} CheckModule;

/* The size of a module; phis are counted separately from instructions. */
typedef struct CheckSize {
  uint32_t blocks, instructions, phis;
} CheckSize;

CheckSize check_size(CheckModule m);

/* The words of one function, from OpFunction to OpFunctionEnd; none if it has no such function. */
CheckModule check_function_words(CheckModule m, uint32_t id);

/* Every reachable block of `in` is in `out` under its label, with the same instructions in the same
 * order (except phis, merges and terminators; operands may name new ids), on the same source lines;
 * everything else in `out` is new and has no effect. Types, constants, names and decorations are
 * kept. */
bool check_preserved(CheckModule in, CheckModule out, char *message, size_t size);

/* Same blocks, each with the same successors and the same merge instruction, except for control
 * hints. */
bool check_same_graph(CheckModule in, CheckModule out, char *message, size_t size);

/* How many loops and selections of the output have the controls that the input's have. */
typedef struct CheckHints {
  uint32_t loops, selections;
} CheckHints;

/* Wherever a loop of `in` with controls is still a loop in `out`, with the same header or an added
 * one that leads there, and a branch with controls still has OpSelectionMerge, the controls are the
 * same. Unless `strict`, a header that is no longer one may have any, and promises about
 * iterations may be dropped. Adds to `found`. */
bool check_hints(CheckModule in, CheckModule out, bool strict, CheckHints *found, char *message,
                 size_t size);

#endif
