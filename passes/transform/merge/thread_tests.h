/* SPDX-License-Identifier: Apache-2.0 */
/* thread_tests: undoes Cut. If the operand of a test is a constant on an edge, the edge is
 * redirected to the outcome of the test (jump threading):
 *
 *     a   b                                a   b
 *     |   |  sel = phi a: 1, b: 2          |   |
 *     +-> T  sel <= 1 ?            =>      T'  T''   empty
 *        / \                               |   |
 *       x   y                              x   y
 *
 * Only blocks that do nothing but compare integers with constants, as structurize makes them, and
 * blocks without code between them are considered; loop headers are not. */
#ifndef SR_THREAD_TESTS_H
#define SR_THREAD_TESTS_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"

/* Threads the tests of f; *changed is set if an edge was redirected. Needs and keeps SSA; merge
 * instructions are not valid afterwards. Cost: for each edge into a test, the number of tests that
 * it passes; the copies are limited to a few times the number of blocks. */
SR_MUST_USE SrStatus sr_thread_tests(SrModule *m, SrFunction *f, SrArena *arena,
                                     SrTransformCounts *counts, bool *changed);

#endif
