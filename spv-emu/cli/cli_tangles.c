/* SPDX-License-Identifier: Apache-2.0 */
/* cli_tangles: see cli_tangles.h. The rows of the first module are kept until those of the second
 * have run, and share the limit of memory. */
#include "spv-emu/cli/cli_tangles.h"

#include "passes/tool/tool_json.h"

#include <stdlib.h>

enum { KEPT_BYTES = 1 << 26, LINE = 900 };

bool emu_cli_tangles_open(EmuCliTangles *t, uint32_t side) {
  *t = (EmuCliTangles){.side = side, .differences = json_array()};
  t->kept = calloc(side + 1u, sizeof *t->kept);
  return t->kept && t->differences;
}

void emu_cli_tangles_close(EmuCliTangles *t) {
  for (uint32_t i = 0; t->kept && i < t->side; i++)
    emu_tangles_free(t->kept[i]);
  emu_tangles_free(t->now);
  free(t->kept);
  json_decref(t->differences);
  *t = (EmuCliTangles){0};
}

const spv_emu_tangles *emu_cli_tangles_listen(EmuCliTangles *t, uint32_t row) {
  EmuTangles **to = row < t->side ? &t->kept[row] : &t->now;
  emu_tangles_free(*to);
  *to = emu_tangles_new(KEPT_BYTES / t->side);
  if (!*to)
    return NULL;
  t->to = emu_tangles_listener(*to);
  return &t->to;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static json_t *lanes_array(const uint64_t *set) {
  json_t *lanes = json_array();
  for (uint32_t lane = 0; lane < EMU_TANGLE_WORDS * 64; lane++)
    if (set[lane / 64] >> lane % 64 & 1)
      json_array_append_new(lanes, json_integer(lane));
  return lanes;
}

/* An operation of one of the modules; null: the lane does not run it. */
static json_t *op_object(const EmuTangleDifference *d, int side) {
  const spv_emu_subgroup_op *op = d->op[side];
  if (!op)
    return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "operation", json_string(op->name));
  json_object_set_new(o, "place", tool_json_text(op->place));
  json_object_set_new(o, "function", tool_json_text(op->function));
  json_object_set_new(o, "block", json_integer(op->block));
  json_object_set_new(o, "line", json_integer(op->line));
  json_object_set_new(o, "lanes", lanes_array(d->set[side]));
  return o;
}

static json_t *difference_object(const spv_emu_result *total, const EmuTangleDifference *d) {
  json_t *o = json_object();
  json_object_set_new(o, "policy", json_string(total->policy));
  json_object_set_new(o, "subgroup_size", json_integer(total->subgroup_size));
  json_object_set_new(o, "subgroup", json_integer((json_int_t)d->subgroup));
  json_object_set_new(o, "lane", json_integer(d->lane));
  json_object_set_new(o, "before", op_object(d, 0));
  json_object_set_new(o, "after", op_object(d, 1));
  json_object_set_new(o, "other_order", json_boolean(d->order));
  json_object_set_new(o, "lanes", json_integer((json_int_t)d->lanes));
  return o;
}

json_t *emu_cli_tangles_object(const EmuCliTangles *t) {
  json_t *o = json_object();
  json_object_set_new(o, "equal", json_boolean(!t->different));
  json_object_set_new(o, "lanes", json_integer((json_int_t)t->lanes));
  json_object_set_new(o, "lanes_different", json_integer((json_int_t)t->different));
  json_object_set(o, "differences", t->differences);
  return o;
}

/* ---- the second module ----------------------------------------------------------------------- */

bool emu_cli_tangles_any(const EmuCliTangles *t, uint32_t row) {
  return emu_tangles_any(t->kept[row - t->side]) || emu_tangles_any(t->now);
}

bool emu_cli_tangles_judge(EmuCliTangles *t, uint32_t row, const EmuRow *of,
                           void (*say)(void *user, const char *line), void *user, bool *equal) {
  const spv_emu_result total = emu_row_total(of);
  EmuTangleVerdict verdict;
  char line[LINE];
  if (!emu_tangles_compare(t->kept[row - t->side], t->now, &verdict))
    return false;
  t->lanes += verdict.lanes;
  t->different += verdict.different;
  *equal = !verdict.different;
  for (uint32_t i = 0; emu_tangles_line(&verdict, i, line, sizeof line); i++)
    say(user, line);
  for (uint32_t i = 0; i < verdict.count; i++)
    json_array_append_new(t->differences, difference_object(&total, &verdict.at[i]));
  return true;
}
