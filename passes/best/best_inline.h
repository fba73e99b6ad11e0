/* SPDX-License-Identifier: Apache-2.0 */
/* best_inline: does `best` move functions that are called once into their callers? Lists are
 * chosen function by function, but this concerns several functions, so it is decided first.
 * Moving alone gains nothing; it is done where `share-calls` can then join calls that it cannot
 * join otherwise. */
#ifndef SR_BEST_INLINE_H
#define SR_BEST_INLINE_H

#include "passes/driver/pipeline.h"

/* Runs `inline` on the pipeline's module if that is so, and marks in `took`, by function, the
 * functions that received others. Near-linear. */
SR_MUST_USE SrStatus sr_best_inline(SrPipeline *p, SrArena *arena, bool *took);

#endif
