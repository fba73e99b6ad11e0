/* SPDX-License-Identifier: Apache-2.0 */
/* same_id: ids that other ids replace, perhaps in several steps. */
#ifndef SR_SAME_ID_H
#define SR_SAME_ID_H

#include "passes/ir/id_table.h"

/* The id that replaces `id` in the end, or `id` itself. Shortens the path to it for the next
 * time. */
uint32_t sr_same_id(SrIdTable *same_as, uint32_t id);
/* Replaces the operands of all instructions in the function's blocks. */
void sr_same_id_rename(SrModule *m, const SrFunction *f, SrIdTable *same_as);

#endif
