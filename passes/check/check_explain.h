/* check_explain: a difference in words: the way of the lane on both sides since they last agreed,
 * and the instruction at which they diverge. */
#ifndef SR_CHECK_EXPLAIN_H
#define SR_CHECK_EXPLAIN_H

#include "check/check_walk.h"

/* One line without a newline. */
const char *sr_check_line(SrArena *arena, const SrCheckWalk *w);
/* What the line leaves out: several lines, each with a newline; `number` and `seed` are the walk's.
 */
const char *sr_check_story(SrArena *arena, const SrCheckWalk *w, uint32_t number, uint64_t seed);

#endif
