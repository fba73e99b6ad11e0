/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_data: see report_page_data.h. */
#include "spv-emu/report/report_page_data.h"

#include "spv-emu/report/report_causes.h"
#include "spv-emu/report/report_json.h"
#include "spv-emu/report/report_page_pixels.h"

#include "passes/tool/tool_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_PARTS = 2048,
  MOST_PIPELINES = 4,
  MOST_LINES = 4000,
  MOST_LINE = 240,          /* bytes of a line, or a name */
  MOST_NAMED = 1000,        /* files, inlined calls */
  LISTING_BYTES = 500000,   /* for all programs */
  COUNT_BYTES = 500000,     /* for the counts of single dispatches */
  PART_BYTES = 16,          /* of a part's counts */
  SCHEDULE_BYTES = 1000000, /* for all runs */
  BINS_BYTES = 24000,       /* in fewer bytes, a schedule in bins is too coarse */
  SHORT_BYTES = 4000,       /* of a schedule that is not a main one */
  SHORT_ALL_BYTES = 400000, /* of all these */
  ESCAPED = 6,              /* bytes of a character that JSON must escape */
  USE_BYTES = 12,
};

#define NO_SLOT UINT32_MAX

static void append(json_t *array, uint64_t value) {
  json_array_append_new(array, json_integer((json_int_t)value));
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- what is shown --------------------------------------------------------------------------- */

/* The program as a part of a row; NULL: it did not run. */
static const EmuPart *part_of(const EmuRow *row, const spv_emu_program *program) {
  for (uint32_t i = 0; i < row->part_count; i++)
    if (row->parts[i].program == program && row->parts[i].result)
      return &row->parts[i];
  return NULL;
}

/* Its result under the policy of the row; NULL: as above. */
static const spv_emu_result *result_of(const EmuRow *row, const spv_emu_program *program) {
  const EmuPart *part = part_of(row, program);
  return part ? part->result : NULL;
}

static uint64_t issues_of(const EmuReport *report, uint32_t part) {
  uint64_t issues = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    if (part < report->rows[i].part_count && report->rows[i].parts[part].result)
      issues += report->rows[i].parts[part].result->issued;
  return issues;
}

/* The part's program in a variant, whose rows begin at `first`, if one of these rows has a schedule
 * of it; else NULL. */
static const spv_emu_program *program_at(const EmuPage *page, uint32_t first, uint32_t part) {
  const EmuRow *rows = page->report->rows;
  for (uint32_t i = first;
       i < page->report->row_count && same_text(rows[i].variant, rows[first].variant); i++)
    if (part < rows[i].part_count && rows[i].parts[part].program &&
        emu_recording_find(&page->recordings[i], rows[i].parts[part].program, 0))
      return rows[i].parts[part].program;
  return NULL;
}

static uint32_t variant_count(const EmuReport *report) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    count += i == 0 || !same_text(report->rows[i].variant, report->rows[i - 1].variant);
  return count;
}

/* Adds the part's program of every variant. */
static void choose_part(EmuPage *page, uint32_t part) {
  const EmuRow *rows = page->report->rows;
  for (uint32_t i = 0; i < page->report->row_count && page->program_count < EMU_PAGE_PROGRAMS;
       i++) {
    bool starts = i == 0 || !same_text(rows[i].variant, rows[i - 1].variant);
    const spv_emu_program *program = starts ? program_at(page, i, part) : NULL;
    if (program)
      page->programs[page->program_count++] =
          (EmuPageProgram){.program = program, .variant = rows[i].variant, .part = part};
  }
}

/* Finds the part that issues most among those that issue less than `less`, or that issue `less` and
 * come after `after`. False: there is none. */
static bool next_part(const EmuReport *report, uint32_t parts, uint64_t less, uint32_t after,
                      uint32_t *part) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < parts; i++) {
    uint64_t issues = issues_of(report, i);
    if ((issues < less || (issues == less && i > after)) && issues > most) {
      most = issues;
      *part = i;
    }
  }
  return most > 0;
}

void emu_page_choose(EmuPage *page) {
  const EmuReport *report = page->report;
  uint32_t parts = 0, part = 0, variants = variant_count(report);
  for (uint32_t i = 0; i < report->row_count; i++)
    parts = report->rows[i].part_count > parts ? report->rows[i].part_count : parts;
  uint64_t less = UINT64_MAX;
  for (uint32_t i = 0; i < MOST_PIPELINES && (i == 0 || (i + 1) * variants <= EMU_PAGE_PROGRAMS) &&
                       next_part(report, parts, less, part, &part);
       i++) {
    choose_part(page, part);
    less = issues_of(report, part);
  }
}

