/* SPDX-License-Identifier: Apache-2.0 */
/* native: machine code for blocks and paths of a program, made while it runs.
 *
 * The executor (exec.c, round.c) asks for the code of a block's stream, or of a path, before it runs
 * one. Code is compiled when it has run often enough to pay (native.c has the rule); until then, and
 * for what cannot be compiled, the executor interprets. Code belongs to the program and is freed
 * with it. Policies, counts and reports do not know of it: it only does what handlers do. */
#ifndef EMU_NATIVE_H
#define EMU_NATIVE_H

#include "spv-emu/engine/engine.h"

#include <spv-emu/spv_emu.h>
#include <string.h>

/* A block's stream in which handlers made for it take the place of runs of instructions. */
typedef struct EmuNativeStream {
  const EmuIns *code;
  const uint32_t
      *covers; /* by instruction: how many of the block's it replaces; 0: it is one of them */
  uint32_t count;
} EmuNativeStream;

typedef struct EmuNative EmuNative;

/* Runs at most `most` iterations of a path. Returns the index of the step in which lanes take another
 * edge or a fault stops the run, which has been executed up to its end; SR_NONE: all iterations were
 * run. *done: the number of whole iterations. */
typedef uint32_t EmuNativePathCode(EmuLanes *s, uint64_t most, uint64_t *done);

/* A path: a loop's blocks and the edges that lead from one to the next. */
typedef struct EmuNativePath {
  struct EmuNativePath *next; /* of the same head */
  uint32_t head, count;
  bool full;
  bool pure;               /* calls no handlers */
  bool refused;            /* it cannot be compiled */
  uint64_t left;           /* instructions that are to run before it is compiled */
  uint64_t issues;         /* of an iteration */
  EmuNativePathCode *code; /* NULL: not compiled */
  const EmuEdge **edges;   /* `count` edges, the last one to the head */
} EmuNativePath;

/* Runs blocks one after the other, each with the lanes of its mask; not those with none. */
typedef void EmuNativeArmsCode(EmuLanes *s, const uint64_t *masks);

enum { EMU_NATIVE_ARMS = 8 };

/* The arms of a hammock (policy/hammock.h): blocks that each have one edge, whose moves they make. */
typedef struct EmuNativeArms {
  struct EmuNativeArms *next; /* of the same header */
  uint32_t count, arm[EMU_NATIVE_ARMS];
  bool refused;            /* they cannot be compiled */
  uint64_t left;           /* runs until they are compiled */
  EmuNativeArmsCode *code; /* NULL: not compiled */
} EmuNativeArms;

/* What one worker knows of a program's code. */
typedef struct EmuNativeWorker {
  EmuNative *of;
  bool check;                      /* interpret, too, and compare */
  bool at_once;                    /* compile what has run once */
  const EmuNativeStream **streams; /* by block and stream (emu_native_stream); NULL: not compiled */
  uint32_t *left;                  /* by the same: runs until it is to be compiled */
  EmuNativePath *last;             /* the path that was asked for last */
  EmuNativeArms **arms;            /* by header: the arms that were asked for last, or NULL */
  uint8_t *before, *after;         /* if `check`: room for two register files */
} EmuNativeWorker;

/* For a program, which it keeps; freed by emu_native_free. NULL: out of memory. */
EmuNative *emu_native_new(const EmuProgram *program);
void emu_native_free(EmuNative *native);

/* Makes a worker's part, in `arena`. `mode` is not SPV_EMU_NATIVE_OFF. */
EmuNativeWorker *emu_native_worker(SrArena *arena, EmuNative *native, spv_emu_native mode);

/* Compiles the stream, or takes what another worker has compiled; NULL: there is no code for it. */
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
EmuNativePath *emu_native_path(EmuNativeWorker *w, const EmuEdge *const *edges, uint32_t count,
                               uint32_t head, bool full, uint64_t issues);
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
void emu_native_arms_run(EmuNativeArms *arms, EmuNative *native);
/* The path has run `iterations` times without code: compiles it if it is time. */
void emu_native_path_ran(EmuNativePath *path, EmuNative *native, uint64_t iterations);

#endif
