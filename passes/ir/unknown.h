/* SPDX-License-Identifier: Apache-2.0 */
/* unknown: the notice for a function with an instruction that the grammar does not know. */
#ifndef SR_UNKNOWN_H
#define SR_UNKNOWN_H

#include "passes/ir/module.h"

/* Gives a notice that the function is left as it is because of its instruction r. */
void sr_say_unknown(const SrModule *m, const SrFunction *f, SrRef r);

#endif
