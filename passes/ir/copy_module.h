/* SPDX-License-Identifier: Apache-2.0 */
/* copy_module: copies a module, so that a transform that may fail can be tried on the copy. */
#ifndef SR_COPY_MODULE_H
#define SR_COPY_MODULE_H

#include "passes/ir/module.h"

/* A copy of the module as it is, in `arena`: ids, functions and blocks have the same numbers. It
 * has a SrDiag of its own, which prints nothing. Failures are recorded in m->diag. Linear. */
SR_MUST_USE SrStatus sr_copy_module(SrArena *arena, SrModule *m, SrModule **copy);

#endif
