/* SPDX-License-Identifier: Apache-2.0 */
/* policy_counts: what policies count, and logs that record their stack operations.
 *
 * The functions below count every push and pop, so that logs miss none. Logs are for figures that
 * depend on the order of pushes and pops: spills and reloads (stack_cost.h), when a subgroup waits
 * for its stack (timeline.h), traces. Without a log, counting is one addition and one test. */
#ifndef EMU_POLICY_COUNTS_H
#define EMU_POLICY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct EmuStackEntry {
  const struct EmuMask *lanes;
  uint32_t next;   /* the block that its lanes run next */
  uint32_t rejoin; /* the block where these lanes reconverge with others; SR_NONE: none, or not
                      recorded */
} EmuStackEntry;

/* One instruction that operates on the stack, as in hardware; reported by `pdom` and `ssy`. */
typedef struct EmuStackStep {
  const char *name; /* "SSY", "BRA", … */
  bool added;       /* an issue of its own, included in EmuPolicyCounts.added */
  bool ends;        /* it is its block's terminator */
  uint32_t popped, pushed;
  const EmuStackEntry *entries; /* those popped, followed by those pushed */
} EmuStackStep;

/* A log that follows one subgroup's stack at a time; the first member of a larger struct. The base
 * entry is neither pushed nor popped. */
typedef struct EmuStackLog EmuStackLog;
struct EmuStackLog {
  /* `entries` entries are pushed one after the other; `counts->max_depth` may not include them
   * yet. */
  void (*pushed)(EmuStackLog *log, uint32_t entries);
  void (*popped)(EmuStackLog *log, uint32_t entries);
  /* A branch sent its lanes to `more` + 1 targets. Called before the branch's pushes and pops;
   * under `ssy`, called once before each token that a branch pushes, with `more` 1. */
  void (*diverged)(EmuStackLog *log, uint32_t more);
  /* An entry was inserted in a sorted stack, or joined an entry there, after comparisons with the
   * first `compared` entries. NULL: insertions are not logged. */
  void (*inserted)(EmuStackLog *log, uint32_t compared);
  /* A step is done, and its pushes and pops have been counted; NULL: steps are not logged. */
  void (*did)(EmuStackLog *log, const EmuStackStep *step);
  EmuStackLog *next; /* another log; NULL: none */
};

typedef struct EmuPolicyCounts {
#define EMU_POLICY_SUM(type, name) type name;
#define EMU_POLICY_MAX(type, name) type name;
#include "spv-emu/cost/policy_counts.def"
  EmuStackLog *log; /* NULL: no log */
} EmuPolicyCounts;

static inline void emu_count_pushes(EmuPolicyCounts *counts, uint32_t entries) {
  counts->pushes += entries;
  for (EmuStackLog *log = counts->log; log && entries; log = log->next)
    log->pushed(log, entries);
}

static inline void emu_count_pops(EmuPolicyCounts *counts, uint32_t entries) {
  counts->pops += entries;
  for (EmuStackLog *log = counts->log; log && entries; log = log->next)
    log->popped(log, entries);
}

static inline void emu_log_insertion(EmuPolicyCounts *counts, uint32_t compared) {
  for (EmuStackLog *log = counts->log; log; log = log->next)
    if (log->inserted)
      log->inserted(log, compared);
}

static inline void emu_log_step(EmuPolicyCounts *counts, const EmuStackStep *step) {
  for (EmuStackLog *log = counts->log; log; log = log->next)
    if (log->did)
      log->did(log, step);
}

static inline void emu_log_divergence(EmuPolicyCounts *counts, uint32_t more) {
  for (EmuStackLog *log = counts->log; log; log = log->next)
    log->diverged(log, more);
}

#endif
