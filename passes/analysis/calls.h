/* SPDX-License-Identifier: Apache-2.0 */
/* calls: the cost of a search for recursion that follows the calls from every function separately,
 * as SPIRV-Tools' validator does. */
#ifndef SR_CALLS_H
#define SR_CALLS_H

#include "passes/ir/module.h"

/* Are there more than `limit` calls to follow, summed over all functions and all entry points? A
 * call inside a callee counts once for each function that reaches the callee. Cost: linear, and at
 * most `limit`. */
bool sr_calls_exceed(SrArena *scratch, const SrModule *m, uint64_t limit);

#endif
