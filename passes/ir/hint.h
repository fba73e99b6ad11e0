/* SPDX-License-Identifier: Apache-2.0 */
/* hint: the controls of loops and branches (Unroll, DontUnroll, Flatten, DependencyLength 4, …),
 * which are operands of merge instructions, while a function has none.
 *
 * A transform that takes a merge instruction out of its block leaves its controls here, under the
 * block's label: those of a loop under the label of its header, those of a selection under that of
 * the block that branches. Whichever transform writes merge instructions again finds them here. A
 * transform that moves a branch to another block, copies a block, or puts one before a loop's
 * header says so. What is kept under a label counts only while the block is a header, or branches.
 *
 * Some controls of a loop are promises about its iterations (DependencyInfinite, DependencyLength,
 * MinIterations, MaxIterations, IterationMultiple and those of FPGAs that name arrays or counts).
 * After a transform that changes the iterations they may be false, and are dropped. The others are
 * requests, which remain. */
#ifndef SR_HINT_H
#define SR_HINT_H

#include "passes/ir/module.h"

/* Does the module keep controls of loops (OpLoopMerge), or of selections (OpSelectionMerge)? */
bool sr_hint_any(const SrModule *m, SpvOp op);
/* Keeps the controls of a merge instruction, if it has any, under a label. */
void sr_hint_keep(SrModule *m, uint32_t label, SrRef merge);
/* Takes the block's merge instruction out, if it has one, and keeps its controls. */
void sr_hint_take(SrModule *m, SrBlock *b);
/* The merge instruction whose controls are kept under the label, or SR_NONE. */
SrRef sr_hint_of(const SrModule *m, uint32_t label, SpvOp op);
/* Has the merge instruction controls? */
bool sr_hint_has(const SrModule *m, SrRef merge);
/* Puts the controls of a merge instruction into the one under construction; SR_NONE: none. */
void sr_hint_put(SrModule *m, SrRef merge, bool promises);

/* Block `to` now ends with the branch of block `from`. */
void sr_hint_move_branch(SrModule *m, uint32_t from, uint32_t to);
/* Block `to` is now a copy of block `from`: a loop that either begins may have other iterations
 * than before. */
void sr_hint_copy(SrModule *m, uint32_t from, uint32_t to);
/* Loop header `to` now comes before `from`, which was the header. */
void sr_hint_put_before(SrModule *m, uint32_t from, uint32_t to);
/* The loop that the block begins may have other iterations than before. */
void sr_hint_loosen(SrModule *m, uint32_t label);
/* The loop that the block began is gone. */
void sr_hint_forget_loop(SrModule *m, uint32_t label);

#endif
