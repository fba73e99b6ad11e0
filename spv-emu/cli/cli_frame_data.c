/* SPDX-License-Identifier: Apache-2.0 */
/* cli_frame_data: the sums of --frame as JSON and CSV; see cli_frame.h. */
#include "passes/tool/tool_csv.h"
#include "passes/tool/tool_json.h"
#include "spv-emu/cli/cli_frame.h"
#include "spv-emu/report/report_json.h"

#include <inttypes.h>

static json_t *sum_object(const char *policy, const EmuFrameSum *sum) {
  json_t *o = json_object();
  json_object_set_new(o, "policy", json_string(policy));
  tool_json_set_count(o, "issued", sum->issues);
  tool_json_set_count(o, "lane_instructions", sum->lanes);
  tool_json_set_count(o, "lanes_lost", sum->slots - sum->lanes);
  tool_json_set_count(o, "failed", sum->failed);
  return o;
}

static json_t *pipeline_object(const EmuFrame *f, const EmuFramePipeline *p) {
  json_t *o = json_object(), *policies = json_array();
  for (uint32_t i = 0; i < f->policy_count; i++)
    json_array_append_new(policies, sum_object(f->policies[i], &p->sums[i]));
  json_object_set_new(o, "name", tool_json_text(p->name));
  tool_json_set_count(o, "dispatches", p->dispatches);
  json_object_set_new(o, "policies", policies);
  return o;
}

bool emu_frame_json(const EmuFrame *f, const char *folder, FILE *out) {
  json_t *root = emu_report_unread(folder), *frame = json_object(), *pipelines = json_array();
  for (uint32_t i = 0; i < f->pipeline_count; i++)
    json_array_append_new(pipelines, pipeline_object(f, &f->pipelines[i]));
  json_object_set_new(frame, "pipelines", pipelines);
  tool_json_set_count(frame, "unread", f->failed);
  json_object_set_new(root, "frame", frame);
  if (f->failed)
    json_object_set_new(root, "status", json_string("failed"));
  bool good = json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(root);
  return good;
}

void emu_frame_csv(const EmuFrame *f, FILE *out) {
  fputs("pipeline,dispatches,policy,issued,lane_instructions,lanes_lost,failed\n", out);
  for (uint32_t i = 0; i < f->pipeline_count; i++)
    for (uint32_t k = 0; k < f->policy_count; k++) {
      const EmuFramePipeline *p = &f->pipelines[i];
      const EmuFrameSum *sum = &p->sums[k];
      tool_csv_text(out, p->name);
      fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
              p->dispatches, f->policies[k], sum->issues, sum->lanes, sum->slots - sum->lanes,
              sum->failed);
    }
}
