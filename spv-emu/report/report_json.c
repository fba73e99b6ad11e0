/* SPDX-License-Identifier: Apache-2.0 */
/* report_json: see report.h. */
#include "spv-emu/report/report_json.h"

#include "spv-emu/report/report_breaches.h"
#include "spv-emu/report/report_detail.h"
#include "spv-emu/report/report_sizes.h"
#include "spv-emu/report/report_source.h"

#include "passes/tool/tool_json.h"

#include <math.h>
#include <spvreconv/spvreconv.h>
#include <string.h>

/* JSON has no infinities. */
static void set_real(json_t *o, const char *name, double value) {
  json_object_set_new(o, name, json_real(isfinite(value) ? value : 0));
}

static json_t *group_of(json_t *o, const char *group) {
  if (strcmp(group, "top") == 0)
    return o;
  if (!json_object_get(o, group))
    json_object_set_new(o, group, json_object());
  return json_object_get(o, group);
}

static void set_figures(json_t *o, const spv_emu_result *r) {
#define EMU_COUNT(group, name, field) tool_json_set_count(group_of(o, #group), #name, r->field);
#define EMU_REAL(group, name, field) set_real(group_of(o, #group), #name, r->field);
#include "spv-emu/report/figures.def"
}

static json_t *expect_object(const EmuRow *row) {
  json_t *o = json_object();
  tool_json_set_count(o, "passed", row->passed);
  tool_json_set_count(o, "failed", row->failed);
  return o;
}

static json_t *buffers_array(const EmuRow *row) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < row->output_count; i++) {
    const EmuOutput *output = &row->outputs[i];
    json_t *o = json_object();
    tool_json_set_count(o, "set", output->set);
    tool_json_set_count(o, "binding", output->binding);
    tool_json_set_count(o, "bytes", output->size);
    json_object_set_new(o, "xxh64", tool_json_hash(output->hash));
    json_array_append_new(array, o);
  }
  return array;
}

static json_t *block_object(const EmuPart *part, const spv_emu_block *block) {
  json_t *o = json_object();
  json_object_set_new(o, "function", tool_json_text(block->function));
  tool_json_set_count(o, "block", block->id);
  tool_json_set_count(o, "line", block->line);
  tool_json_set_count(o, "executions", block->executions);
  tool_json_set_count(o, "lanes", block->lanes);
  if (part->program)
    emu_source_set(o, spv_emu_source_of(part->program), block);
  return o;
}

static json_t *blocks_array(const EmuRow *row) {
  json_t *array = json_array();
  for (uint32_t p = 0; p < row->part_count; p++) {
    const spv_emu_result *result = row->parts[p].result;
    for (uint32_t i = 0; result && i < result->block_count; i++)
      json_array_append_new(array, block_object(&row->parts[p], &result->blocks[i]));
  }
  return array;
}

static json_t *sweep_object(const char *name, uint64_t value) {
  json_t *o = json_object();
  json_object_set_new(o, "name", tool_json_text(name));
  tool_json_set_count(o, "value", value);
  return o;
}

/* What is not accessed is left out. */
static void set_texels(json_t *o, const char *what, uint64_t issues, uint64_t transactions) {
  char key[64];
  if (!transactions)
    return;
  snprintf(key, sizeof key, "%s_issues", what);
  tool_json_set_count(o, key, issues);
  snprintf(key, sizeof key, "%s_transactions", what);
  tool_json_set_count(o, key, transactions);
  snprintf(key, sizeof key, "%s_efficiency", what);
  json_object_set_new(o, key, json_real((double)issues / (double)transactions));
}

static json_t *heat_object(const EmuHeatSum *heat) {
  json_t *o = json_object();
  tool_json_set_count(o, "width", heat->width);
  tool_json_set_count(o, "height", heat->height);
  tool_json_set_count(o, "issues", heat->issues);
  tool_json_set_count(o, "lost", heat->lost);
  tool_json_set_count(o, "outside", heat->outside);
  tool_json_set_count(o, "unused", heat->unused);
  return o;
}

/* The first sweep, and all of several. */
static void set_sweeps(json_t *o, const EmuReport *report, const EmuRow *row) {
  json_t *all = json_array();
  for (uint32_t i = 0; i < report->sweep_count; i++)
    json_array_append_new(all, sweep_object(report->sweeps[i], row->values[i]));
  if (report->sweep_count)
    json_object_set(o, "sweep", json_array_get(all, 0));
  if (report->sweep_count > 1)
    json_object_set(o, "sweeps", all);
  json_decref(all);
}

