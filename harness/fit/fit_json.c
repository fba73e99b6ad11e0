/* SPDX-License-Identifier: Apache-2.0 */
/* fit_json: the JSON; see fit_report.h. */
#include "harness/fit/fit_report.h"
#include "passes/tool/tool_json.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>

static json_t *lanes(const CvSet *set, uint32_t size) {
  json_t *array = json_array();
  for (uint32_t lane = 0; lane < size; lane++)
    if (cv_set_has(set, lane))
      json_array_append_new(array, json_integer(lane));
  return array;
}

static json_t *number(size_t value) {
  return json_integer((json_int_t)value);
}

static json_t *place_object(const FtFit *f, const FtPlace *place) {
  const CvVerdict *v = &place->first;
  char kind[64];
  json_t *o = json_object();
  cv_fault_name(v, kind);
  json_object_set_new(o, "program", json_string(f->runs[place->program].name));
  json_object_set_new(o, "place", tool_json_text(place->text));
  json_object_set_new(o, "block", number(place->block));
  json_object_set_new(o, "line", place->line ? number(place->line) : json_null());
  json_object_set_new(o, "kind", tool_json_text(kind));
  json_object_set_new(o, "observations", number(place->count));
  if (v->state == CV_FAILS)
    return o;
  json_object_set_new(o, "subgroup", number(place->subgroup));
  json_object_set_new(o, "lane", number(v->lane));
  json_object_set_new(o, "index", number(v->index));
  if (v->fault == CV_PATH)
    return o;
  json_object_set_new(o, "lanes", lanes(&v->got, f->device.size));
  json_object_set_new(o, "policy_lanes", lanes(&v->must, f->device.size));
  return o;
}

static json_t *row_object(const FtFit *f, const FtRow *row) {
  const FtScore *score = &f->scores[row->policies[0]];
  const FtPlace *first = ft_first_place(score);
  json_t *o = json_object(), *names = json_array(), *places = json_array();
  for (uint32_t i = 0; i < row->count; i++)
    json_array_append_new(names, json_string(f->policies[row->policies[i]].name));
  for (uint32_t i = 0; i < score->count; i++)
    json_array_append_new(places, place_object(f, &score->places[i]));
  json_object_set_new(o, "policies", names);
  json_object_set_new(o, "explained", number(score->explained));
  json_object_set_new(o, "observations", number(score->observations));
  json_object_set_new(o, "programs_skipped", number(score->skipped));
  json_object_set_new(o, "message", score->skipped ? tool_json_text(score->why) : json_null());
  json_object_set_new(o, "first", first ? place_object(f, first) : json_null());
  json_object_set_new(o, "places", places);
  return o;
}

static json_t *run_object(const FtRun *run) {
  static const char *const outcomes[] = {[HN_PASS] = "observed",
                                         [HN_FAIL] = "fail",
                                         [HN_SKIP] = "skip",
                                         [HN_CRASH] = "crash",
                                         [HN_TIMEOUT] = "timeout"};
  bool known = run->outcome < sizeof outcomes / sizeof *outcomes && outcomes[run->outcome];
  json_t *o = json_object();
  json_object_set_new(o, "program", json_string(run->name));
  json_object_set_new(o, "outcome", json_string(known ? outcomes[run->outcome] : "fail"));
  json_object_set_new(o, "observations", number(run->observations));
  json_object_set_new(o, "message", *run->why ? tool_json_text(run->why) : json_null());
  return o;
}

static json_t *times_object(const FtTimes *t) {
  json_t *o = json_object(), *times = json_array(), *steps = json_array();
  json_object_set_new(o, "measured", json_boolean(t->measured));
  json_object_set_new(o, "message", t->measured ? json_null() : tool_json_text(t->why));
  for (uint32_t i = 0; t->measured && i < t->count; i++)
    json_array_append_new(times, json_real(t->at[i]));
  for (uint32_t i = 0; t->measured && i < t->line.steps; i++)
    json_array_append_new(steps, number(t->line.at[i]));
  json_object_set_new(o, "unit", t->measured ? json_string(t->unit) : json_null());
  json_object_set_new(o, "by_lanes_that_leave", times);
  json_object_set_new(o, "branch", t->measured ? json_real(t->line.slope) : json_null());
  json_object_set_new(o, "error", t->measured ? json_real(t->line.error) : json_null());
  json_object_set_new(o, "certain", json_boolean(t->measured && t->line.certain));
  json_object_set_new(o, "steps", steps);
  json_object_set_new(o, "step", t->measured ? json_real(t->line.step) : json_null());
  return o;
}

static json_t *sentence(const FtFit *f, const FtRow *rows, uint32_t count) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return json_null();
  ft_put_sentence(f, rows, count, out);
  fclose(out);
  json_t *string = tool_json_text(text);
  free(text);
  return string;
}

json_t *ft_report_json(const FtFit *f) {
  FtRow rows[HN_POLICIES];
  uint32_t count = ft_rows(f, rows);
  json_t *o = json_object(), *programs = json_array(), *policies = json_array();
  for (uint32_t i = 0; i < f->run_count; i++)
    json_array_append_new(programs, run_object(&f->runs[i]));
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(policies, row_object(f, &rows[i]));
  json_object_set_new(o, "device", tool_json_text(f->device.device->name));
  json_object_set_new(o, "info", tool_json_text(f->device.device->info));
  json_object_set_new(o, "policy", f->device.policy ? json_string(f->device.policy) : json_null());
  json_object_set_new(o, "subgroup_size", number(f->device.size));
  json_object_set_new(o, "mode", json_string(cv_mode_names[f->device.mode]));
  json_object_set_new(o, "promised", json_boolean(f->device.promises));
  json_object_set_new(o, "observations", number(f->observations));
  json_object_set_new(o, "repeated", number(f->repeat.explained));
  json_object_set_new(o, "programs", programs);
  json_object_set_new(o, "policies", policies);
  json_object_set_new(o, "sentence", sentence(f, rows, count));
  json_object_set_new(o, "times", times_object(&f->times));
  return o;
}

bool ft_report_print(json_t *devices, FILE *out) {
  json_t *o = json_object();
  json_object_set_new(o, "tool", json_string("spv-harness"));
  json_object_set_new(o, "version", json_string(SPVRECONV_VERSION));
  json_object_set_new(o, "devices", json_incref(devices));
  bool good = json_dumpf(o, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
