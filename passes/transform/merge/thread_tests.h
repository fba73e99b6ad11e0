/* thread_tests: undoes Cut. Lanes that carry a constant to a test of it go straight to where it
 * sends them (jump threading):
 *
 *     a   b                                a   b
 *     |   |  sel = phi a: 1, b: 2          |   |
 *     +-> T  sel <= 1 ?            =>      T'  T''   empty
 *        / \                               |   |
 *       x   y                              x   y
 *
 * Looked at are blocks that do nothing but compare integers with constants, as structurize makes
 * them, and blocks without code between them; not loop headers. */
#ifndef SR_THREAD_TESTS_H
#define SR_THREAD_TESTS_H

#include "ir/module.h"
#include "transform/counts.h"

/* Does so in f; *changed is set if there was anything to do. Needs and keeps SSA; merge
 * instructions mean nothing afterwards. Cost: the edges into tests times how many tests each goes
 * through, at most a few times the blocks. */
SR_MUST_USE SrStatus sr_thread_tests(SrModule *m, SrFunction *f, SrArena *arena,
                                     SrTransformCounts *counts, bool *changed);

#endif
