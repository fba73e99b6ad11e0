/* SPDX-License-Identifier: Apache-2.0 */
/* pairs_text: the comparison of two folders as tables of 80 columns, which longer paths exceed. */
#include "harness/pairs/pairs.h"

#include <inttypes.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_number(FILE *out, int width, bool known, uint64_t number) {
  if (known)
    fprintf(out, "%*" PRIu64, width, number);
  else
    fprintf(out, "%*s", width, "-");
}

static void put_lanes(FILE *out, const HnPairRun *run) {
  if (run->ran)
    fprintf(out, "%6.1f", hn_pair_lanes(run));
  else
    fprintf(out, "%6s", "-");
}

static void put_row(FILE *out, const HnPair *pair, uint32_t policy) {
  const HnPairRun *old = &pair->runs[0][policy], *new = &pair->runs[1][policy];
  double ratio = hn_pair_ratio(pair, policy);
  put_number(out, 9, old->ran, old->issued);
  put_number(out, 10, new->ran, new->issued);
  if (ratio > 0)
    fprintf(out, "%8.3f", ratio);
  else
    fprintf(out, "%8s", "-");
  put_lanes(out, old);
  put_lanes(out, new);
  for (int side = 0; side < 2; side++)
    put_number(out, 7, pair->side[side].counted, pair->side[side].instructions);
  fprintf(out, "  %s", pair->path);
  if (old->ran && new->ran && strcmp(old->policy, new->policy) != 0)
    fprintf(out, " (%s -> %s)", old->policy, new->policy);
  fputc('\n', out);
}

/* Has a figure of the table changed? */
static bool is_row(const HnPair *pair, uint32_t policy) {
  const HnPairRun *old = &pair->runs[0][policy], *new = &pair->runs[1][policy];
  return old->ran != new->ran || old->issued != new->issued || old->lanes != new->lanes ||
         strcmp(old->policy, new->policy) != 0 ||
         pair->side[0].instructions != pair->side[1].instructions;
}

static const char *policy_name(const HnPairs *p, uint32_t policy) {
  return p->options->policies[policy] ? p->options->policies[policy] : "default";
}

static void put_table(const HnPairs *p, uint32_t policy, FILE *out) {
  size_t rows = 0;
  for (size_t i = 0; i < p->count; i++)
    rows += is_row(&p->at[i], policy);
  fprintf(out, "policy %s: figures of %zu of %zu modules changed%s\n", policy_name(p, policy), rows,
          p->count, rows ? ", the worst first" : "");
  if (!rows)
    return;
  fprintf(out, "%19s%8s%12s%14s\n%9s%10s%8s%6s%6s%7s%7s  %s\n", "issues", "", "lanes",
          "instructions", "old", "new", "ratio", "old", "new", "old", "new", "module");
  for (size_t i = 0; i < p->count; i++)
    if (is_row(&p->at[i], policy))
      put_row(out, &p->at[i], policy);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static const char *why(const HnPair *pair, int side, uint32_t policy) {
  return *pair->side[side].why ? pair->side[side].why : pair->runs[side][policy].why;
}

static void put_wrong(const HnPair *pair, FILE *out) {
  fprintf(out, "wrong result: %s: %s", pair->path, pair->first);
  if (pair->wrong > 1)
    fprintf(out, ", and %" PRIu64 " more numbers", pair->wrong - 1);
  if (pair->groups[0])
    fprintf(out, " (--dispatch=%u,%u,%u)", pair->groups[0], pair->groups[1], pair->groups[2]);
  fputc('\n', out);
}

static void put_doubtful(const HnPair *pair, FILE *out) {
  if (pair->doubtful)
    fprintf(out,
            "left out: %s: %" PRIu64 " numbers differ that depend on the device: on the order of "
            "invocations, the subgroup's size, or memory that nothing has written\n",
            pair->path, pair->doubtful);
}

/* Prints which modules did not run under a policy after the first one, and why. */
static void put_reasons(const HnPairs *p, const HnPair *pair, FILE *out) {
  static const char *const sides[] = {"old", "new"};
  for (uint32_t i = 1; i < p->options->policy_count; i++)
    for (int side = 0; side < 2; side++)
      if (*pair->runs[side][i].why)
        fprintf(out, "left out: %s, policy %s, %s: %s\n", pair->path, policy_name(p, i),
                sides[side], pair->runs[side][i].why);
}

static void put_not_run(const HnPair *pair, FILE *out) {
  const char *old = why(pair, 0, 0), *new = why(pair, 1, 0);
  bool same = strcmp(old, new) == 0;
  fprintf(out, "not run: %s: %s%s%s\n", pair->path, old, same ? "" : "; new: ", same ? "" : new);
}

/* Prints where lanes run subgroup operations together with other lanes. */
static void put_tangles(const HnPairs *p, const HnPair *pair, FILE *out) {
  for (uint32_t i = 0; i < p->options->policy_count; i++)
    if (pair->tangles[i].different)
      fprintf(out, "tangles differ: %s, policy %s: %s\n", pair->path, policy_name(p, i),
              pair->tangles[i].first);
}

static void put_pair(const HnPairs *p, const HnPair *pair, HnPairChange change, FILE *out) {
  if (change == HN_PAIR_WRONG)
    put_wrong(pair, out);
  else if (change == HN_PAIR_BROKEN)
    fprintf(out, "no longer runs: %s: %s\n", pair->path, why(pair, 1, 0));
  else if (change == HN_PAIR_FIXED)
    fprintf(out, "runs now: %s: old: %s\n", pair->path, why(pair, 0, 0));
  else if (!pair->runs[0][0].ran)
    put_not_run(pair, out);
  put_doubtful(pair, out);
  put_tangles(p, pair, out);
  put_reasons(p, pair, out);
}

/* ---- the whole report ------------------------------------------------------------------------ */

static void put_means(const HnPairs *p, FILE *out) {
  for (uint32_t i = 0; i < p->options->policy_count; i++) {
    HnPairsMean mean = hn_pairs_mean(p, i);
    if (mean.modules)
      fprintf(out, "%s: issues more in %zu, fewer in %zu of %zu modules; geometric mean %.4f\n",
              policy_name(p, i), mean.more, mean.fewer, mean.modules, mean.ratio);
  }
}

void hn_pairs_text(const HnPairs *p, FILE *out) {
  size_t counts[HN_PAIR_CHANGES];
  fprintf(out, "%s -> %s: made-up contents, --seed=%" PRIu64 ", subgroups of %u lanes\n",
          p->options->folders[0], p->options->folders[1], p->options->given->seed,
          p->options->subgroup_size);
  for (uint32_t i = 0; i < p->options->policy_count; i++) {
    put_table(p, i, out);
    fputc('\n', out);
  }
  for (HnPairChange change = 0; change < HN_PAIR_CHANGES; change++)
    for (size_t i = 0; i < p->count; i++)
      if (hn_pair_change(p->options, &p->at[i]) == change)
        put_pair(p, &p->at[i], change, out);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < p->alone_count[side]; i++)
      fprintf(out, "only in %s: %s\n", p->options->folders[side], p->alone[side][i]);
  put_means(p, out);
  hn_pairs_count(p, counts);
  fprintf(out,
          "%zu pairs: wrong results %zu, no longer run %zu, run now %zu, changed %zu, the same "
          "%zu\n",
          p->count, counts[HN_PAIR_WRONG], counts[HN_PAIR_BROKEN], counts[HN_PAIR_FIXED],
          counts[HN_PAIR_OTHER], counts[HN_PAIR_SAME]);
}
