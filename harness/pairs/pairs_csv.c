/* SPDX-License-Identifier: Apache-2.0 */
/* pairs_csv: a line for each pair and policy. */
#include "harness/pairs/pairs.h"
#include "passes/tool/tool_csv.h"

#include <inttypes.h>

/* Figures that are not known are empty. */
static void put_number(FILE *out, bool known, uint64_t number) {
  fputc(',', out);
  if (known)
    fprintf(out, "%" PRIu64, number);
}

static void put_real(FILE *out, bool known, double number) {
  fputc(',', out);
  if (known)
    fprintf(out, "%.6g", number);
}

static void put_text(FILE *out, const char *text) {
  fputc(',', out);
  tool_csv_text(out, text);
}

/* Why a module did not run under the policy. */
static const char *why(const HnPair *pair, int side, uint32_t policy) {
  return *pair->side[side].why ? pair->side[side].why : pair->runs[side][policy].why;
}

static void put_row(FILE *out, const HnPairsOptions *options, const HnPair *pair, uint32_t policy) {
  double ratio = hn_pair_ratio(pair, policy);
  tool_csv_text(out, pair->path);
  put_text(out, hn_pair_change_name(hn_pair_change(options, pair)));
  for (int side = 0; side < 2; side++)
    put_text(out, pair->runs[side][policy].policy);
  for (int side = 0; side < 2; side++)
    put_number(out, pair->runs[side][policy].ran, pair->runs[side][policy].issued);
  put_real(out, ratio > 0, ratio);
  for (int side = 0; side < 2; side++)
    put_real(out, pair->runs[side][policy].ran, hn_pair_lanes(&pair->runs[side][policy]));
  for (int side = 0; side < 2; side++)
    put_number(out, pair->side[side].counted, pair->side[side].instructions);
  for (int side = 0; side < 2; side++)
    put_number(out, pair->side[side].counted, pair->side[side].blocks);
  put_number(out, pair->compared, pair->wrong);
  put_number(out, pair->compared, pair->doubtful);
  put_text(out, pair->first);
  for (int side = 0; side < 2; side++)
    put_text(out, why(pair, side, policy));
  put_number(out, pair->tangles[policy].compared, pair->tangles[policy].different);
  put_text(out, pair->tangles[policy].first);
  fputc('\n', out);
}

void hn_pairs_csv(const HnPairs *p, FILE *out) {
  fputs("module,change,old_policy,new_policy,old_issues,new_issues,issues_ratio,old_lanes,"
        "new_lanes,old_instructions,new_instructions,old_blocks,new_blocks,wrong_numbers,"
        "device_dependent_numbers,first_difference,old_reason,new_reason,tangles_different,first_"
        "tangle\n",
        out);
  for (size_t i = 0; i < p->count; i++)
    for (uint32_t k = 0; k < p->options->policy_count; k++)
      put_row(out, p->options, &p->at[i], k);
}
