/* report_page_data: see report_page_data.h. */
#include "report_page_data.h"

#include "report_json.h"

#include "driver/cli_json.h"

#include <stdio.h>
#include <string.h>

enum {
  MOST_PARTS = 2048,
  MOST_LINES = 4000,
  MOST_LINE = 240,          /* bytes */
  SCHEDULE_BYTES = 1200000, /* of all policies */
};

static void append(json_t *array, uint64_t value) {
  json_array_append_new(array, json_integer((json_int_t)value));
}

/* The result of a row that ran the shown program and has a schedule; NULL: it did not. */
static const spv_emu_result *result_of(const EmuPage *page, uint32_t row) {
  const EmuRow *r = &page->report->rows[row];
  const EmuRecording *recording = &page->recordings[row];
  for (uint32_t i = 0; i < r->part_count && recording->program; i++)
    if (r->parts[i].program == recording->program)
      return r->parts[i].result;
  return NULL;
}

static const spv_emu_result *first_result(const EmuPage *page) {
  for (uint32_t i = 0; i < page->report->row_count; i++)
    if (result_of(page, i))
      return result_of(page, i);
  return NULL;
}

/* ---- the program ----------------------------------------------------------------------------- */

static json_t *parts_array(const spv_emu_result *r) {
  json_t *parts = json_array();
  for (uint32_t i = 0; i < r->part_count; i++) {
    json_t *part = json_array();
    append(part, r->parts[i].block);
    append(part, r->parts[i].part);
    append(part, r->parts[i].issues);
    json_array_append_new(parts, part);
  }
  return parts;
}

/* A function's blocks stand together. */
static void add_blocks(const spv_emu_result *r, json_t *shown) {
  json_t *functions = json_array(), *blocks = json_array();
  for (uint32_t i = 0; i < r->block_count; i++) {
    const spv_emu_block *b = &r->blocks[i];
    if (i == 0 || b->function != r->blocks[i - 1].function)
      json_array_append_new(functions, cli_json_text(b->function ? b->function : ""));
    json_t *block = json_array();
    append(block, json_array_size(functions) - 1);
    append(block, b->id);
    append(block, b->line);
    json_array_append_new(blocks, block);
  }
  json_object_set_new(shown, "functions", functions);
  json_object_set_new(shown, "blocks", blocks);
}

