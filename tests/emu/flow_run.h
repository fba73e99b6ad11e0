/* SPDX-License-Identifier: Apache-2.0 */
/* flow_run: runs a policy on a program of flow_build.h, whose blocks have no instructions, only a
 * number of issues. Lanes go where `choose` sends them, which may depend only on the lane, its
 * block and how often the lane has been there, so that every policy must give every lane the same
 * path. The test fails if a policy runs a lane at another block than the lane's, runs no lane
 * (except no-ops of tf-sandy), or loses one. */
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "tests/emu/flow_build.h"

/* Which successor of the block's branch the lane takes; SR_NONE: it ends. `visit`: how often it was
 * at the block before. */
typedef uint32_t FlowChoose(void *user, uint32_t lane, uint32_t block, uint32_t visit);

typedef struct FlowStep {
  uint32_t block, lanes; /* how many */
  uint64_t mask;         /* for more than 64 lanes a hash */
} FlowStep;

typedef struct FlowPath {
  SR_VEC(uint32_t) blocks;
} FlowPath;

typedef struct FlowTrace {
  SR_VEC(FlowStep) steps; /* including no-ops */
  FlowPath *paths;        /* by lane */
  uint64_t issues, noops; /* summed over the steps; `issues` does not include no-ops */
  uint64_t lane_issues;
  EmuPolicyCounts counts;
} FlowTrace;

/* `policy` must apply to the program. */
FlowTrace *flow_run(SrArena *arena, const EmuBlockTable *table, const EmuPolicy *policy,
                    uint32_t lanes, FlowChoose *choose, void *user);

/* Lanes that choose at random; at about a third of the blocks all lanes choose the same. After many
 * visits of a block they take the shortest path to a leaf; if there is none, they end. */
typedef struct FlowRandom {
  const EmuBlockTable *table;
  uint64_t seed;
  uint32_t patience; /* visits of a block before a lane heads for the exit */
  uint32_t *way_out; /* by block: successor, or SR_NONE */
} FlowRandom;

FlowRandom flow_random(SrArena *arena, const EmuBlockTable *table, uint64_t seed,
                       uint32_t patience);
uint32_t flow_random_choose(void *random, uint32_t lane, uint32_t block, uint32_t visit);

/* Lanes that follow paths: "A B C | A C", one for each lane. */
typedef struct FlowScript {
  const EmuBlockTable *table;
  uint32_t count; /* lanes */
  FlowPath *paths;
  uint32_t *at; /* by lane: steps made */
} FlowScript;

FlowScript flow_script(SrArena *arena, const EmuBlockTable *table, const FlowBuild *build,
                       const char *paths);
/* A script can be used for one run. */
uint32_t flow_script_choose(void *script, uint32_t lane, uint32_t block, uint32_t visit);

#endif
