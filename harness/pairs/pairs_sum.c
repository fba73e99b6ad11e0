/* SPDX-License-Identifier: Apache-2.0 */
/* pairs_sum: what changed from the old to the new modules. */
#include "harness/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double hn_pair_ratio(const HnPair *pair, uint32_t policy) {
  const HnPairRun *old = &pair->runs[0][policy], *new = &pair->runs[1][policy];
  return old->ran && new->ran && old->issued ? (double)new->issued / (double)old->issued : 0;
}

double hn_pair_lanes(const HnPairRun *run) {
  return run->issued ? (double)run->lanes / (double)run->issued : 0;
}

static bool is_same_side(const HnPairSide *a, const HnPairSide *b) {
  return a->counted == b->counted && a->instructions == b->instructions && a->blocks == b->blocks;
}

static bool is_same_run(const HnPairRun *a, const HnPairRun *b) {
  return a->ran == b->ran && a->issued == b->issued && a->lanes == b->lanes &&
         strcmp(a->policy, b->policy) == 0;
}

/* Does the module run under the first policy? */
static bool runs(const HnPair *pair, int side) {
  return pair->runs[side][0].ran;
}

HnPairChange hn_pair_change(const HnPairsOptions *options, const HnPair *pair) {
  if (pair->wrong)
    return HN_PAIR_WRONG;
  if (runs(pair, 0) != runs(pair, 1))
    return runs(pair, 0) ? HN_PAIR_BROKEN : HN_PAIR_FIXED;
  bool same = is_same_side(&pair->side[0], &pair->side[1]);
  for (uint32_t i = 0; i < options->policy_count; i++)
    same = same && is_same_run(&pair->runs[0][i], &pair->runs[1][i]) && !pair->tangles[i].different;
  return same ? HN_PAIR_SAME : HN_PAIR_OTHER;
}

const char *hn_pair_change_name(HnPairChange change) {
  static const char *const names[HN_PAIR_CHANGES] = {
      [HN_PAIR_WRONG] = "wrong result", [HN_PAIR_BROKEN] = "no longer runs",
      [HN_PAIR_FIXED] = "runs now",     [HN_PAIR_OTHER] = "changed",
      [HN_PAIR_SAME] = "same",
  };
  return names[change];
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static int descending(double a, double b) {
  return (a < b) - (a > b);
}

static double size_ratio(const HnPair *pair) {
  const HnPairSide *old = &pair->side[0], *new = &pair->side[1];
  return old->counted && new->counted && old->instructions
             ? (double)new->instructions / (double)old->instructions
             : 1;
}

/* Sorts by the ratio of issues under the first policy, then by the ratio of sizes, the largest
 * first. */
static int by_loss(const void *a, const void *b) {
  const HnPair *x = a, *y = b;
  int order = descending(hn_pair_ratio(x, 0), hn_pair_ratio(y, 0));
  if (!order)
    order = descending(size_ratio(x), size_ratio(y));
  return order ? order : strcmp(x->path, y->path);
}

void hn_pairs_sort(HnPairs *p) {
  qsort(p->at, p->count, sizeof *p->at, by_loss);
}

HnPairsMean hn_pairs_mean(const HnPairs *p, uint32_t policy) {
  HnPairsMean mean = {0};
  double sum = 0;
  for (size_t i = 0; i < p->count; i++) {
    double ratio = hn_pair_ratio(&p->at[i], policy);
    if (ratio <= 0)
      continue;
    sum += log(ratio);
    mean.modules++;
    mean.more += ratio > 1;
    mean.fewer += ratio < 1;
  }
  mean.ratio = mean.modules ? exp(sum / (double)mean.modules) : 0;
  return mean;
}

void hn_pairs_count(const HnPairs *p, size_t counts[HN_PAIR_CHANGES]) {
  memset(counts, 0, HN_PAIR_CHANGES * sizeof *counts);
  for (size_t i = 0; i < p->count; i++)
    counts[hn_pair_change(p->options, &p->at[i])]++;
}
