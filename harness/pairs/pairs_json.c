/* SPDX-License-Identifier: Apache-2.0 */
/* pairs_json: the comparison of two folders as JSON. Figures that are not known are null. */
#include "harness/pairs/pairs.h"
#include "passes/tool/tool_json.h"

static json_t *number(bool known, uint64_t value) {
  return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *real(bool known, double value) {
  return known ? json_real(value) : json_null();
}

static json_t *text(const char *value) {
  return *value ? tool_json_text(value) : json_null();
}

static json_t *side_object(const HnPairSide *side) {
  json_t *o = json_object();
  json_object_set_new(o, "instructions", number(side->counted, side->instructions));
  json_object_set_new(o, "blocks", number(side->counted, side->blocks));
  json_object_set_new(o, "reason", text(side->why));
  return o;
}

static json_t *run_object(const HnPairRun *run) {
  json_t *o = json_object();
  json_object_set_new(o, "policy", text(run->policy));
  json_object_set_new(o, "issues", number(run->ran, run->issued));
  json_object_set_new(o, "lanes", real(run->ran, hn_pair_lanes(run)));
  json_object_set_new(o, "reason", text(run->why));
  return o;
}

static json_t *tangles_object(const HnPairTangles *tangles) {
  json_t *o = json_object();
  json_object_set_new(o, "equal",
                      tangles->compared ? json_boolean(!tangles->different) : json_null());
  json_object_set_new(o, "lanes_different", number(tangles->compared, tangles->different));
  json_object_set_new(o, "first_difference", text(tangles->first));
  return o;
}

static json_t *policy_object(const HnPair *pair, uint32_t policy) {
  json_t *o = json_object();
  double ratio = hn_pair_ratio(pair, policy);
  json_object_set_new(o, "old", run_object(&pair->runs[0][policy]));
  json_object_set_new(o, "new", run_object(&pair->runs[1][policy]));
  json_object_set_new(o, "issues_ratio", real(ratio > 0, ratio));
  json_object_set_new(o, "tangles", tangles_object(&pair->tangles[policy]));
  return o;
}

static json_t *pair_object(const HnPairsOptions *options, const HnPair *pair) {
  json_t *o = json_object(), *policies = json_array();
  for (uint32_t i = 0; i < options->policy_count; i++)
    json_array_append_new(policies, policy_object(pair, i));
  json_object_set_new(o, "module", tool_json_text(pair->path));
  json_object_set_new(o, "change", json_string(hn_pair_change_name(hn_pair_change(options, pair))));
  json_object_set_new(o, "old", side_object(&pair->side[0]));
  json_object_set_new(o, "new", side_object(&pair->side[1]));
  json_object_set_new(o, "policies", policies);
  json_object_set_new(o, "wrong_numbers", number(pair->compared, pair->wrong));
  json_object_set_new(o, "device_dependent_numbers", number(pair->compared, pair->doubtful));
  json_object_set_new(o, "first_difference", text(pair->first));
  return o;
}

static json_t *alone_array(const HnPairs *p, int side) {
  json_t *array = json_array();
  for (size_t i = 0; i < p->alone_count[side]; i++)
    json_array_append_new(array, tool_json_text(p->alone[side][i]));
  return array;
}

static json_t *mean_array(const HnPairs *p) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < p->options->policy_count; i++) {
    HnPairsMean mean = hn_pairs_mean(p, i);
    json_t *o = json_object();
    json_object_set_new(o, "policy", text(p->options->policies[i] ? p->options->policies[i] : ""));
    json_object_set_new(o, "issues_ratio", real(mean.modules > 0, mean.ratio));
    json_object_set_new(o, "modules", json_integer((json_int_t)mean.modules));
    json_object_set_new(o, "more", json_integer((json_int_t)mean.more));
    json_object_set_new(o, "fewer", json_integer((json_int_t)mean.fewer));
    json_array_append_new(array, o);
  }
  return array;
}

bool hn_pairs_json(const HnPairs *p, FILE *out) {
  json_t *root = json_object(), *pairs = json_array();
  for (size_t i = 0; i < p->count; i++)
    json_array_append_new(pairs, pair_object(p->options, &p->at[i]));
  json_object_set_new(root, "old", tool_json_text(p->options->folders[0]));
  json_object_set_new(root, "new", tool_json_text(p->options->folders[1]));
  json_object_set_new(root, "seed", json_integer((json_int_t)p->options->given->seed));
  json_object_set_new(root, "subgroup_size", json_integer(p->options->subgroup_size));
  json_object_set_new(root, "partial", json_boolean(p->interrupted));
  json_object_set_new(root, "pairs", pairs);
  json_object_set_new(root, "geometric_means", mean_array(p));
  json_object_set_new(root, "only_old", alone_array(p, 0));
  json_object_set_new(root, "only_new", alone_array(p, 1));
  bool good = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
  fputc('\n', out);
  json_decref(root);
  return good;
}
