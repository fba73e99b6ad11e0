/* SPDX-License-Identifier: Apache-2.0 */
/* edit: makes, inserts and removes instructions.
 *
 * An instruction is made in three steps:
 *   sr_begin(m, SpvOpSelect, type, sr_fresh_id(m));
 *   sr_put_id(m, condition); sr_put_id(m, a); sr_put_id(m, b);
 *   SrRef r = sr_end(m);
 * and then put into a list. Only one instruction can be under construction at a time. */
#ifndef SR_EDIT_H
#define SR_EDIT_H

#include "passes/ir/module.h"

/* The next unused id. */
uint32_t sr_fresh_id(SrModule *m);
/* A block that has only its label and is in no function. The caller sets m->home of the label's
 * id. */
SrBlock sr_new_block(SrModule *m);
/* Sets m->home of all results of the function's blocks, after blocks were moved or added. */
void sr_set_homes(SrModule *m, const SrFunction *f);
/* Removes a block's ids (its label, its results) from the module; the caller drops the block. */
void sr_undefine_block(SrModule *m, const SrBlock *b);
/* Fails if there are more ids than SPIR-V allows. To be called in loops that make many ids. */
SR_MUST_USE SrStatus sr_check_bound(const SrModule *m);

void sr_begin(SrModule *m, SpvOp op, uint32_t type, uint32_t result);
void sr_put_id(SrModule *m, uint32_t id);
void sr_put_literal(SrModule *m, uint32_t word);
SrRef sr_end(SrModule *m);
/* A copy of the instruction, with a fresh result id if the instruction has a result; not in any
 * list. */
SrRef sr_clone(SrModule *m, SrRef r);

void sr_append(SrModule *m, SrList *list, SrRef r);
void sr_insert_before(SrModule *m, SrList *list, SrRef where, SrRef r);
void sr_remove(SrModule *m, SrList *list, SrRef r);
/* Moves what follows `r` in a list to the end of list `to`, in constant time. */
void sr_move_rest(SrModule *m, SrList *from, SrRef r, SrList *to);

#endif
