/* SPDX-License-Identifier: Apache-2.0 */
/* exec: runs one subgroup, block by block. Uses policies only through policy.h. */
#ifndef EMU_EXEC_H
#define EMU_EXEC_H

#include "spv-emu/alu/isa.h"
#include "spv-emu/engine/engine.h"
#include "spv-emu/exec/debug_hook.h"
#include "spv-emu/exec/detail.h"
#include "spv-emu/exec/livelock.h"
#include "spv-emu/exec/round.h"
#include "spv-emu/native/native.h"
#include "spv-emu/policy/policy.h"
#include "spv-emu/policy/schedule.h"

/* Counts of a block, summed over the subgroups of a worker. */
typedef struct EmuBlockCount {
  uint64_t executions, lanes, noops;
  uint64_t apart;    /* executions by some, but not all, of the lanes that have not ended; and
                       no-ops */
  uint64_t helpers;  /* of `lanes`: helper lanes */
  uint64_t diverged; /* of `executions`: lanes then went to several blocks */
} EmuBlockCount;

typedef enum EmuExecEnd {
  EMU_EXEC_DONE,
  EMU_EXEC_BARRIER,  /* the subgroup waits at a barrier, with all its lanes; run it again */
  EMU_EXEC_DEADLOCK, /* at a barrier without all its lanes (the message says where the others wait);
                        or the policy is stuck */
  EMU_EXEC_LIVELOCK, /* lanes spin forever while others wait (livelock.h); the message says where */
  EMU_EXEC_LIMIT,
  EMU_EXEC_FAULT, /* lanes.fault */
  EMU_EXEC_ENDED, /* `go_on` has returned false */
} EmuExecEnd;

/* The blocks that a lane has run, in order; for `opt`. */
typedef SR_VEC(uint32_t) EmuLanePath;

/* Gives a graphics stage its inputs and takes its outputs. Several threads may call these
 * functions, each for its own subgroups. */
typedef struct EmuStage {
  void *user;
  /* Called for a new subgroup: sets lanes->exist and lanes->helper, and fills the rows of
   * inputs. */
  void (*start)(void *user, EmuLanes *lanes, uint64_t subgroup);
  /* Called when these lanes have returned from the entry point: their outputs are in the rows. */
  void (*returned)(void *user, const EmuLanes *lanes, uint64_t subgroup, const EmuMask *which);
  /* The subgroup issues `count` instructions for the lanes of `on`, perhaps none. May be NULL. */
  void (*issued)(void *user, const EmuLanes *lanes, uint64_t subgroup, uint32_t count,
                 const EmuMask *on);
} EmuStage;

/* What the subgroups of a worker share. */
typedef struct EmuShared {
  const EmuProgram *program;
  const EmuIsa *isa;
  const EmuPolicy *policy;
  const void *plan; /* made by the policy */
  EmuBlockCount *blocks;
  const EmuLoops *loops; /* of the program */
  uint64_t divergent_branches, issued, max_issues;
  uint64_t pause;       /* `issued` at which to ask `go_on`, or max_issues */
  uint64_t livelock_at; /* `issued` at which to look for a livelock; 0: not set yet */
  uint64_t looks; /* a period of looking for a livelock ends when `issued` exceeds this; 0: there is
                     none */
  uint64_t look_bytes;         /* bytes that this period may still hash */
  bool (*go_on)(void *worker); /* NULL: no one is asked */
  void *worker;
  bool ended;                /* `go_on` has returned false */
  bool check_uniform;        /* the divergence of a branch that is proven uniform is a fault */
  const EmuStage *stage;     /* NULL: compute */
  const EmuDebugHook *debug; /* NULL: there is no debugger */
  EmuNativeWorker *native;   /* NULL: everything is interpreted */
  EmuNativeWorker *asleep;   /* takes the place of `native` when it wakes; NULL: none does */
  char deadlock[512];
} EmuShared;

/* The part of the worker's counts that is this subgroup's, or that is not (runaway.h). */
typedef struct EmuOwn {
  uint64_t issued;
  uint64_t *executions; /* by loop: of its header */
} EmuOwn;

typedef struct EmuExec {
  EmuLanes lanes;
  EmuShared *shared;
  void *policy; /* the policy's state of this subgroup */
  EmuPolicyCounts counts;
  struct EmuTiming *timing; /* timing.h; NULL: there is none */
  EmuMask live;             /* lanes that have not ended */
  uint32_t living;          /* number of lanes that have not ended */
  uint32_t running;         /* number of lanes that run the current block */
  uint32_t *on_row;         /* lanes.on_row points here: a mask as a row (engine.h) */
  EmuMask on_row_lanes;     /* that mask */
  EmuTarget *targets;       /* room for one target per lane */
  uint32_t *edge_of;        /* by target: the edge taken */
  EmuLanePath *paths;       /* by lane; NULL: not recorded */
  SrArena *path_arena;
  uint64_t recorded; /* blocks in `paths`, of all lanes */
  bool too_long;     /* `paths` has reached its limit, and some blocks are missing */
  bool watched;      /* each block is logged: paths, timeline, schedule, detail */
  bool quads;        /* helper lanes are counted, and end with their quad */
  bool ending;       /* the helper lanes in `over` end with this block */
  EmuMask over;
  uint64_t subgroup; /* of the dispatch, for the stage */
  EmuSchedule schedule;
  EmuDetailed *detail;          /* NULL: not counted */
  struct EmuDispatchHeat *heat; /* NULL: not counted */
  uint64_t reported;            /* the part of counts.added that was reported to the stage */
  EmuRound round;
  EmuLivelock livelock;
  EmuOwn own;
  bool stays;    /* the running lanes continue together at lanes.block */
  bool inside;   /* the subgroup waits at a barrier inside a block */
  bool full;     /* the block runs with all lanes that have not ended */
  bool native;   /* the subgroup knows that there may be machine code */
  uint32_t stop; /* barriers of the block that have been passed */
  uint32_t ip;   /* instructions of its stream that have run */
  uint32_t step; /* under a debugger: steps of the block that have begun */
} EmuExec;

/* What the worker has done; `groups` is left out. */
EmuNativeDone emu_exec_done(const EmuShared *shared);
/* There may be machine code from now on, if its worker has woken. */
void emu_exec_wake(EmuShared *shared);
/* Allocates everything except the register file, which belongs to the caller (lanes.file). The
 * caller has set lanes.size, words and width, and sets lanes.file, segments, shared and images
 * before the first start. */
void emu_exec_init(EmuExec *e, SrArena *arena, EmuShared *shared, const EmuBlockTable *table);
/* Begins a new subgroup: all lanes of lanes.exist are at the entry. The caller has filled the rows
 * of constants and builtins. */
void emu_exec_start(EmuExec *e);
EmuExecEnd emu_exec_run(EmuExec *e);
/* Runs only the block that the policy chooses next; EMU_EXEC_DONE: its lanes have left it. */
EmuExecEnd emu_exec_run_block(EmuExec *e);
/* The subgroup has ended: reports to traces, schedules and the stage what the policy issued after
 * the last block. */
void emu_exec_end(EmuExec *e);

#endif
