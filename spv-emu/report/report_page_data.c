/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_data: see report_page_data.h. */
#include "report/report_page_data.h"

#include "report/report_json.h"

#include "cli/cli_json.h"

#include <stdio.h>
#include <string.h>

enum {
  MOST_PARTS = 2048,
  MOST_LINES = 4000,
  MOST_LINE = 240, /* bytes of a line, or a name */
  LISTING_BYTES = 500000,
  SCHEDULE_BYTES = 1000000, /* for all policies */
  ESCAPED = 6,              /* bytes of a character that JSON must escape */
  USE_BYTES = 12,
};

/* ---- what is shown --------------------------------------------------------------------------- */

static uint64_t issues_of(const EmuReport *report, const spv_emu_program *program) {
  uint64_t issues = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    for (uint32_t k = 0; k < report->rows[i].part_count; k++)
      if (report->rows[i].parts[k].program == program)
        issues += report->rows[i].parts[k].result->issued;
  return issues;
}

const spv_emu_program *emu_page_program(const EmuPage *page) {
  const spv_emu_program *most = NULL;
  for (uint32_t i = 0; i < page->report->row_count; i++)
    for (uint32_t k = 0; k < page->recordings[i].count; k++) {
      const spv_emu_program *other = page->recordings[i].dispatches[k].program;
      if (!most || issues_of(page->report, other) > issues_of(page->report, most))
        most = other;
    }
  return most;
}

static void append(json_t *array, uint64_t value) {
  json_array_append_new(array, json_integer((json_int_t)value));
}

/* What the page shows for a policy: the program's result and schedule. `result` NULL: the policy
 * did not run it, or has no schedule. */
typedef struct Shown {
  const spv_emu_result *result;
  const EmuRecordedDispatch *dispatch;
} Shown;

static Shown shown_of(const EmuPage *page, const spv_emu_program *program, uint32_t row) {
  const EmuRow *r = &page->report->rows[row];
  Shown shown = {.dispatch = emu_recording_find(&page->recordings[row], program)};
  for (uint32_t i = 0; i < r->part_count && shown.dispatch; i++)
    if (r->parts[i].program == program)
      shown.result = r->parts[i].result;
  return shown;
}

static const spv_emu_result *first_result(const EmuPage *page, const spv_emu_program *program) {
  Shown shown = {0};
  for (uint32_t i = 0; i < page->report->row_count && program && !shown.result; i++)
    shown = shown_of(page, program, i);
  return shown.result;
}

