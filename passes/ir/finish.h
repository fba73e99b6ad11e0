/* SPDX-License-Identifier: Apache-2.0 */
/* finish: what remains to be done after the last transform. */
#ifndef SR_FINISH_H
#define SR_FINISH_H

#include "passes/ir/module.h"

/* Removes the names and decorations of ids that lost their definition, and checks SPIR-V's limits:
 * ids, words of an instruction. */
SR_MUST_USE SrStatus sr_finish(SrModule *m);

#endif
