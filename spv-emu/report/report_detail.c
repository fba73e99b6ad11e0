/* SPDX-License-Identifier: Apache-2.0 */
/* report_detail: see report_detail.h. */
#include "spv-emu/report/report_detail.h"

#include "passes/tool/tool_json.h"
#include "spv-emu/report/report_source.h"

static void set_activity(json_t *o, const char *name, const spv_emu_result *r, uint64_t issues,
                         uint64_t lanes) {
  double slots = (double)issues * r->subgroup_size;
  json_object_set_new(o, name, json_real(slots > 0 ? (double)lanes / slots : 0));
}

static const spv_emu_source *source_of(const EmuPart *part) {
  return spv_emu_source_of(part->program);
}

static uint32_t block_id(const spv_emu_result *r, uint32_t part) {
  return r->blocks[r->parts[part].block].id;
}

static const char *function_of(const spv_emu_result *r, uint32_t part) {
  return r->blocks[r->parts[part].block].function;
}

static json_t *function_object(const EmuPart *part, uint32_t i) {
  const spv_emu_function *f = &part->result->functions[i];
  json_t *o = json_object();
  json_object_set_new(o, "function", tool_json_text(f->name));
  tool_json_set_count(o, "id", f->id);
  tool_json_set_count(o, "issues", f->issues);
  tool_json_set_count(o, "lane_instructions", f->lane_instructions);
  set_activity(o, "activity_factor", part->result, f->issues, f->lane_instructions);
  tool_json_set_count(o, "total_issues", f->total_issues);
  tool_json_set_count(o, "total_lane_instructions", f->total_lane_instructions);
  set_activity(o, "total_activity_factor", part->result, f->total_issues,
               f->total_lane_instructions);
  return o;
}

static json_t *call_object(const EmuPart *part, uint32_t i) {
  const spv_emu_result *r = part->result;
  const spv_emu_call_site *c = &r->calls[i];
  json_t *o = json_object();
  json_object_set_new(o, "caller", tool_json_text(r->functions[c->caller].name));
  json_object_set_new(o, "callee", tool_json_text(r->functions[c->callee].name));
  tool_json_set_count(o, "block", block_id(r, c->part));
  emu_source_file(o, source_of(part), c->file);
  tool_json_set_count(o, "line", c->line);
  tool_json_set_count(o, "executions", c->executions);
  tool_json_set_count(o, "lanes", c->lanes);
  tool_json_set_count(o, "issues", c->issues);
  tool_json_set_count(o, "lane_instructions", c->lane_instructions);
  set_activity(o, "activity_factor", r, c->issues, c->lane_instructions);
  return o;
}

static json_t *loop_object(const EmuPart *part, uint32_t i) {
  const spv_emu_result *r = part->result;
  const spv_emu_loop *l = &r->loops[i];
  json_t *o = json_object();
  json_object_set_new(o, "function", tool_json_text(function_of(r, l->part)));
  tool_json_set_count(o, "block", block_id(r, l->part));
  emu_source_file(o, source_of(part), l->file);
  tool_json_set_count(o, "line", l->line);
  tool_json_set_count(o, "entries", l->entries);
  tool_json_set_count(o, "entered", l->entered);
  tool_json_set_count(o, "lanes", l->lanes);
  tool_json_set_count(o, "iterations", l->iterations);
  tool_json_set_count(o, "least", l->least);
  tool_json_set_count(o, "most", l->most);
  return o;
}

static json_t *branch_object(const EmuPart *part, uint32_t i) {
  const spv_emu_result *r = part->result;
  const spv_emu_branch *b = &r->branches[i];
  json_t *o = json_object();
  json_object_set_new(o, "function", tool_json_text(function_of(r, b->part)));
  tool_json_set_count(o, "block", block_id(r, b->part));
  emu_source_file(o, source_of(part), b->file);
  tool_json_set_count(o, "line", b->line);
  tool_json_set_count(o, "executions", r->parts[b->part].executions);
  tool_json_set_count(o, "diverged", r->parts[b->part].diverged);
  json_object_set_new(o, "leaves_loop", json_boolean(b->loop != SPV_EMU_NO_LOOP));
  return o;
}

typedef json_t *Make(const EmuPart *part, uint32_t i);

/* Appends the objects of a part to the row's array of that name. */
static void add_all(json_t *o, const char *name, const EmuPart *part, uint32_t count, Make *make) {
  if (!json_object_get(o, name))
    json_object_set_new(o, name, json_array());
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(json_object_get(o, name), make(part, i));
}

void emu_detail_set(json_t *o, const EmuRow *row) {
  for (uint32_t p = 0; p < row->part_count; p++) {
    const EmuPart *part = &row->parts[p];
    const spv_emu_result *r = part->result;
    if (!r || !part->program || !r->detailed)
      continue;
    add_all(o, "functions", part, r->function_count, function_object);
    add_all(o, "calls", part, r->call_count, call_object);
    if (!r->branches)
      continue;
    add_all(o, "loops", part, r->loop_count, loop_object);
    add_all(o, "branches", part, r->branch_count, branch_object);
  }
}
