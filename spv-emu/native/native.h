/* SPDX-License-Identifier: Apache-2.0 */
/* native: machine code for blocks and paths of a program, made while it runs.
 *
 * The executor (exec.c, round.c) asks for the code of a block's stream, or of a path, before it
 * runs one. Code is compiled when it has run so often that compiling pays (native.c has the rule).
 * Until then, and if code cannot be compiled, the executor interprets it. Code belongs to the
 * program and is freed with it. Policies, counts and reports do not depend on it, because it does
 * only what handlers do. */
#ifndef EMU_NATIVE_H
#define EMU_NATIVE_H

#include "spv-emu/engine/arms.h"
#include "spv-emu/engine/engine.h"

#include <spv-emu/spv_emu.h>
#include <string.h>

/* A block's stream in which handlers made for it take the place of runs of instructions. */
typedef struct EmuNativeStream {
  const EmuIns *code;
  const uint32_t
      *covers; /* by instruction: how many of the block's it replaces; 0: it is one of them */
  const uint8_t
      *bytes; /* by instruction of the block: of a lane of its result; 0: it has no code */
  uint32_t count;
} EmuNativeStream;

typedef struct EmuNative EmuNative;

/* May lanes take the other edge of a step and leave the others, and does the path run the block of
 * that edge for them first (EMU_PARTS_VIA)? */
typedef enum EmuNativeParts { EMU_PARTS_NOT, EMU_PARTS, EMU_PARTS_VIA } EmuNativeParts;

/* A step of a path: from a block to the next one where the lanes are together. */
typedef struct EmuNativeStep {
  const EmuEdge *edge;       /* all lanes take it; NULL: they go through the arms of a hammock */
  const EmuHammock *hammock; /* that the block heads, or NULL */
  uint32_t to;               /* the next block */
  uint32_t parts;            /* EmuNativeParts */
} EmuNativeStep;

/* What has happened in a step, summed over all iterations. */
typedef struct EmuPathCount {
  uint64_t turns;    /* whole iterations of the lanes that have parted here, in sum */
  uint64_t diverged; /* how often lanes took several edges */
  uint64_t joined;   /* reconvergences in a hammock */
  uint64_t parted;   /* the lanes that have parted, a bit for each */
  struct {
    uint64_t runs, lanes, whole; /* `whole`: runs by all lanes, before some parted */
  } arm[EMU_HAMMOCK_ARMS];       /* of the hammock; the first: the block that parting lanes run */
} EmuPathCount;

/* What a path's code has done. */
typedef struct EmuPathRun {
  uint64_t done;       /* whole iterations */
  uint64_t whole;      /* 1: all lanes that have not ended run; becomes 0 when lanes part */
  uint64_t whole_done; /* whole iterations until then, and the step */
  uint32_t whole_until;
  EmuPathCount *counts; /* by step; zero before the run */
} EmuPathRun;

/* Runs at most `most` iterations of a path. Returns the index of the step in which all lanes take a
 * different edge, or in which a fault stops the run; this step has been executed up to its end.
 * SR_NONE: all iterations were run. If lanes have left the path, s->on has the others. */
typedef uint32_t EmuNativePathCode(EmuLanes *s, uint64_t most, EmuPathRun *run);

/* For tests: how many iterations of loops (turns) code has run. */
typedef struct EmuNativeTurns {
  uint64_t all;
  uint64_t arms;   /* of paths that have hammocks, or where lanes may part */
  uint64_t memory; /* of paths that load or store without a handler */
  uint64_t
      entered; /* how often lanes have run code at once when they came to a loop (exec/round.h) */
} EmuNativeTurns;

/* A row that code writes. */
typedef struct EmuNativeRow {
  uint32_t row, bytes; /* of a lane */
} EmuNativeRow;

/* What code may do besides arithmetic. */
typedef struct EmuNativeWhat {
  bool pure;    /* nothing: it calls no handlers */
  bool repeats; /* loads: what it does may be done twice */
  bool covered; /* loads and stores, which may call handlers */
  bool memory;  /* at least one of these */
} EmuNativeWhat;

/* A path: the blocks of a loop, and the edges by which lanes go from one to the next. */
typedef struct EmuNativePath {
  struct EmuNativePath *next; /* of the same head */
  uint32_t head, count;
  bool full;
  bool plain; /* only edges, which all lanes take */
  EmuNativeWhat what;
  bool refused;            /* it cannot be compiled */
  uint64_t left;           /* the cost of iterations that are to run before it is compiled */
  uint64_t seen;           /* `left` at the last look ahead */
  uint64_t issues;         /* of an iteration in which all arms run */
  uint64_t cost;           /* of interpreting it, in instructions */
  EmuNativePathCode *code; /* NULL: not compiled */
  EmuNativeStep *steps;    /* the last one leads to the head */
  EmuNativeRow *rows;      /* that the code writes and that outlive a block */
  uint32_t row_count;
} EmuNativePath;

/* Runs blocks one after the other, each with the lanes of its mask. A block without lanes is
 * skipped. */
typedef void EmuNativeArmsCode(EmuLanes *s, const uint64_t *masks);

/* The arms of a hammock (policy/hammock.h): blocks that each have one edge, whose moves they make. */
typedef struct EmuNativeArms {
  struct EmuNativeArms *next; /* of the same header */
  uint32_t count, arm[EMU_HAMMOCK_ARMS];
  EmuNativeWhat what;
  bool refused;            /* they cannot be compiled */
  uint64_t left;           /* runs until they are compiled */
  uint64_t seen;           /* `left` at the last look ahead */
  EmuNativeArmsCode *code; /* NULL: not compiled */
} EmuNativeArms;

