/* SPDX-License-Identifier: Apache-2.0 */
/* policy_dwf: the orders in which dynamic warp formation issues the PCs of its pool (Fung et al.,
 * MICRO-40, 2007). The paper has a fifth order, by the post-dominators that lanes have passed. */
#ifndef EMU_POLICY_DWF_H
#define EMU_POLICY_DWF_H

#include "spv-emu/policy/block_table.h"

/* The order of that name; NULL: majority. False: there is none. */
bool emu_pool_order_find(const char *name, EmuPoolOrder *order);

#endif
