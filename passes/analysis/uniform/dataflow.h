/* SPDX-License-Identifier: Apache-2.0 */
/* dataflow: how an instruction's result depends on its operands and on the lanes, for the
 * uniformity analysis. Unknown instructions are divergent. */
#ifndef SR_DATAFLOW_H
#define SR_DATAFLOW_H

#include "passes/ir/module.h"

typedef enum SrDataflow {
  SR_DATAFLOW_NONE,    /* no result, or one that is the same for all lanes whatever the operands */
  SR_DATAFLOW_PURE,    /* a function of the operands */
  SR_DATAFLOW_DIFFERS, /* differs between lanes, or is unknown */
  SR_DATAFLOW_GROUP,   /* one result for all lanes that run it together */
  SR_DATAFLOW_LOAD,
  SR_DATAFLOW_PHI,
  SR_DATAFLOW_CALL,
} SrDataflow;

/* Can the id be divergent? Among ids with a definition, only results in blocks, and parameters,
 * can. */
bool sr_dataflow_may_differ(const SrModule *m, uint32_t id);
/* `workgroup`: lanes of the workgroup, not only of the subgroup. */
SrDataflow sr_dataflow(const SrModule *m, SrRef r, bool workgroup);
/* For a SR_DATAFLOW_GROUP instruction that reads the value of one lane: the index of the word with
 * that lane's id, which must be uniform. Else 0. */
uint32_t sr_dataflow_selector(const SrModule *m, SrRef r);

#endif
