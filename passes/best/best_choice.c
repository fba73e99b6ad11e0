/* SPDX-License-Identifier: Apache-2.0 */
/* best_choice: see best_choice.h. */
#include "passes/best/best_choice.h"

enum {
  FRONTIER_WEIGHT = 2
}; /* weight of the issues of thread frontiers; the issues of the stack
                                 have weight 1 */

/* The texts below name them. */
_Static_assert(SR_BEST_GROWTH == 100 && SR_BEST_TOLERANCE == 10 && SR_BEST_MARGIN == 3, "");

uint64_t sr_best_measure(const SrCost *cost) {
  return FRONTIER_WEIGHT * cost->frontier + cost->stack;
}

/* Is the first cost less than the second by more than `percent` percent? */
static bool is_less(const SrCost *a, const SrCost *b, uint32_t margin) {
  uint64_t x = sr_best_measure(a), y = sr_best_measure(b);
  if (x == y)
    return (uint64_t)a->instructions * 100 < (uint64_t)b->instructions * (100 - margin);
  return x * 100 < y * (100 - margin);
}

/* The percentage by which a result must improve on this cost. */
static uint32_t margin_of(const SrCost *cost) {
  return cost->recorded && !cost->sampled ? 0 : SR_BEST_MARGIN;
}

void sr_best_refuse(SrTried *tried, const char *why) {
  tried->verdict = SR_REFUSED;
  tried->why = why;
}

static bool is_above(uint64_t number, uint64_t first, uint32_t percent) {
  return number * 100 > first * (100 + percent);
}

/* Why a list with that cost cannot be chosen; NULL: it can. */
static const char *why_refused(const SrCost *cost, const SrCost *first) {
  if (is_above(cost->instructions, first->instructions, SR_BEST_GROWTH))
    return "it has more than twice the code of structurize";
  if (is_above(cost->frontier, first->frontier, SR_BEST_TOLERANCE))
    return "it issues over 10 % more than structurize by thread frontiers";
  if (is_above(cost->stack, first->stack, SR_BEST_TOLERANCE))
    return "it issues over 10 % more than structurize by the stack";
  return NULL;
}

void sr_best_measured(SrTried *tried, const SrCost *cost, const SrCost *first) {
  const char *why = why_refused(cost, first);
  *tried = (SrTried){.transforms = tried->transforms,
                     .order = tried->order,
                     .verdict = why ? SR_REFUSED : SR_LOST,
                     .why = why,
                     .measured = true,
                     .cost = *cost};
}

static const char *why_lost(const SrCost *cost, const SrCost *chosen) {
  if (is_less(cost, chosen, 0))
    return "it gains 3 % or less over a list before it";
  return sr_best_measure(cost) == sr_best_measure(chosen)
             ? "it issues as much, and has no less code"
             : "it issues more, where thread frontiers count twice";
}

uint32_t sr_best_choose(SrTried *tried, uint32_t count) {
  uint32_t chosen = 0;
  for (uint32_t k = 1; k < count; k++)
    if (tried[k].verdict == SR_LOST &&
        is_less(&tried[k].cost, &tried[chosen].cost, margin_of(&tried[k].cost)))
      chosen = k;
  for (uint32_t k = 0; k < count; k++)
    if (tried[k].verdict == SR_LOST)
      tried[k].why = why_lost(&tried[k].cost, &tried[chosen].cost);
  tried[chosen].verdict = SR_CHOSEN;
  tried[chosen].why = NULL;
  return chosen;
}
