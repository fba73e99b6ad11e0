/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_steps: a shader's module after steps of a reduction (passes/reduce), as words. */
#ifndef HN_REDUCE_STEPS_H
#define HN_REDUCE_STEPS_H

#include "harness/shader/shader.h"
#include "passes/reduce/reduce_step.h"

/* Before anything else: without debug information, and without what nothing uses; `initialize`: with
 * initial values of variables (sr_reduce_initialize). Words is NULL if the module cannot be read, or
 * memory ran out; else the caller frees them. */
HnModule hn_reduce_prepared(HnModule module, bool initialize);
/* The number of steps of a kind. */
uint32_t hn_reduce_steps(HnModule module, SrReduceKind kind, const SrReduceRules *rules);
/* The module after steps `first` to `first` + `count` - 1. Words is NULL if no instruction of a
 * function goes; else the caller frees them. */
HnModule hn_reduce_after(HnModule module, SrReduceKind kind, const SrReduceRules *rules,
                         uint32_t first, uint32_t count);
/* How many instructions its functions have, as statistics count them. */
uint32_t hn_reduce_size(HnModule module);

#endif
