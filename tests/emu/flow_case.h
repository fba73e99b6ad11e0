/* SPDX-License-Identifier: Apache-2.0 */
/* flow_case: runs of policies on small graphs, written down and compared. */
#ifndef FLOW_CASE_H
#define FLOW_CASE_H

#include "tests/emu/flow_run.h"

/* A program, a policy, and lanes that follow paths. */
typedef struct FlowCase {
  EmuBlockTable *table;
  FlowBuild build;
  FlowTrace *trace;
} FlowCase;

/* Runs the program (flow_parse) with lanes that follow `paths` (flow_script). `order`: other
 * priorities (flow_set_order), or NULL. */
FlowCase flow_follow(SrArena *arena, const char *text, const char *order, const EmuPolicy *policy,
                     const char *paths);
/* "A:f B:1": blocks in the order in which they ran, with the active lanes as hexadecimal masks. */
const char *flow_steps_text(SrArena *arena, const FlowBuild *b, const FlowTrace *t);
/* Expects these steps. */
void flow_expect_steps(SrArena *arena, const FlowCase *c, const char *steps);
/* How often the block of that name ran. */
uint32_t flow_runs_of(const FlowBuild *b, const FlowTrace *t, const char *name);

/* Fails the test, with the seed, if a lane's path differs. */
void flow_same_paths(const FlowTrace *a, const FlowTrace *b, uint32_t lanes, const char *name,
                     uint64_t seed);
/* Fails the test, with the seed, if the steps without no-ops differ. */
void flow_same_steps(const FlowTrace *a, const FlowTrace *b, const char *what, uint64_t seed);

#endif
