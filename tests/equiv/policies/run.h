/* SPDX-License-Identifier: Apache-2.0 */
/* run: one module under a policy in the emulator, and what is compared of two runs. A difference
 * ends the program, with the module's seed. */
#ifndef POLICIES_RUN_H
#define POLICIES_RUN_H

#include "tests/equiv/gen/gen.h"

#include <spv-emu/spv_emu.h>
#include <spvreconv/spvreconv.h>
#include <string.h>

enum {
  RUNTIME_LENGTH = 64,
  RECORD_BYTES = 48,
  PUSH_WORDS = 2,
  UNIFORM_WORDS = 6,
  MAX_LANES = 1000,
};

/* The memory of a dispatch. */
typedef struct Memory {
  uint32_t in[RUNTIME_LENGTH], push[PUSH_WORDS], uniform[UNIFORM_WORDS];
  uint8_t out[MAX_LANES * RECORD_BYTES];
} Memory;

typedef struct Case {
  uint64_t seed;
  GenFamily family;
  uint32_t *words; /* patched to workgroups of `invocations` */
  size_t count;
  uint32_t invocations;
  const Memory *start;
  const char *keep;
  const char *after; /* the list of which it is the output, or NULL */
  bool kernel;       /* its buffers are parameters */
  bool given;        /* after the list of --transform */
} Case;

typedef struct Outcome {
  spv_emu_result *result;
  Memory memory;
} Outcome;

typedef struct Sums { /* over all modules */
  uint64_t of_family[GEN_FAMILIES];
  uint64_t runs, tf_above_pdom, tf_runs, opt_exact, opt_runs, branches;
  uint64_t ssy_runs, ssy_skips, ssy_added, ssy_issued;
  uint64_t jip_joins, jip_issued, tbc_issued, tbc_pdom;
  uint64_t barrier_runs, barrier_issued, barrier_added, frontier_issued, stack_issued;
  uint64_t exec_runs, exec_skips, exec_left_alone, exec_added, exec_issued;
  uint64_t grown;         /* modules that struct-copy refuses: they would grow too much */
  uint64_t given_changed; /* modules that the list of --transform changes */
} Sums;

extern Sums run_sums;

typedef struct RunHow {
  /* how policy exec runs */
  const char *lowering, *listing;
  const char *placement, *scheduling, *barriers; /* how policy barrier runs; barriers: a listing */
  const char *dwf_order;                         /* how policy dwf runs */
  const spv_emu_cost *cost;   /* the cost model of any policy; NULL: a cycle for each issue */
  const spv_emu_order *order; /* the priorities of any policy; NULL: the default */
  spv_emu_native native;
  uint64_t max_issues; /* if not 0, any outcome is right, that of a run at this limit, too */
} RunHow;

static inline bool run_is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

__attribute__((format(printf, 2, 3), noreturn)) void run_fail(const Case *c, const char *format,
                                                              ...);
/* Random memory, for any number of invocations. */
void run_random_memory(Memory *m, uint64_t seed);
spv_emu_program *run_load(const Case *c, uint32_t lanes, const char *transform);
Outcome run_with(const Case *c, const spv_emu_program *program, const char *policy, RunHow how);
/* Frees an outcome and its result. */
void run_end(Outcome *o);
/* The outcome of that policy, or NULL. */
const Outcome *run_find(const Outcome *outcomes, uint32_t count, const char *policy);
/* Such a policy may issue less than `opt`, which keeps to the subgroups, and has no latency. */
bool run_regroups(const char *policy);
void run_same_memory(const Case *c, const char *what, const Memory *a, const Memory *b);
void run_same_blocks(const Case *c, const spv_emu_result *a, const spv_emu_result *b);
/* Reconvergence as under `pdom`: the same blocks with the same lanes, apart from added
 * instructions. */
void run_like_pdom(const Case *c, const spv_emu_result *r, const spv_emu_result *pdom);

#endif
