/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_step: steps that make a module smaller, for a search that keeps what still shows an error.
 *
 * A step replaces a part of a function by something simpler, without regard to what the function
 * computes: a branch goes one way, a loop runs once, a value becomes 0 or one of its operands. The
 * steps of a module are numbered, kind by kind, so that a search can try many at once, as delta
 * debugging does (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE
 * TSE 2002). The result may be invalid; the caller validates it. */
#ifndef SR_REDUCE_STEP_H
#define SR_REDUCE_STEP_H

#include "passes/ir/module.h"

typedef enum SrReduceKind {
  SR_REDUCE_BODY,   /* a function returns at once */
  SR_REDUCE_BRANCH, /* a branch or a switch always goes one way */
  SR_REDUCE_LOOP,   /* back edges lead to the loop's merge block */
  SR_REDUCE_EFFECT, /* an instruction without result, or whose result is not used, goes */
  SR_REDUCE_VALUE,  /* a result becomes an operand of its instruction, null, 1 or true */
  SR_REDUCE_EARLIER, /* a result becomes one of the last values of its type that were computed before */
  SR_REDUCE_KINDS
} SrReduceKind;

typedef struct SrReduceRules {
  bool keeps_local_stores; /* stores to variables of Function, Private and Workgroup storage stay,
                              so that no load reads what was never written */
} SrReduceRules;

/* The number of steps of this kind. */
uint32_t sr_reduce_count(SrModule *m, SrReduceKind kind, const SrReduceRules *rules);

/* Takes `count` steps of this kind, from number `first` on, and then removes what nothing reaches or
 * uses. Of steps that exclude each other the last one counts. `count` 0: only removes. The caller
 * writes the module (sr_finish, sr_write). */
void sr_reduce_apply(SrModule *m, SrReduceKind kind, const SrReduceRules *rules, uint32_t first,
                     uint32_t count);

/* Gives each variable of Function and Private storage a null initializer, if it has none and its
 * type may have one, so that a store to it can go. */
void sr_reduce_initialize(SrModule *m);

#endif