static const spv_emu_result *first_result(const EmuPage *page, const EmuPageProgram *shown) {
  const spv_emu_result *r = NULL;
  for (uint32_t i = 0; i < page->report->row_count && !r; i++)
    if (emu_recording_find(&page->recordings[i], shown->program, 0))
      r = result_of(&page->report->rows[i], shown->program);
  return r;
}

static json_t *cut_text(const char *bytes, size_t length) {
  char text[MOST_LINE + 8];
  bool cut = length > MOST_LINE;
  snprintf(text, sizeof text, "%.*s%s", cut ? MOST_LINE : (int)length, bytes, cut ? " ..." : "");
  return tool_json_text(text);
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

static json_t *name_text(const char *name) {
  return name ? cut_text(name, strlen(name)) : json_null();
}

/* An index in a table that is cut; null: none, or it is not in the table. */
static void append_index(json_t *array, uint32_t index) {
  json_array_append_new(array, index < MOST_NAMED ? json_integer(index) : json_null());
}

/* A function's blocks are contiguous. */
static void add_blocks(const spv_emu_result *r, json_t *shown) {
  json_t *functions = json_array(), *blocks = json_array();
  for (uint32_t i = 0; i < r->block_count; i++) {
    const spv_emu_block *b = &r->blocks[i];
    if (i == 0 || b->function != r->blocks[i - 1].function)
      json_array_append_new(functions, name_text(b->function ? b->function : ""));
    json_t *block = json_array();
    append(block, json_array_size(functions) - 1);
    append(block, b->id);
    append(block, b->line);
    append_index(block, b->file);
    append(block, b->last_line);
    json_array_append_new(block, name_text(b->source_function));
    append_index(block, b->call);
    json_array_append_new(blocks, block);
  }
  json_object_set_new(shown, "functions", functions);
  json_object_set_new(shown, "blocks", blocks);
}

static json_t *files_array(const spv_emu_source *source) {
  json_t *files = json_array();
  for (uint32_t i = 0; i < source->file_count && i < MOST_NAMED; i++)
    json_array_append_new(files, name_text(source->files[i].name));
  return files;
}

static json_t *calls_array(const spv_emu_source *source) {
  json_t *calls = json_array();
  for (uint32_t i = 0; i < source->call_count && i < MOST_NAMED; i++) {
    json_t *call = json_array();
    json_array_append_new(call, name_text(source->calls[i].function));
    append_index(call, source->calls[i].file);
    append(call, source->calls[i].line);
    append_index(call, source->calls[i].outer);
    json_array_append_new(calls, call);
  }
  return calls;
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

/* Consecutive lines of one file: [file, index of the first, its number, is the text known]. */
static json_t *sections_array(const spv_emu_listing *listing, const spv_emu_source *source,
                              uint32_t shown) {
  json_t *array = json_array();
  for (uint32_t s = 0; s < listing->section_count; s++) {
    const spv_emu_section *section = &listing->sections[s];
    const spv_emu_line *lines = &listing->lines[section->line];
    for (uint32_t i = 0; i < section->lines && section->line + i < shown; i++) {
      if (i && lines[i].number == lines[i - 1].number + 1)
        continue;
      json_t *run = json_array();
      append_index(run, section->file);
      append(run, section->line + i);
      append(run, lines[i].number);
      json_array_append_new(run, json_boolean(source->files[section->file].text));
      json_array_append_new(array, run);
    }
  }
  return array;
}

/* The listing of a program, of at most `most` bytes. NULL: out of memory. */
static json_t *listing_object(const EmuPage *page, const spv_emu_program *program, size_t most) {
  spv_emu_listing *listing = spv_emu_list(program, page->source);
  if (!listing)
    return NULL;
  json_t *o = json_object(), *lines = json_array();
  uint32_t i = 0;
  size_t bytes = 0;
  for (; i < listing->line_count && i < MOST_LINES; i++) {
    bytes += line_bytes(&listing->lines[i]);
    if (bytes > most)
      break;
    json_array_append_new(lines, line_array(listing, &listing->lines[i]));
  }
  json_object_set_new(o, "source", json_boolean(listing->source));
  json_object_set_new(o, "cut", json_boolean(i < listing->line_count));
  json_object_set_new(o, "lines", lines);
  json_object_set_new(o, "sections", sections_array(listing, spv_emu_source_of(program), i));
  json_object_set_new(o, "unplaced", line_array(listing, &listing->unplaced));
  spv_emu_listing_free(listing);
  return o;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Sets the listing, or the number of an earlier program that has the same; *left: the bytes for it
 * and the following ones. False: out of memory. */
static bool add_listing(const EmuPage *page, uint32_t at, json_t *programs, json_t *o,
                        size_t *left) {
  json_t *listing =
      listing_object(page, page->programs[at].program, *left / (page->program_count - at));
  if (!listing)
    return false;
  for (uint32_t i = 0; i < at; i++)
    if (json_equal(json_object_get(json_array_get(programs, i), "listing"), listing)) {
      json_decref(listing);
      json_object_set_new(o, "listing", json_integer(i));
      return true;
    }
  size_t bytes = json_dumpb(listing, NULL, 0, JSON_COMPACT);
  *left -= bytes < *left ? bytes : *left;
  json_object_set_new(o, "listing", listing);
  return true;
}

static json_t *program_object(const EmuPage *page, uint32_t at) {
  const EmuPageProgram *shown = &page->programs[at];
  const spv_emu_result *r = first_result(page, shown);
  bool drawn = page->programs[shown->same].graph;
  json_t *o = json_object();
  json_object_set_new(o, "variant", shown->variant ? tool_json_text(shown->variant) : json_null());
  json_object_set_new(o, "pipeline", json_integer(shown->part + 1));
  add_blocks(r, o);
  json_object_set_new(o, "files", files_array(spv_emu_source_of(shown->program)));
  json_object_set_new(o, "calls", calls_array(spv_emu_source_of(shown->program)));
  json_object_set_new(o, "parts", parts_array(r));
  json_object_set_new(o, "priority", priority_array(r));
  json_object_set_new(o, "graph", drawn ? json_integer(shown->same) : json_null());
  json_object_set_new(o, "no_graph", drawn ? json_null() : tool_json_text(shown->no_graph));
  return o;
}

static json_t *programs_array(const EmuPage *page) {
  json_t *programs = json_array();
  size_t left = LISTING_BYTES;
  for (uint32_t i = 0; i < page->program_count; i++) {
    json_t *o = program_object(page, i);
    if (!add_listing(page, i, programs, o, &left)) {
      json_decref(o);
      json_decref(programs);
      return NULL;
    }
    json_array_append_new(programs, o);
  }
  return programs;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A run of the page, and where its schedules are. */
typedef struct Run {
  EmuRecordedDispatch *dispatch;
  json_t *subgroups;
} Run;

typedef struct Runs {
  json_t *array;
  Run *at;
  size_t count;
  size_t count_bytes; /* of single dispatches, so far */
} Runs;

static json_t *add_run(Runs *runs, uint32_t row, uint32_t program, EmuRecordedDispatch *d) {
  json_t *o = json_object(), *subgroups = json_array();
  json_object_set_new(o, "result", json_integer(row));
  json_object_set_new(o, "program", json_integer(program));
  json_object_set_new(o, "dispatch", json_null());
  json_object_set_new(o, "scheduled", json_integer(d->number));
  json_object_set_new(o, "worst", d->worst < d->count ? json_integer(d->worst) : json_null());
  json_object_set_new(o, "lanes", json_integer(d->lanes));
  json_object_set_new(o, "subgroups", subgroups);
  json_array_append_new(runs->array, o);
  runs->at[runs->count++] = (Run){d, subgroups};
  return o;
}

static void set_totals(json_t *o, uint64_t issued, uint64_t lane_instructions, json_t *executions,
                       json_t *lanes) {
  json_object_set_new(o, "issued", json_integer((json_int_t)issued));
  json_object_set_new(o, "lane_instructions", json_integer((json_int_t)lane_instructions));
  json_object_set_new(o, "executions", executions);
  json_object_set_new(o, "lane_sums", lanes);
}

/* All dispatches of a program, with the schedule of the first. */
static void add_sum(Runs *runs, uint32_t row, uint32_t program, EmuRecordedDispatch *d,
                    const EmuPart *part) {
  const spv_emu_result *r = part->result;
  json_t *executions = json_array(), *lanes = json_array();
  for (uint32_t i = 0; i < r->part_count; i++) {
    append(executions, r->parts[i].executions);
    append(lanes, r->parts[i].lanes);
  }
  json_t *o = add_run(runs, row, program, d), *causes = emu_causes_array(part);
  set_totals(o, r->issued, r->lane_instructions, executions, lanes);
  json_object_set_new(o, "causes", causes ? causes : json_array());
}

static void add_dispatch(Runs *runs, uint32_t row, uint32_t program, EmuRecordedDispatch *d) {
  json_t *executions = json_array(), *lanes = json_array();
  for (uint32_t i = 0; i < d->part_count; i++) {
    append(executions, d->counts[2 * i]);
    append(lanes, d->counts[2 * i + 1]);
  }
  json_t *o = add_run(runs, row, program, d);
  json_object_set_new(o, "dispatch", json_integer(d->number));
  set_totals(o, d->issued, d->lane_instructions, executions, lanes);
}

/* A program under the policy of a row: all its dispatches, then, if there are several, single
 * ones. */
static void add_runs(const EmuPage *page, uint32_t row, uint32_t program, Runs *runs) {
  const spv_emu_program *of = page->programs[program].program;
  EmuRecording *recording = &page->recordings[row];
  EmuRecordedDispatch *d = emu_recording_find(recording, of, 0);
  const EmuPart *part = part_of(&page->report->rows[row], of);
  if (!d || !part)
    return;
  add_sum(runs, row, program, d, part);
  for (uint32_t i = 0; emu_recording_find(recording, of, 1); i++) {
    d = emu_recording_find(recording, of, i);
    if (!d || runs->count_bytes + (size_t)d->part_count * PART_BYTES > COUNT_BYTES)
      return;
    runs->count_bytes += (size_t)d->part_count * PART_BYTES;
    add_dispatch(runs, row, program, d);
  }
}

/* A schedule that another run already has is not repeated: the page finds it by its number. */
static bool is_repeated(const Runs *runs, size_t at) {
  return at > 0 && runs->at[at - 1].dispatch == runs->at[at].dispatch;
}

/* The slot that a run shows first: that of its worst subgroup, or of the first. */
static uint32_t first_slot(const EmuRecordedDispatch *d) {
  return d->worst < d->count ? d->worst : 0;
}

/* Adds a subgroup of every run: the one that it shows first (`slot` NO_SLOT), or any other in `slot`,
 * if it is a main one or not. It takes at most the run's share of what is left, or `most`. */
static void add_slot(Runs *runs, uint32_t slot, bool main, size_t most, size_t least,
                     size_t *left) {
  size_t sharers = runs->count;
  for (size_t i = 0; i < runs->count; i++, sharers--) {
    EmuRecordedDispatch *d = runs->at[i].dispatch;
    uint32_t k = slot == NO_SLOT ? first_slot(d) : slot;
    bool wanted =
        k < d->count && (slot == NO_SLOT || (k != first_slot(d) && d->subgroups[k].main == main));
    if (!wanted || is_repeated(runs, i))
      continue;
    size_t share = *left / sharers < most ? *left / sharers : most;
    size_t taken = emu_recording_add(d, k, share, least, runs->at[i].subgroups);
    *left -= taken < *left ? taken : *left;
  }
}

/* Adds the first subgroup of every run, in bins if necessary; then the other main ones, as long as
 * they are not too coarse; then the others, if they are short, in an order in which those that come
 * first are spread evenly. What a run does not use of its share is left for the next ones. */
static void add_schedules(Runs *runs) {
  enum { STRIDE = 8 };
  static const uint32_t strided[STRIDE] = {0, 4, 2, 6, 1, 5, 3, 7};
  size_t left = SCHEDULE_BYTES, rest;
  add_slot(runs, NO_SLOT, true, SIZE_MAX, 0, &left);
  for (uint32_t k = 0; k < EMU_PLACES_MOST; k++)
    add_slot(runs, k, true, SIZE_MAX, BINS_BYTES, &left);
  rest = left < SHORT_ALL_BYTES ? left : SHORT_ALL_BYTES;
  for (uint32_t i = 0; i < STRIDE; i++)
    for (uint32_t k = strided[i]; k < EMU_PLACES_MOST; k += STRIDE)
      add_slot(runs, k, false, SHORT_BYTES, SIZE_MAX, &rest);
}

static json_t *runs_array(const EmuPage *page) {
  Runs runs = {.array = json_array()};
  runs.at =
      calloc((size_t)page->report->row_count * page->program_count * (EMU_RECORDED_TIMES + 1) + 1,
             sizeof *runs.at);
  for (uint32_t i = 0; runs.at && i < page->report->row_count; i++)
    for (uint32_t k = 0; k < page->program_count; k++)
      add_runs(page, i, k, &runs);
  add_schedules(&runs);
  if (!runs.at) {
    json_decref(runs.array);
    return NULL;
  }
  free(runs.at);
  return runs.array;
}

/* ---- the whole object ------------------------------------------------------------------------ */

static json_t *report_object(const EmuReport *report) {
  static const char *const details[] = {"functions", "calls", "loops", "branches"};
  json_t *o = emu_report_object(report), *result;
  size_t i;
  json_array_foreach(json_object_get(o, "results"), i, result) {
    json_object_del(result, "blocks");
    json_object_del(result, "buffers");
    json_object_del(result, "lines");
    for (uint32_t k = 0; k < sizeof details / sizeof *details; k++)
      json_object_del(result, details[k]);
  }
  json_object_del(o, "priority");
  return o;
}

static json_t *purposes_object(void) {
  json_t *o = json_object();
  const char *name, *purpose;
  for (uint32_t i = 0; (name = spv_emu_policy(i, &purpose)); i++)
    json_object_set_new(o, name, json_string(purpose));
  return o;
}

static uint64_t most_dispatches(const EmuReport *report) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    most = report->rows[i].dispatches > most ? report->rows[i].dispatches : most;
  return most;
}

static uint32_t most_pipelines(const EmuReport *report) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < report->row_count; i++) {
    uint32_t ran = 0;
    for (uint32_t k = 0; k < report->rows[i].part_count; k++)
      ran += report->rows[i].parts[k].result && !report->rows[i].parts[k].earlier;
    most = ran > most ? ran : most;
  }
  return most;
}

static bool has_earlier(const EmuReport *report) {
  bool any = false;
  for (uint32_t i = 0; i < report->row_count; i++)
    for (uint32_t k = 0; k < report->rows[i].part_count; k++)
      any = any || (report->rows[i].parts[k].result && report->rows[i].parts[k].earlier);
  return any;
}

static json_t *dispatch_text(const EmuReport *report) {
  uint64_t most = most_dispatches(report);
  return report->dispatch
             ? tool_json_text(report->dispatch)
             : json_sprintf("%llu dispatch%s", (unsigned long long)most, most == 1 ? "" : "es");
}

/* The blocks of a program that has too many; 0: none has. */
static uint32_t too_large(const EmuPage *page) {
  for (uint32_t i = 0; i < page->program_count; i++) {
    const spv_emu_result *r = first_result(page, &page->programs[i]);
    if (r->part_count > MOST_PARTS)
      return r->block_count;
  }
  return 0;
}

json_t *emu_page_data(const EmuPage *page) {
  json_t *data = json_object();
  uint32_t blocks = too_large(page);
  bool good = true;
  json_object_set_new(data, "report", report_object(page->report));
  json_object_set_new(data, "dispatch", dispatch_text(page->report));
  json_object_set_new(data, "advise", page->advise ? tool_json_text(page->advise) : json_null());
  json_object_set_new(data, "purposes", purposes_object());
  json_object_set_new(data, "pipelines", json_integer(most_pipelines(page->report)));
  json_object_set_new(data, "earlier", json_boolean(has_earlier(page->report)));
  json_object_set_new(data, "dispatches", json_integer((json_int_t)most_dispatches(page->report)));
  json_object_set_new(data, "too_large", blocks ? json_integer(blocks) : json_null());
  json_t *programs = blocks ? json_array() : programs_array(page);
  json_t *runs = blocks ? json_array() : runs_array(page);
  good = programs && runs;
  json_object_set_new(data, "pixels", emu_page_pixels(page->report));
  json_object_set_new(data, "programs", programs);
  json_object_set_new(data, "runs", runs);
  for (uint32_t i = 0; i < page->report->row_count; i++)
    good = good && emu_recording_is_whole(&page->recordings[i]);
  if (good)
    return data;
  json_decref(data);
  return NULL;
}
