/* SPDX-License-Identifier: Apache-2.0 */
/* uniform: which values and branches are the same for all lanes that run them together.
 *
 * Everything is uniform until shown otherwise: a worklist propagates divergence from its sources
 * along data (def-use, and from stores to the loads of a lane's own variables: local_flow.h), by
 * paths (phis where the paths of a divergent branch join, variables to which only some of the lanes
 * store), in time (values that leave a cycle whose lanes leave in different iterations) and through
 * calls (one summary per function: its parameters, its returns, whether only some of the lanes call
 * it). Sound: a uniform branch never splits a tangle; sync.h
 * lists the policies for which this holds. After R. Karrenberg and S. Hack, Improving Performance
 * of OpenCL on CPUs, CC 2012, and Rosemann, Moll and Hack, POPL 2021 (sync.h).
 *
 * Cost: near-linear; every value, variable (a cell of memory_cells.h), branch and function changes at
 * most once. The results are for the module as it is now: after a transform the analysis has to be
 * built again. */
#ifndef SR_UNIFORM_H
#define SR_UNIFORM_H

#include "passes/ir/module.h"

typedef enum SrUniformMode {
  SR_UNIFORM_ANALYSIS,
  SR_UNIFORM_ALL_DIVERGENT,
  SR_UNIFORM_ALL_UNIFORM
} SrUniformMode;

/* Quads are those of fragment shaders: inputs of the primitive are the same for all lanes of one. */
typedef enum SrScope { SR_SCOPE_SUBGROUP, SR_SCOPE_WORKGROUP, SR_SCOPE_QUAD } SrScope;

/* Why a value is divergent. */
typedef enum SrCauseKind {
  SR_CAUSE_NONE,      /* it is uniform */
  SR_CAUSE_SOURCE,    /* its own instruction gives lanes different values */
  SR_CAUSE_VALUE,     /* `from` is divergent, a value or a node (local_flow.h) */
  SR_CAUSE_PATH,      /* lanes come to it on different paths from the branch at the end of `from` */
  SR_CAUSE_ITERATION, /* lanes leave a loop by that branch in different iterations */
  SR_CAUSE_PARTIAL,   /* by that branch, only some of the lanes compute it together */
} SrCauseKind;

typedef struct SrCause {
  SrCauseKind kind;
  uint32_t from; /* PATH, TURN, PARTIAL: a block's number, counted through the module's functions */
} SrCause;

typedef struct SrUniform SrUniform;

SrUniform *sr_uniform_build(SrArena *arena, const SrModule *m, SrUniformMode mode, SrScope scope);
/* The analysis with the cause of each divergent value, and with more knowledge of values than
 * transforms assume: `settled` (by index of an instruction, loads that differ only if their addresses
 * do), phi_copies.h, quad_cells.h. */
SrUniform *sr_uniform_explain(SrArena *arena, const SrModule *m, SrScope scope,
                              const SrBits *settled);
/* `value`: an id, or a node that is the cause of a different value. Of a chain of causes, each was found
 * before the one that it explains, so that the chain ends in a SR_CAUSE_SOURCE. */
SrCause sr_uniform_cause(const SrUniform *u, uint32_t value);
/* The index in its function of the block with this number; *function: the index of the function. */
uint32_t sr_uniform_block(const SrUniform *u, const SrModule *m, uint32_t number,
                          uint32_t *function);
/* Is the value the same for all lanes that run its definition together? */
bool sr_uniform_value(const SrUniform *u, uint32_t id);
/* Do all lanes that run the end of the block together go to the same successor? True if there is
 * only one. */
bool sr_uniform_branch(const SrUniform *u, const SrModule *m, const SrFunction *f, uint32_t block);

#endif