static json_t *priority_array(const spv_emu_result *r) {
  json_t *priority = json_array();
  for (uint32_t i = 0; i < r->priority_count; i++)
    append(priority, r->priority[i]);
  return priority;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static json_t *line_text(const spv_emu_line *line) {
  char text[MOST_LINE + 8];
  bool cut = line->length > MOST_LINE;
  snprintf(text, sizeof text, "%.*s%s", cut ? MOST_LINE : (int)line->length, line->text,
           cut ? " ..." : "");
  return cli_json_text(text);
}

static json_t *line_array(const spv_emu_listing *listing, const spv_emu_line *line) {
  json_t *array = json_array();
  json_array_append_new(array, line_text(line));
  for (uint32_t i = line->use; i < line->use + line->uses; i++) {
    append(array, listing->uses[i].part);
    append(array, listing->uses[i].count);
  }
  return array;
}

static json_t *listing_object(const EmuPage *page) {
  spv_emu_listing *listing = spv_emu_list(emu_page_program(page), page->source);
  if (!listing)
    return NULL;
  json_t *o = json_object(), *lines = json_array();
  for (uint32_t i = 0; i < listing->line_count && i < MOST_LINES; i++)
    json_array_append_new(lines, line_array(listing, &listing->lines[i]));
  json_object_set_new(o, "source", json_boolean(listing->source));
  json_object_set_new(o, "cut", json_boolean(listing->line_count > MOST_LINES));
  json_object_set_new(o, "lines", lines);
  spv_emu_listing_free(listing);
  return o;
}

/* ---- policies -------------------------------------------------------------------------------- */

static json_t *policy_object(const spv_emu_result *r, const EmuRecording *recording) {
  json_t *o = json_object(), *executions = json_array(), *lanes = json_array();
  json_t *schedule = json_object();
  for (uint32_t i = 0; i < r->part_count; i++) {
    append(executions, r->parts[i].executions);
    append(lanes, r->parts[i].lanes);
  }
  json_object_set_new(o, "executions", executions);
  json_object_set_new(o, "lanes", lanes);
  json_object_set_new(schedule, "lanes", json_integer(recording->lanes));
  json_object_set_new(schedule, "subgroups", json_array());
  json_object_set_new(o, "schedule", schedule);
  return o;
}

static json_t *subgroups_of(json_t *policies, const spv_emu_result *r) {
  json_t *schedule = json_object_get(json_object_get(policies, r->policy), "schedule");
  return json_object_get(schedule, "subgroups");
}

/* The first subgroup of every policy, cut if need be; then others, as long as whole ones fit. What
 * one leaves of its share goes to those behind it. */
static void add_schedules(const EmuPage *page, json_t *policies) {
  size_t left = SCHEDULE_BYTES;
  for (uint32_t k = 0; k < EMU_RECORDED_SUBGROUPS; k++) {
    size_t sharers = json_object_size(policies);
    for (uint32_t i = 0; i < page->report->row_count; i++) {
      const spv_emu_result *r = result_of(page, i);
      if (r)
        left -= emu_recording_add(&page->recordings[i], k, left / sharers--, k == 0,
                                  subgroups_of(policies, r));
    }
  }
}

static json_t *policies_object(const EmuPage *page) {
  json_t *policies = json_object();
  for (uint32_t i = 0; i < page->report->row_count; i++) {
    const spv_emu_result *r = result_of(page, i);
    if (r)
      json_object_set_new(policies, r->policy, policy_object(r, &page->recordings[i]));
  }
  add_schedules(page, policies);
  return policies;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static json_t *report_object(const EmuReport *report) {
  json_t *o = emu_report_object(report), *result;
  size_t i;
  json_array_foreach(json_object_get(o, "results"), i, result) {
    json_object_del(result, "blocks");
    json_object_del(result, "buffers");
  }
  json_object_del(o, "priority");
  return o;
}

/* False: out of memory. */
static bool add_shown(const EmuPage *page, const spv_emu_result *r, json_t *data) {
  json_t *shown = json_object(), *listing = listing_object(page);
  add_blocks(r, shown);
  json_object_set_new(shown, "parts", parts_array(r));
  json_object_set_new(shown, "priority", priority_array(r));
  json_object_set_new(shown, "policies", policies_object(page));
  json_object_set_new(shown, "listing", listing);
  json_object_set_new(data, "shown", shown);
  return listing != NULL;
}

static uint32_t count_pipelines(const EmuReport *report) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < report->row_count; i++) {
    uint32_t ran = 0;
    for (uint32_t k = 0; k < report->rows[i].part_count; k++)
      ran += report->rows[i].parts[k].result != NULL;
    most = ran > most ? ran : most;
  }
  return most;
}

static json_t *dispatch_text(const EmuReport *report) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    most = report->rows[i].dispatches > most ? report->rows[i].dispatches : most;
  return report->dispatch
             ? cli_json_text(report->dispatch)
             : json_sprintf("%llu dispatch%s", (unsigned long long)most, most == 1 ? "" : "es");
}

json_t *emu_page_data(const EmuPage *page) {
  json_t *data = json_object();
  const spv_emu_result *r = first_result(page);
  bool large = r && r->part_count > MOST_PARTS, good = true;
  json_object_set_new(data, "report", report_object(page->report));
  json_object_set_new(data, "dispatch", dispatch_text(page->report));
  json_object_set_new(data, "pipelines", json_integer(count_pipelines(page->report)));
  json_object_set_new(data, "no_graph",
                      page->graph ? json_null() : cli_json_text(page->no_graph));
  json_object_set_new(data, "too_large", large ? json_integer(r->block_count) : json_null());
  json_object_set_new(data, "shown", json_null());
  if (r && !large)
    good = add_shown(page, r, data);
  for (uint32_t i = 0; i < page->report->row_count; i++)
    good = good && emu_recording_is_whole(&page->recordings[i]);
  if (good)
    return data;
  json_decref(data);
  return NULL;
}
