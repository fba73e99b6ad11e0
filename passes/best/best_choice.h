/* SPDX-License-Identifier: Apache-2.0 */
/* best_choice: which of the lists that `best` tried on a function wins, and why the others did not.
 *
 * The measure of a result is the issues of both schedules of measure/measure.h, those of thread
 * frontiers counted twice: structured code is for machines that follow the merge instructions. By
 * neither schedule may a result issue much more than structurize's, whatever it gains by the other,
 * but a few percent are no reason: 98 issues of 433,672 once vetoed a list that issued 58 % less by
 * the other schedule. Of the rest the first list wins unless another one gains more than a margin;
 * so does each that leads over the next. Supposed paths, and recorded ones of which some were left
 * out, say nothing about a gain of few percent. */
#ifndef SR_BEST_CHOICE_H
#define SR_BEST_CHOICE_H

#include "passes/driver/pipeline.h"

enum {
  SR_BEST_GROWTH = 100,   /* percent: a result may have this much more code than the first list's */
  SR_BEST_TOLERANCE = 10, /* percent that it may issue more than that, by each of the schedules */
  SR_BEST_MARGIN = 3,     /* percent that another list must gain, unless all of the paths that were
                           * recorded are measured */
};

/* The measure. */
uint64_t sr_best_measure(const SrCost *cost);
/* Refuses the list, for a reason that lives as long as `tried`. */
void sr_best_refuse(SrTried *tried, const char *why);
/* Notes the cost of the list's result; refuses the list if that is too far above `first`. */
void sr_best_measured(SrTried *tried, const SrCost *cost, const SrCost *first);
/* Sets the verdicts of lists that are neither SR_SAME nor SR_REFUSED, and returns the index of the
 * one that wins. The first one must be measured. */
uint32_t sr_best_choose(SrTried *tried, uint32_t count);

#endif
