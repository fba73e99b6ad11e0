/* order_list: a block order as --order gives it: the name of one (order.h), or a list of blocks for
 * one function, [FUNCTION:]@BLOCK,BLOCK,… (ids or OpNames). Without FUNCTION it is the first entry
 * point's, or where there is no entry point the first with a body. Blocks not listed follow in
 * LRPO order, as those of the other functions. */
#ifndef SR_ORDER_LIST_H
#define SR_ORDER_LIST_H

#include "analysis/cfg.h"
#include "analysis/order.h"

typedef struct SrOrderChoice {
  SrOrderFn *make;  /* of all functions, or of those other than `only` */
  const char *list; /* NULL, or the blocks of `only` */
  const SrFunction *only;
} SrOrderChoice;

/* Does the text make sense for some module? */
bool sr_order_is_spec(const char *text);
/* `text` outlives the choice. */
SR_MUST_USE SrStatus sr_order_choose(SrDiag *diag, SrArena *scratch, const SrModule *m,
                                     const char *text, SrOrderChoice *choice);
/* The order of a function; `g` is its graph. */
SR_MUST_USE SrStatus sr_order_build(SrArena *arena, SrDiag *diag, const SrModule *m,
                                    const SrFunction *f, const SrGraph *g,
                                    const SrOrderChoice *choice, uint32_t **order, uint32_t *count);

#endif
