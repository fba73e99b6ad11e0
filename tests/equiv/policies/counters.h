/* SPDX-License-Identifier: Apache-2.0 */
/* counters: the policies that compare program counters. */
#ifndef POLICIES_COUNTERS_H
#define POLICIES_COUNTERS_H

#include "tests/equiv/policies/run.h"

/* The same blocks with the same lanes, and the same other figures. */
void counters_same(const Case *c, const spv_emu_result *a, const spv_emu_result *b);
/* `minpc` issues what tf-stack does with priorities in layout order. */
void counters_check_minpc(const Case *c, const spv_emu_program *program, const spv_emu_result *r);
/* `jip` issues what `stackless` does, plus joins. */
void counters_check_jip(const Case *c, const spv_emu_result *jip, const spv_emu_result *stackless);

#endif
