/* SPDX-License-Identifier: Apache-2.0 */
/* span: an interval of numbers, as of ranks; empty if low > high. */
#ifndef SR_SPAN_H
#define SR_SPAN_H

#include "passes/base/arena.h"

typedef struct SrSpan {
  uint32_t low, high;
} SrSpan;

#define SR_NO_SPAN ((SrSpan){SR_NONE, 0})

/* The smallest span that covers both. */
static inline SrSpan sr_span_join(SrSpan a, SrSpan b) {
  return (SrSpan){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static inline void sr_span_widen(SrSpan *span, SrSpan by) {
  *span = sr_span_join(*span, by);
}

/* `count` empty spans. */
static inline SrSpan *sr_spans_new(SrArena *arena, uint32_t count) {
  SrSpan *spans = SR_NEW_RAW(arena, SrSpan, count);
  for (uint32_t i = 0; i < count; i++)
    spans[i] = SR_NO_SPAN;
  return spans;
}

#endif
