/* SPDX-License-Identifier: Apache-2.0 */
/* check_explain: describes a difference: the path of the lane on both sides since they last agreed,
 * and the instruction at which they differ. */
#ifndef SR_CHECK_EXPLAIN_H
#define SR_CHECK_EXPLAIN_H

#include "passes/base/text.h"
#include "passes/walk/walk.h"

/* Adds " (main.comp:11)", the source line of an instruction, if the module has it. */
void sr_check_put_place(SrText *t, const SrModule *m, SrRef r);
/* The difference in one line, without a newline. */
const char *sr_check_line(SrArena *arena, const SrWalk *w);
/* The details: several lines, each with a newline; `number` and `seed` are the walk's. */
const char *sr_check_story(SrArena *arena, const SrWalk *w, uint32_t number, uint64_t seed);

#endif
