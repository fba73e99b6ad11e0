/* check: compares a module with what a control-flow transform made of it, word by word. */
#ifndef EQUIV_CHECK_H
#define EQUIV_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CheckModule {
  const uint32_t *words;
  size_t count;
} CheckModule;

/* What a module holds; instructions as design rules count them, phis apart. */
typedef struct CheckSize {
  uint32_t blocks, instructions, phis;
} CheckSize;

CheckSize check_size(CheckModule m);

/* Every reachable block of `in` is in `out` under its label, with the same instructions in the same
 * order (phis, merges and terminators aside; operands may name ids that are new), on the same
 * source lines; whatever else `out` has is new and has no effect. Types, constants, names and
 * decorations are kept. */
bool check_preserved(CheckModule in, CheckModule out, char *message, size_t size);

/* Same blocks, each with the same successors and the same merge instruction, control hints aside.
 */
bool check_same_graph(CheckModule in, CheckModule out, char *message, size_t size);

#endif
