/* SPDX-License-Identifier: Apache-2.0 */
/* oracle: runs a SPIR-V compute shader one invocation at a time, for the integer subset that the
 * generator emits and what a control-flow transform may add. Independent of the code under test: it
 * reads the words itself and ignores merge instructions.
 *
 * Decorations and memory operands also affect the results, so that tests notice when they change:
 * NoContraction changes an instruction's result, and a volatile access is an effect.
 *
 * A value that was never set is poison. Phis, selects, composites, arithmetic and functions'
 * variables propagate poison; branching on it, storing it elsewhere or storing by it is an error.
 */
#ifndef EQUIV_ORACLE_H
#define EQUIV_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_INVOCATIONS = 8 };

typedef struct OracleResult {
  bool ok;
  char message[160];                    /* the reason and the place, if not ok */
  uint64_t trace[ORACLE_INVOCATIONS];   /* hash of stores and calls in the order they ran */
  uint64_t effects[ORACLE_INVOCATIONS]; /* the same without stores to functions' variables */
  uint64_t stores[ORACLE_INVOCATIONS];  /* the same without calls, too */
  uint64_t memory;                      /* hash of all buffers afterwards */
  uint64_t steps;                       /* instructions run */
} OracleResult;

/* Buffers start with numbers drawn from `seed`; more than `step_limit` instructions is an error. */
void oracle_run(const uint32_t *words, size_t count, uint64_t seed, uint64_t step_limit,
                OracleResult *result);
/* The same of a transform's output; `old_bound`: the input's bound of ids. Stores to functions'
 * variables that the transform added are not in the trace. */
void oracle_run_output(const uint32_t *words, size_t count, uint32_t old_bound, uint64_t seed,
                       uint64_t step_limit, OracleResult *result);
/* The contents of all module variables in declaration order, flattened, runtime arrays with 64
 * elements; before and after the run. To be freed. */
typedef struct OracleMemory {
  uint32_t *before, *after;
  uint32_t count;
} OracleMemory;

/* As oracle_run; also returns the memory (empty if the run fails). */
void oracle_run_memory(const uint32_t *words, size_t count, uint64_t seed, uint64_t step_limit,
                       OracleResult *result, OracleMemory *memory);
/* Same buffers, same traces. */
bool oracle_equal(const OracleResult *a, const OracleResult *b);
/* Same buffers, same stores to the module's variables, same calls. */
bool oracle_same_effects(const OracleResult *a, const OracleResult *b);
/* Same buffers, same stores to the module's variables. */
bool oracle_same_stores(const OracleResult *a, const OracleResult *b);

#endif
