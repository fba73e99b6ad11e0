/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup: runs the workgroups of a dispatch, one after the other or by several threads.
 *
 * A worker owns the state of one workgroup: register files, the workgroup's memory, a policy's
 * state for each subgroup. If no barrier is wider than a subgroup, the subgroups of a workgroup run
 * one after the other in the same register file. Otherwise each subgroup has its own register file,
 * and they alternate at barriers. The lanes of a subgroup have consecutive values of
 * LocalInvocationIndex. */
#ifndef EMU_WORKGROUP_H
#define EMU_WORKGROUP_H

#include "spv-emu/engine/resource.h"
#include "spv-emu/exec/timing.h"

typedef struct EmuDispatch {
  const EmuProgram *program;
  const EmuBlockTable *table;
  const EmuPolicy *policy;
  EmuSegment *segments;  /* with buffers bound */
  uint32_t shared_bytes; /* size of a workgroup's memory */
  EmuImages *images;
  uint32_t lanes; /* size of a subgroup */
  uint64_t first; /* number of the first subgroup, for schedules */
  uint32_t groups[3];
  uint32_t segment_shift;
  uint64_t max_issues;
  uint64_t spent; /* issues of earlier dispatches of the same run; max_issues does not include
                     them */
  uint32_t threads;
  uint32_t opt_budget;
  const EmuCost *cost;   /* NULL: a cycle for each issue */
  const EmuStage *stage; /* graphics: groups[0] subgroups, one for each group; NULL: compute */
  bool optimum;          /* record paths, and search for the least number of issues */
  bool strict, check_uniform;
  bool mixes;                       /* EmuPolicy.mixes, if uniform values are checked */
  bool backwards;                   /* workgroups and subgroups in descending order */
  bool garbage;                     /* variables do not start as zeros */
  bool races;                       /* look for races, in one thread */
  const spv_emu_schedule *schedule; /* NULL: no schedule is reported */
  const EmuDetail *detail;          /* NULL: not counted */
  const spv_emu_progress *progress; /* NULL: no one is asked */
  const EmuDebugHook *debug;        /* in one thread; NULL: there is no debugger */
  EmuNative *native;                /* NULL: everything is interpreted */
  spv_emu_native mode;              /* of `native` */
  spv_emu_heat *heat;               /* of the dispatch's size; NULL: not wanted */
  const spv_emu_tangles *tangles;   /* in one thread; NULL: tangles are not reported */
} EmuDispatch;

typedef struct EmuTotals {
  EmuExecEnd end;     /* DONE, DEADLOCK, LIMIT, FAULT: of the first workgroup that failed */
  char message[512];  /* the reason, or a note on accesses out of bounds; else empty */
  uint64_t issued;    /* issues so far, to which max_issues applies */
  uint64_t subgroups; /* subgroups that were started */
  uint64_t dispatch_subgroups;
  EmuBlockCount *blocks;   /* by block of the program */
  const SrBits *area;      /* by block: emu_block_table_expansion_area; NULL: unknown */
  EmuDetailCounts *detail; /* NULL: not counted */
  uint64_t divergent_branches;
  EmuPolicyCounts policy;
  EmuCounts counts;
  uint64_t races, lane_races;
  struct EmuBreach *breaches;       /* by program->demands */
  uint64_t optimum, optimum_cycles; /* for `opt`: the least issues; the least cycles */
  uint64_t at_most;                 /* issues of the best schedules found */
  bool exact;
  uint64_t spills, branch_cycles, unwinding_cycles;
  bool replayed; /* `latency` is valid */
  EmuLatency latency;
} EmuTotals;

/* The reason why the dispatch cannot run, or NULL. */
const char *emu_dispatch_refuses(const EmuDispatch *what);
/* Sets the totals to zeros, and allocates what they need for the dispatch's program in `arena`. */
void emu_totals_start(SrArena *arena, const EmuDispatch *what, EmuTotals *totals);
/* Runs a further dispatch of the same program, with what is left of max_issues, and adds its
 * figures to the totals. False: it failed; the totals say how. */
bool emu_dispatch_more(SrArena *arena, const EmuDispatch *what, EmuTotals *totals);
/* Runs one dispatch, with all memory from `arena`; if memory runs out, control goes to the jump
 * point of the arena's heap. */
void emu_dispatch(SrArena *arena, const EmuDispatch *what, EmuTotals *totals);

#endif
