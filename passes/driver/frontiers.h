/* SPDX-License-Identifier: Apache-2.0 */
/* frontiers: the thread frontiers of a module's blocks, and the edges that need a check for lanes
 * that wait, as a list and as text (SPVRECONV_WANT_FRONTIER). */
#ifndef SR_FRONTIERS_H
#define SR_FRONTIERS_H

#include "passes/base/vec.h"
#include "passes/ir/module.h"

#include <spvreconv/spvreconv.h>

typedef struct SrFrontierList {
  SR_VEC(spvreconv_frontier) blocks; /* of all functions; those of a function by priority */
  const char *text;
} SrFrontierList;

/* Fills *list, in `out`. The priorities are those of `order`, as --order names it, or LRPO if the
 * text fits no order of the module; leaves nothing in `scratch`. One sweep in each function; the
 * memory is that of the frontiers. */
SR_MUST_USE SrStatus sr_frontiers_list(SrArena *out, SrArena *scratch, const SrModule *m,
                                       const char *order, SrFrontierList *list);
/* The order whose priorities reports use if the user asks for `order` (NULL: for none): that one,
 * or lrpo if it depends on transforms ("best"), or lists blocks that the module does not have. */
const char *sr_frontiers_order(SrArena *scratch, const SrModule *m, const char *order);

#endif
