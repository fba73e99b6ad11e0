/* SPDX-License-Identifier: Apache-2.0 */
/* run_report_json: see report.h. */
#include "harness/run/run_report.h"

#include "passes/tool/tool_json.h"

#include <jansson.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>

static json_t *result_object(const HnRun *run, size_t at, size_t device, uint32_t variant) {
  const HnResult *r = hn_run_result(run, at, device, variant);
  json_t *o = json_object();
  json_object_set_new(o, "case", tool_json_text(run->cases.paths[at]));
  json_object_set_new(o, "device", tool_json_text(run->devices.at[device].name));
  json_object_set_new(o, "variant", tool_json_text(run->variants[variant]));
  json_object_set_new(o, "outcome", json_string(hn_outcome_name(r->outcome)));
  json_object_set_new(o, "message", r->message ? tool_json_text(r->message) : json_null());
  json_object_set_new(o, "gpu_ns", json_integer((json_int_t)r->gpu_ns));
  json_object_set_new(o, "wall_us", json_integer((json_int_t)r->wall_us));
  json_object_set_new(o, "case_hash", tool_json_hash(r->case_hash));
  json_object_set_new(o, "module_hash", tool_json_hash(r->module_hash));
  json_object_set_new(o, "recorded", json_boolean(r->recorded));
  if (run->artifacts.folder) {
    char *folder = hn_report_folder(run, at, device, variant);
    json_object_set_new(o, "artifacts", folder ? tool_json_text(folder) : json_null());
    free(folder);
  }
  return o;
}

static json_t *devices_array(const HnRun *run) {
  json_t *array = json_array();
  for (size_t i = 0; i < run->devices.count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "name", tool_json_text(run->devices.at[i].name));
    json_object_set_new(o, "info", tool_json_text(run->devices.at[i].info));
    json_array_append_new(array, o);
  }
  return array;
}

bool hn_report_json(const HnProgress *progress, FILE *out) {
  const HnRun *run = progress->run;
  json_t *root = json_object(), *variants = json_array(), *results = json_array();
  for (uint32_t v = 0; v < run->variant_count; v++)
    json_array_append_new(variants, tool_json_text(run->variants[v]));
  for (size_t at = 0; at < run->cases.count; at++)
    for (size_t d = 0; d < run->devices.count; d++)
      for (uint32_t v = 0; hn_run_finished(run, at, d) && v < run->variant_count; v++)
        json_array_append_new(results, result_object(run, at, d, v));
  json_object_set_new(root, "tool", json_string("spv-harness"));
  json_object_set_new(root, "version", json_string(SPVRECONV_VERSION));
  json_object_set_new(root, "devices", devices_array(run));
  json_object_set_new(root, "variants", variants);
  json_object_set_new(root, "results", results);
  json_object_set_new(root, "passed", json_integer((json_int_t)progress->passed));
  json_object_set_new(root, "failed", json_integer((json_int_t)progress->failed));
  json_object_set_new(root, "skipped", json_integer((json_int_t)progress->skipped));
  json_object_set_new(root, "flakes", json_integer((json_int_t)progress->flakes));
  json_object_set_new(root, "interrupted", json_boolean(run->signal));
  bool good = json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(root);
  return good;
}
