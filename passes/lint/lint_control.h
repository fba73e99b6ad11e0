/* SPDX-License-Identifier: Apache-2.0 */
/* lint_control: the blocks that only some of the lanes of a scope may run, and why.
 *
 * A block is *partial* if a divergent branch decides whether, or how often, a lane runs it, that
 * is, if the block is control dependent on the branch (Ferrante, Ottenstein and Warren, The
 * Program Dependence Graph and Its Use in Optimization, 1987). These blocks are also partial: the
 * blocks of a loop that lanes leave in different iterations, the blocks that they then run up to
 * the loop's merge block, all blocks of a function that is called from a partial block, and blocks
 * that lanes run after other lanes have ended.
 *
 *   if (c) return;       with `ended`, everything after it is partial: a barrier waits for all lanes,
 *   …                    and a derivative needs the quad. Without, only lanes that are still running
 *                        count: a subgroup operation has nothing to do with lanes that have ended,
 *                        unless they end by leaving a loop around it, in different iterations.
 *
 * Cost: near-linear. */
#ifndef SR_LINT_CONTROL_H
#define SR_LINT_CONTROL_H

#include "passes/analysis/uniform/rows.h"
#include "passes/analysis/uniform/uniform.h"

typedef enum SrPartialKind {
  SR_PARTIAL_NOT,
  SR_PARTIAL_BRANCH, /* by the divergent branch at the end of `block` */
  SR_PARTIAL_CALL,   /* `block` is partial and calls the function */
  SR_PARTIAL_ENDED,  /* lanes may have ended in the call `call` of `block` */
} SrPartialKind;

typedef struct SrPartial {
  SrPartialKind kind;
  uint32_t block; /* a number counted through the module's functions, as in uniform.h */
  SrRef call;     /* ENDED; else SR_NONE */
} SrPartial;

typedef struct SrLintCalls {
  uint32_t *base;        /* by index of a function: the number of its first block; at the end: how
                            many there are */
  uint32_t *function_at; /* by id of OpFunction or OpLabel: the function's index; SR_NONE */
  uint32_t *owner;       /* by number of a block: its function's index */
  SrRows sites;          /* by index of a function: its OpFunctionCalls */
  SrRows site_blocks;    /* in the same order: the numbers of their blocks */
  uint32_t *models;      /* by index of a function: bit N: an entry point of execution model N (at
                            most 31) reaches it */
} SrLintCalls;

typedef struct SrLintControl {
  const SrUniform *uniform;
  SrPartial *partial; /* by number of a block */
  SrRef *ends;        /* by number of a block: its first call in which only some lanes may end */
  uint32_t *end; /* by index of a function: the number of a partial block in which lanes end, or
                         that calls a function in which they do; SR_NONE: there is none */
} SrLintControl;

SrLintCalls *sr_lint_calls(SrArena *arena, const SrModule *m);
/* `settled`: settled_loads.h. */
SrLintControl *sr_lint_control(SrArena *arena, const SrModule *m, const SrLintCalls *calls,
                               SrScope scope, bool ended, const SrBits *settled);

#endif