static json_t *row_object(const EmuReport *report, const EmuRow *row) {
  spv_emu_result total = emu_row_total(row);
  json_t *o = json_object();
  set_sweeps(o, report, row);
  if (row->variant) {
    json_object_set_new(o, "variant", tool_json_text(row->variant));
    json_object_set_new(o, "module", tool_json_text(row->module));
    if (row->transform)
      json_object_set_new(o, "transform", tool_json_text(row->transform));
  }
  json_object_set_new(o, "policy", json_string(total.policy));
  tool_json_set_count(o, "subgroup_size", total.subgroup_size);
  tool_json_set_count(o, "subgroups", total.subgroups);
  json_object_set_new(o, "status", json_string(emu_outcome_name(total.outcome)));
  json_object_set_new(o, "message", tool_json_text(emu_row_message(row, &total)));
  set_figures(o, &total);
  if (total.fragments) {
    tool_json_set_count(o, "helper_instructions", total.helper_instructions);
    tool_json_set_count(o, "quad_breaks", total.quad_breaks);
  }
  set_texels(o, "image", total.image_issues, total.image_transactions);
  set_texels(o, "attachment", total.attachment_issues, total.attachment_transactions);
  if (strcmp(total.policy, "barrier") == 0) {
    tool_json_set_count(group_of(o, "barriers"), "max_live", total.barriers_max_live);
    tool_json_set_count(group_of(o, "barriers"), "spills", total.barrier_spills);
  }
  if (total.added_code)
    tool_json_set_count(o, "added_code", total.added_code);
  if (row->heat_sum.width)
    json_object_set_new(o, "pixels", heat_object(&row->heat_sum));
  if (strcmp(total.policy, "opt") == 0) {
    json_object_set_new(o, "exact", json_boolean(total.exact));
    tool_json_set_count(o, "at_most", total.at_most);
  }
  json_object_set_new(o, "expect", expect_object(row));
  json_object_set_new(o, "buffers", buffers_array(row));
  json_object_set_new(o, "blocks", blocks_array(row));
  if (emu_row_breaches(row))
    json_object_set_new(o, "breaches", emu_breaches_array(row));
  json_object_set_new(o, "lines", emu_source_lines(row));
  emu_detail_set(o, row);
  return o;
}

static json_t *priority_array(const EmuReport *report) {
  json_t *array = json_array();
  const spv_emu_result *from = emu_report_priority(report);
  for (uint32_t i = 0; from && i < from->priority_count; i++)
    json_array_append_new(array, json_integer(from->priority[i]));
  return array;
}

static json_t *start(const char *module) {
  json_t *root = json_object();
  json_object_set_new(root, "tool", json_string("spv-emu"));
  json_object_set_new(root, "version", json_string(SPVRECONV_VERSION));
  json_object_set_new(root, "module", tool_json_text(module));
  json_object_set_new(root, "status", json_string("ok"));
  return root;
}

json_t *emu_report_unread(const char *module) {
  json_t *root = start(module);
  json_object_set_new(root, "results", json_array());
  return root;
}

/* The message of the first row that failed. */
static void set_failure(json_t *root, const EmuReport *report) {
  for (uint32_t i = 0; i < report->row_count; i++) {
    const EmuRow *row = &report->rows[i];
    if (!emu_row_failed(row))
      continue;
    spv_emu_result total = emu_row_total(row);
    json_object_set_new(root, "status", json_string("failed"));
    json_object_set_new(root, "message", tool_json_text(emu_row_message(row, &total)));
    return;
  }
}

json_t *emu_report_object(const EmuReport *report) {
  json_t *root = start(report->module), *results = json_array();
  for (uint32_t i = 0; i < report->row_count; i++)
    json_array_append_new(results, row_object(report, &report->rows[i]));
  set_failure(root, report);
  if (report->cost)
    json_object_set_new(root, "cost_model", tool_json_text(report->cost->name));
  json_object_set_new(root, "results", results);
  json_t *sizes = emu_best_sizes_array(report);
  if (sizes)
    json_object_set_new(root, "best_sizes", sizes);
  if (report->comparison)
    json_object_set(root, "comparison", report->comparison);
  if (report->advise)
    json_object_set(root, "advise", report->advise);
  json_object_set_new(root, "priority", priority_array(report));
  return root;
}

bool emu_report_json(const EmuReport *report, FILE *out) {
  json_t *root = emu_report_object(report);
  bool good = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0 &&
              fputc('\n', out) != EOF;
  json_decref(root);
  return good;
}