static json_t *cut_text(const char *bytes, size_t length) {
  char text[MOST_LINE + 8];
  bool cut = length > MOST_LINE;
  snprintf(text, sizeof text, "%.*s%s", cut ? MOST_LINE : (int)length, bytes, cut ? " ..." : "");
  return cli_json_text(text);
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

/* A function's blocks are contiguous. */
static void add_blocks(const spv_emu_result *r, json_t *shown) {
  json_t *functions = json_array(), *blocks = json_array();
  for (uint32_t i = 0; i < r->block_count; i++) {
    const spv_emu_block *b = &r->blocks[i];
    if (i == 0 || b->function != r->blocks[i - 1].function)
      json_array_append_new(functions, cut_text(b->function ? b->function : "",
                                                b->function ? strlen(b->function) : 0));
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

static json_t *line_array(const spv_emu_listing *listing, const spv_emu_line *line) {
  json_t *array = json_array();
  json_array_append_new(array, cut_text(line->text, line->length));
  for (uint32_t i = line->use; i < line->use + line->uses; i++) {
    append(array, listing->uses[i].part);
    append(array, listing->uses[i].count);
  }
  return array;
}

/* An upper bound for the line's bytes on the page. */
static size_t line_bytes(const spv_emu_line *line) {
  size_t bytes = (size_t)line->uses * USE_BYTES + MOST_LINE / 16;
  for (uint32_t i = 0; i < line->length && i < MOST_LINE; i++)
    bytes += strchr("<\"\\", line->text[i]) || (unsigned char)line->text[i] < ' ' ? ESCAPED : 1;
  return bytes;
}

static json_t *listing_object(const EmuPage *page, const spv_emu_program *program) {
  spv_emu_listing *listing = spv_emu_list(program, page->source);
  if (!listing)
    return NULL;
  json_t *o = json_object(), *lines = json_array();
  uint32_t i = 0;
  size_t bytes = 0;
  for (; i < listing->line_count && i < MOST_LINES; i++) {
    bytes += line_bytes(&listing->lines[i]);
    if (bytes > LISTING_BYTES)
      break;
    json_array_append_new(lines, line_array(listing, &listing->lines[i]));
  }
  json_object_set_new(o, "source", json_boolean(listing->source));
  json_object_set_new(o, "cut", json_boolean(i < listing->line_count));
  json_object_set_new(o, "lines", lines);
  spv_emu_listing_free(listing);
  return o;
}

/* ---- policies -------------------------------------------------------------------------------- */

static json_t *policy_object(const Shown *shown) {
  const spv_emu_result *r = shown->result;
  json_t *o = json_object(), *executions = json_array(), *lanes = json_array();
  json_t *schedule = json_object();
  for (uint32_t i = 0; i < r->part_count; i++) {
    append(executions, r->parts[i].executions);
    append(lanes, r->parts[i].lanes);
  }
  json_object_set_new(o, "executions", executions);
  json_object_set_new(o, "lanes", lanes);
  json_object_set_new(schedule, "lanes", json_integer(shown->dispatch->lanes));
  json_object_set_new(schedule, "subgroups", json_array());
  json_object_set_new(o, "schedule", schedule);
  return o;
}

/* Adds the first subgroup of every policy, cut if necessary; then others, as long as they fit
 * completely. What a policy does not use of its share is left for the next ones. */
static void add_schedules(const EmuPage *page, const spv_emu_program *program, json_t *policies) {
  size_t left = SCHEDULE_BYTES;
  for (uint32_t k = 0; k < EMU_RECORDED_SUBGROUPS; k++) {
    size_t sharers = json_object_size(policies);
    for (uint32_t i = 0; i < page->report->row_count; i++) {
      Shown shown = shown_of(page, program, i);
      if (!shown.result)
        continue;
      json_t *schedule =
          json_object_get(json_object_get(policies, shown.result->policy), "schedule");
      left -= emu_recording_add(shown.dispatch, k, left / sharers--, k == 0,
                                json_object_get(schedule, "subgroups"));
    }
  }
}

static json_t *policies_object(const EmuPage *page, const spv_emu_program *program) {
  json_t *policies = json_object();
  for (uint32_t i = 0; i < page->report->row_count; i++) {
    Shown shown = shown_of(page, program, i);
    if (shown.result)
      json_object_set_new(policies, shown.result->policy, policy_object(&shown));
  }
  add_schedules(page, program, policies);
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
static bool add_shown(const EmuPage *page, const spv_emu_program *program, json_t *data) {
  const spv_emu_result *r = first_result(page, program);
  json_t *shown = json_object(), *listing = listing_object(page, program);
  add_blocks(r, shown);
  json_object_set_new(shown, "parts", parts_array(r));
  json_object_set_new(shown, "priority", priority_array(r));
  json_object_set_new(shown, "policies", policies_object(page, program));
  json_object_set_new(shown, "listing", listing);
  json_object_set_new(data, "shown", shown);
  return listing != NULL;
}

/* How many pipelines of a row ran, and which of them is this program's, from 1. */
static void count_pipelines(const EmuRow *row, const spv_emu_program *program, uint32_t *all,
                            uint32_t *number) {
  *all = *number = 0;
  for (uint32_t k = 0; k < row->part_count; k++) {
    *all += row->parts[k].result != NULL;
    if (row->parts[k].program == program)
      *number = *all;
  }
}

/* Adds the counts of the row in which most pipelines ran. */
static void add_pipelines(const EmuPage *page, const spv_emu_program *program, json_t *data) {
  uint32_t all = 0, number = 0;
  for (uint32_t i = 0; i < page->report->row_count; i++) {
    uint32_t ran, place;
    count_pipelines(&page->report->rows[i], program, &ran, &place);
    if (ran > all) {
      all = ran;
      number = place;
    }
  }
  json_object_set_new(data, "pipelines", json_integer(all));
  json_object_set_new(data, "pipeline", json_integer(number));
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
  const spv_emu_program *program = emu_page_program(page);
  const spv_emu_result *r = first_result(page, program);
  bool large = r && r->part_count > MOST_PARTS, good = true;
  json_object_set_new(data, "report", report_object(page->report));
  json_object_set_new(data, "dispatch", dispatch_text(page->report));
  add_pipelines(page, program, data);
  json_object_set_new(data, "no_graph", page->graph ? json_null() : cli_json_text(page->no_graph));
  json_object_set_new(data, "too_large", large ? json_integer(r->block_count) : json_null());
  json_object_set_new(data, "shown", json_null());
  if (r && !large)
    good = add_shown(page, program, data);
  for (uint32_t i = 0; i < page->report->row_count; i++)
    good = good && emu_recording_is_whole(&page->recordings[i]);
  if (good)
    return data;
  json_decref(data);
  return NULL;
}
