/* SPDX-License-Identifier: Apache-2.0 */
/* order_list: a block order in the syntax of --order: the name of an order (order.h), or lists of
 * blocks, [FUNCTION:]@BLOCK,BLOCK,…[;FUNCTION:@BLOCK,…] (ids or OpNames). Without FUNCTION a list
 * is for the first entry point, or if there is no entry point for the first function with a body.
 * Blocks that are not listed follow in LRPO, which is also the order of the other functions. */
#ifndef SR_ORDER_LIST_H
#define SR_ORDER_LIST_H

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/graph/order.h"

typedef struct SrOrderList {
  const SrFunction *function;
  const char *blocks; /* the list, which a semicolon or the end of the text ends */
} SrOrderList;

typedef struct SrOrderChoice {
  SrOrderFn *make; /* for functions without a list */
  const SrOrderList *lists;
  uint32_t list_count;
  SrDiag *diag; /* for lists that do not fit a function */
} SrOrderChoice;

/* Is the text a list or a name, so that it may be the order of some module? */
bool sr_order_is_spec(const char *text);
/* Reads the order that `text` states for the module. `text` and `arena` must outlive the choice. */
SR_MUST_USE SrStatus sr_order_choose(SrDiag *diag, SrArena *arena, const SrModule *m,
                                     const char *text, SrOrderChoice *choice);
/* Does the order fit this module: do all functions and blocks that it lists exist? */
bool sr_order_fits(SrArena *scratch, const SrModule *m, const char *text);
/* Builds the order of a function; `g` is its graph. */
SR_MUST_USE SrStatus sr_order_build(SrArena *arena, const SrModule *m, const SrFunction *f,
                                    const SrGraph *g, const SrOrderChoice *choice, uint32_t **order,
                                    uint32_t *count);

#endif
