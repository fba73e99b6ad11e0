/* SPDX-License-Identifier: Apache-2.0 */
/* flow_case: see flow_case.h. */
#include "tests/emu/flow_case.h"
#include "tests/unit/unit.h"

#include <stdio.h>

const char *flow_steps_text(SrArena *arena, const FlowBuild *b, const FlowTrace *t) {
  char *text = SR_NEW(arena, char, 4096), *at = text;
  for (uint32_t i = 0; i < t->steps.count; i++)
    at +=
        snprintf(at, (size_t)(text + 4096 - at), "%s%s:%llx", i ? " " : "",
                 b->blocks.at[t->steps.at[i].block].name, (unsigned long long)t->steps.at[i].mask);
  return text;
}

uint32_t flow_runs_of(const FlowBuild *b, const FlowTrace *t, const char *name) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->steps.count; i++)
    count += strcmp(b->blocks.at[t->steps.at[i].block].name, name) == 0;
  return count;
}

FlowCase flow_follow(SrArena *arena, const char *text, const char *order, const EmuPolicy *policy,
                     const char *paths) {
  FlowCase c = {0};
  c.table = flow_parse(arena, text, false, &c.build);
  if (order)
    flow_set_order(c.table, &c.build, order);
  FlowScript script = flow_script(arena, c.table, &c.build, paths);
  c.trace = flow_run(arena, c.table, policy, script.count, flow_script_choose, &script);
  return c;
}

void flow_expect_steps(SrArena *arena, const FlowCase *c, const char *steps) {
  assert_string_equal(flow_steps_text(arena, &c->build, c->trace), steps);
}

void flow_same_paths(const FlowTrace *a, const FlowTrace *b, uint32_t lanes, const char *name,
                     uint64_t seed) {
  for (uint32_t i = 0; i < lanes; i++)
    if (a->paths[i].blocks.count != b->paths[i].blocks.count ||
        memcmp(a->paths[i].blocks.at, b->paths[i].blocks.at,
               a->paths[i].blocks.count * sizeof(uint32_t)) != 0)
      fail_msg("seed %llu: %s gives lane %u another path", (unsigned long long)seed, name, i);
  if (a->lane_issues != b->lane_issues)
    fail_msg("seed %llu: %s: lane instructions differ", (unsigned long long)seed, name);
}

void flow_same_steps(const FlowTrace *a, const FlowTrace *b, const char *what, uint64_t seed) {
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->steps.count && !a->steps.at[i].lanes)
      i++;
    while (k < b->steps.count && !b->steps.at[k].lanes)
      k++;
    if (i == a->steps.count || k == b->steps.count)
      break;
    if (a->steps.at[i].block != b->steps.at[k].block || a->steps.at[i].mask != b->steps.at[k].mask)
      fail_msg("seed %llu: %s differ from step %u (%u, %u) on", (unsigned long long)seed, what, i,
               a->steps.at[i].block, b->steps.at[k].block);
  }
  if (i != a->steps.count || k != b->steps.count)
    fail_msg("seed %llu: %s: one continues after step %u", (unsigned long long)seed, what, i);
}
