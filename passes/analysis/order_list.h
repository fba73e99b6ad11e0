/* order_list: a block order as --order gives it: the name of one (order.h), or lists of blocks,
 * [FUNCTION:]@BLOCK,BLOCK,…[;FUNCTION:@BLOCK,…] (ids or OpNames). Without FUNCTION a list is the
 * first entry point's, or where there is no entry point the first function's with a body. Blocks
 * not listed follow in LRPO order, as those of the other functions. */
#ifndef SR_ORDER_LIST_H
#define SR_ORDER_LIST_H

#include "analysis/cfg.h"
#include "analysis/order.h"

typedef struct SrOrderList {
  const SrFunction *function;
  const char *blocks; /* up to the end or a semicolon */
} SrOrderList;

typedef struct SrOrderChoice {
  SrOrderFn *make; /* of all functions but those with lists */
  const SrOrderList *lists;
  uint32_t list_count;
} SrOrderChoice;

/* Does the text make sense for some module? */
bool sr_order_is_spec(const char *text);
/* `text` and `arena` outlive the choice. */
SR_MUST_USE SrStatus sr_order_choose(SrDiag *diag, SrArena *arena, const SrModule *m,
                                     const char *text, SrOrderChoice *choice);
/* Can it be made of this module: are all functions and blocks there that it lists? */
bool sr_order_fits(SrArena *scratch, const SrModule *m, const char *text);
/* The order of a function; `g` is its graph. */
SR_MUST_USE SrStatus sr_order_build(SrArena *arena, SrDiag *diag, const SrModule *m,
                                    const SrFunction *f, const SrGraph *g,
                                    const SrOrderChoice *choice, uint32_t **order, uint32_t *count);

#endif