/* If code is checked: the state that it left, which is kept until the interpreter has come to the
 * same place. */
typedef struct EmuExpected {
  bool waits;
  uint64_t issued; /* EmuShared.issued there */
  uint32_t block;  /* which has run there */
  EmuMask on, yes;
  const EmuNativePath *path;
  uint8_t *file;
  EmuCounts counts;
} EmuExpected;

/* If code is checked: the state before it ran, and the state that it left. */
typedef struct EmuChecked {
  uint8_t *before, *after; /* register files */
  EmuCounts counts_before, counts_after;
  EmuFault fault; /* before */
} EmuChecked;

/* The path that lanes took which came back to a block, and what the policy counts for an iteration. */
typedef struct EmuNativeStart {
  EmuNativePath *path; /* NULL: none that has code */
  uint64_t pushes, pops;
} EmuNativeStart;

/* How far a worker has come. */
typedef struct EmuNativeDone {
  uint64_t issued, blocks; /* instructions and blocks */
  uint64_t groups;         /* workgroups */
} EmuNativeDone;

/* What one worker knows of a program's code. */
typedef struct EmuNativeWorker {
  EmuNative *of;
  bool check;                      /* interpret, too, and compare */
  bool at_once;                    /* compile what has run once */
  bool awake;                      /* the executor may ask for code */
  const EmuNativeStream **streams; /* by block and stream (emu_native_stream); NULL: not compiled */
  uint32_t *left;                  /* by the same: runs until it is to be compiled */
  uint32_t *seen;                  /* by the same: `left` at the last look ahead */
  uint64_t look_at;                /* instructions after which to look ahead, between workgroups */
  uint64_t pause_at;               /* ... and, if it sleeps, also inside of one */
  EmuNativeDone looked;            /* what had been done at the last look ahead */
  EmuNativePath *last;             /* the path that was asked for last */
  EmuNativeStart *starts; /* by block, twice: for some lanes, for all that have not ended */
  EmuNativeArms **arms;   /* by header: the arms that were asked for last, or NULL */
  EmuChecked checked;     /* if `check` */
  EmuExpected expected;
} EmuNativeWorker;

/* Begins the machine code of a program, which must outlive it. Free it with emu_native_free. NULL:
 * out of memory. */
EmuNative *emu_native_new(const EmuProgram *program);
void emu_native_free(EmuNative *native);

/* Makes a worker's part, in `arena`. `mode` is not SPV_EMU_NATIVE_OFF. */
EmuNativeWorker *emu_native_worker(SrArena *arena, EmuNative *native, spv_emu_native mode);

/* After a workgroup: if it is time (w->look_at), estimates how often code will run until the end
 * of the dispatch. `left`: workgroups that have not run. Wakes a worker that sleeps if compiling
 * is worth it. */
void emu_native_look_ahead(EmuNativeWorker *w, const EmuNativeDone *done, uint64_t left);
/* Within a workgroup: wakes the worker if the program has already cost enough (w->pause_at). */
void emu_native_look(EmuNativeWorker *w, const EmuNativeDone *done);
/* The worker has done its part of a dispatch. */
void emu_native_rest(EmuNativeWorker *w, const EmuNativeDone *done);

/* Compiles the stream, or takes what a different worker has compiled. NULL: there is no code for
 * it. */
const EmuNativeStream *emu_native_compile(EmuNativeWorker *w, uint32_t block, bool full);

/* The code of a block's stream, which is about to run; NULL: none yet. */
static inline const EmuNativeStream *emu_native_stream(EmuNativeWorker *w, uint32_t block,
                                                       bool full) {
  uint32_t at = 2 * block + full;
  if (w->streams[at] || --w->left[at])
    return w->streams[at];
  return emu_native_compile(w, block, full);
}

/* The entry for a path; `issues`: of an iteration. NULL: out of memory. */
EmuNativePath *emu_native_path(EmuNativeWorker *w, const EmuNativeStep *steps, uint32_t count,
                               uint32_t head, bool full, uint64_t issues);
/* The code of a path. NULL: there is none yet. In a mode that compiles at once, it is compiled
 * now. */
EmuNativePathCode *emu_native_path_code(EmuNativePath *path, EmuNativeWorker *w);
/* How many iterations may run before the path is compiled; at most `most`. */
uint64_t emu_native_path_wait(const EmuNativePath *path, uint64_t most);
/* The entry for the arms of a hammock. NULL: out of memory. */
EmuNativeArms *emu_native_find_arms(EmuNativeWorker *w, uint32_t header, const uint32_t *arm,
                                    uint32_t count);
static inline EmuNativeArms *emu_native_arms(EmuNativeWorker *w, uint32_t header,
                                             const uint32_t *arm, uint32_t count) {
  EmuNativeArms *arms = w->arms[header];
  if (arms && arms->count == count && memcmp(arms->arm, arm, count * sizeof *arm) == 0)
    return arms;
  return emu_native_find_arms(w, header, arm, count);
}
/* The arms are about to run without code: compiles them if it is time. */
void emu_native_arms_run(EmuNativeArms *arms, EmuNativeWorker *w);
/* Notes that the path's code has run `turns` iterations. */
void emu_native_count_turns(EmuNative *native, const EmuNativePath *path, uint64_t turns);
void emu_native_count_entered(EmuNative *native);
EmuNativeTurns emu_native_turns(const EmuNative *native);
/* The path has run `iterations` times without code: compiles it if it is time. */
void emu_native_path_ran(EmuNativePath *path, EmuNativeWorker *w, uint64_t iterations);

#endif
