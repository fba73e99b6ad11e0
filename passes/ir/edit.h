/* edit: making, inserting and removing instructions.
 *
 * An instruction is made in three steps:
 *   sr_begin(m, SpvOpSelect, type, sr_fresh_id(m));
 *   sr_put_id(m, condition); sr_put_id(m, a); sr_put_id(m, b);
 *   SrRef r = sr_end(m);
 * and then put into a list. Only one can be in the making at a time. */
#ifndef SR_EDIT_H
#define SR_EDIT_H

#include "ir/module.h"

/* The next unused id. The id bound's limit is checked by the writer's caller (sr_bound_ok). */
uint32_t sr_fresh_id(SrModule *m);
bool sr_bound_ok(const SrModule *m);

void sr_begin(SrModule *m, SpvOp op, uint32_t type, uint32_t result);
void sr_put_id(SrModule *m, uint32_t id);
void sr_put_literal(SrModule *m, uint32_t word);
SrRef sr_end(SrModule *m);
/* The same words under a fresh result id (if it has one); not in any list. */
SrRef sr_clone(SrModule *m, SrRef r);

void sr_append(SrModule *m, SrList *list, SrRef r);
void sr_insert_before(SrModule *m, SrList *list, SrRef where, SrRef r);
void sr_remove(SrModule *m, SrList *list, SrRef r);

/* Gives id `to` the decorations (OpDecorate, OpDecorateId, OpDecorateString) of `from`; if
 * `only_precision`, only RelaxedPrecision and NonUniform. */
void sr_copy_decorations(SrModule *m, uint32_t from, uint32_t to, bool only_precision);
/* Removes names, decorations and the like (OpName, OpMemberName, OpDecorate…, group targets, debug
 * info operands excepted) of ids whose bit is set in `dead`. */
void sr_forget_ids(SrModule *m, const SrBits *dead);

#endif
