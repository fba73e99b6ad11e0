/* SPDX-License-Identifier: Apache-2.0 */
/* hint: the controls of loops and branches (Unroll, DontUnroll, Flatten, DependencyLength 4, …),
 * kept while a function lacks the merge instructions of which they are operands.
 *
 * A transform that removes a merge instruction leaves its controls here, under a label: those of a
 * loop under the label of its header, those of a selection under the label of the block that
 * branches. The transform that writes merge instructions again finds them here. Transforms report
 * here if they move a branch to another block, copy a block, or put a block before a loop's header.
 * Controls under a label count only while its block is a loop header, or branches.
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
/* Removes the block's merge instruction, if it has one, and keeps its controls. */
void sr_hint_take(SrModule *m, SrBlock *b);
/* The merge instruction whose controls are kept under the label, or SR_NONE. */
SrRef sr_hint_of(const SrModule *m, uint32_t label, SpvOp op);
/* Does the merge instruction have controls? */
bool sr_hint_has(const SrModule *m, SrRef merge);
/* Appends the controls of a merge instruction (SR_NONE: no controls) to the instruction under
 * construction; `promises`: those that are promises, too. */
void sr_hint_put(SrModule *m, SrRef merge, bool promises);

/* Block `to` now ends with the branch of block `from`. */
void sr_hint_move_branch(SrModule *m, uint32_t from, uint32_t to);
/* Block `to` is now a copy of block `from`: the iterations of a loop that either begins may have
 * changed. */
void sr_hint_copy(SrModule *m, uint32_t from, uint32_t to);
/* Loop header `to` now comes before `from`, which was the header. */
void sr_hint_put_before(SrModule *m, uint32_t from, uint32_t to);
/* The iterations of the loop that the block begins may have changed. */
void sr_hint_loosen(SrModule *m, uint32_t label);
/* The loop that the block began is gone. */
void sr_hint_forget_loop(SrModule *m, uint32_t label);

#endif
