/* SPDX-License-Identifier: Apache-2.0 */
/* best_choice: which of the lists that `best` tried on a function wins, and why the others lose.
 *
 * The measure of a result is the issues of both schedules of measure/measure.h. Those of thread
 * frontiers count twice, because structured code is for machines that follow the merge
 * instructions. Under each schedule, a result may issue only a little more than structurize's,
 * however much it gains under the other schedule. A few percent more are allowed: 98 issues of
 * 433,672 once vetoed a list that issued 58 % less under the other schedule. Among the remaining
 * lists the first leads; a later list takes the lead if it gains more than a margin over the
 * leader. Supposed paths, or an incomplete set of recorded ones, say nothing about a gain of a few
 * percent. */
#ifndef SR_BEST_CHOICE_H
#define SR_BEST_CHOICE_H

#include "passes/driver/pipeline.h"

enum {
  SR_BEST_GROWTH = 100,   /* percent: a result may have this much more code than the first list's */
  SR_BEST_TOLERANCE = 10, /* percent more issues than the first list's that a result may have, under
                             each schedule */
  SR_BEST_MARGIN = 3,     /* percent that another list must gain, unless all recorded paths are
                             measured */
};

/* The measure of a result, as above. */
uint64_t sr_best_measure(const SrCost *cost);
/* Refuses the list; `why` must live as long as `tried`. */
void sr_best_refuse(SrTried *tried, const char *why);
/* Notes the cost of the list's result; refuses the list if that is too far above `first`. */
void sr_best_measured(SrTried *tried, const SrCost *cost, const SrCost *first);
/* Sets the verdicts of lists that are neither SR_SAME nor SR_REFUSED, and returns the index of the
 * one that wins. The first one must be measured. */
uint32_t sr_best_choose(SrTried *tried, uint32_t count);

#endif
