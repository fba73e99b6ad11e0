/* SPDX-License-Identifier: Apache-2.0 */
/* report_causes: see report_causes.h. */
#include "spv-emu/report/report_causes.h"

#include "passes/tool/tool_json.h"
#include "spv-emu/report/report_advise.h"

#include <stdlib.h>

enum { MOST_CAUSES = 5 };

typedef struct Sum { /* of a loop or a branch */
  uint64_t idle;
  uint64_t most;       /* of a line */
  spv_emu_cause cause; /* of that line */
  bool loop;
  uint32_t index; /* in the result's loops or branches */
} Sum;

/* The sum of the cause: by loop, then by branch. */
static Sum *sum_of(const spv_emu_result *r, const spv_emu_cause *c, Sum *sums) {
  bool loop = c->kind != SPV_EMU_CAUSE_BRANCH;
  uint32_t index = c->kind == SPV_EMU_CAUSE_EXIT ? r->branches[c->index].loop : c->index;
  Sum *sum = &sums[loop ? index : r->loop_count + index];
  sum->loop = loop;
  sum->index = index;
  return sum;
}

static void add(const spv_emu_result *r, const spv_emu_waste *w, Sum *sums) {
  if (!w->cause_count)
    return;
  Sum *sum = sum_of(r, &w->causes[0], sums);
  sum->idle += w->idle;
  if (w->idle > sum->most) {
    sum->most = w->idle;
    sum->cause = w->causes[0];
  }
}

static int by_idle(const void *left, const void *right) {
  const Sum *a = left, *b = right;
  if (a->idle != b->idle)
    return a->idle > b->idle ? -1 : 1;
  return a->loop != b->loop ? b->loop - a->loop : (a->index > b->index) - (a->index < b->index);
}

static json_t *cause_object(const EmuPart *part, const Sum *sum) {
  const spv_emu_result *r = part->result;
  const spv_emu_loop *loop = sum->loop ? &r->loops[sum->index] : NULL;
  const spv_emu_branch *branch = sum->loop ? NULL : &r->branches[sum->index];
  uint32_t file = loop ? loop->file : branch->file;
  char text[EMU_ADVISE_SENTENCE];
  emu_advise_cause(part, &sum->cause, text);
  return json_pack("{s:s, s:o, s:I, s:I, s:I, s:o}", "kind", loop ? "loop" : "branch", "file",
                   file == SPV_EMU_NO_FILE ? json_null() : json_integer(file), "line",
                   (json_int_t)(loop ? loop->line : branch->line), "part",
                   (json_int_t)(loop ? loop->part : branch->part), "idle", (json_int_t)sum->idle,
                   "text", tool_json_text(text));
}

json_t *emu_causes_array(const EmuPart *part) {
  const spv_emu_result *r = part->result;
  json_t *array = json_array();
  if (!r->branches)
    return array;
  uint32_t count, room = r->loop_count + r->branch_count;
  spv_emu_waste *wastes = spv_emu_wastes(part->program, r, &count);
  Sum *sums = calloc(room + 1u, sizeof *sums);
  bool good = wastes && sums;
  for (uint32_t i = 0; good && i < count; i++)
    add(r, &wastes[i], sums);
  if (good)
    qsort(sums, room, sizeof *sums, by_idle);
  for (uint32_t i = 0; good && i < room && i < MOST_CAUSES && sums[i].idle; i++)
    json_array_append_new(array, cause_object(part, &sums[i]));
  free(sums);
  free(wastes);
  if (good)
    return array;
  json_decref(array);
  return NULL;
}
