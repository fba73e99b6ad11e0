/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_edit: what the steps of a reduction and the clean-up after them have in common. */
#ifndef SR_REDUCE_EDIT_H
#define SR_REDUCE_EDIT_H

#include "passes/ir/module.h"

/* Does the instruction only name or decorate an id, so that it does not count as a use? */
bool sr_reduce_is_note(SpvOp op);
/* A null constant of the type; 0: the type has none (a pointer, an image, …). */
uint32_t sr_reduce_null(SrModule *m, uint32_t type);
/* A number of 32 bits, whose type this is. */
uint32_t sr_reduce_number(SrModule *m, uint32_t type, uint32_t bits);
/* Ends the block with the instruction, in place of its terminator, and without its merge
 * instruction if `bare`. */
void sr_reduce_end(SrModule *m, SrBlock *b, SrRef terminator, bool bare);
/* Is the label a target of the block's terminator? */
bool sr_reduce_leads_to(const SrModule *m, const SrBlock *b, uint32_t label);
/* An OpBranch to the label. */
SrRef sr_reduce_branch(SrModule *m, uint32_t label);
/* What takes the place of each id; 0: it stays. Ids from `room` on stay. */
typedef struct SrInstead {
  uint32_t *id, room;
} SrInstead;
SrInstead sr_instead_new(const SrModule *m);
/* Replaces every use of an id, names and decorations excepted. Chains of replacements are followed. */
void sr_instead_apply(SrModule *m, SrInstead *instead);
/* Calls visit for each instruction of the module; visit may remove the one it gets. */
void sr_reduce_each(SrModule *m, void (*visit)(SrModule *m, SrList *list, SrRef r, void *user),
                    void *user);

#endif
