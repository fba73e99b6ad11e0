/* SPDX-License-Identifier: Apache-2.0 */
/* report_sizes: see report_sizes.h. */
#include "spv-emu/report/report_sizes.h"

#include "passes/tool/tool_json.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 128, MOST_SIZES = 64 };

typedef struct Size {
  const char *variant;
  uint32_t lanes;
  uint64_t slots;
  bool whole; /* all of its rows ran */
} Size;

static bool equal(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_run(const EmuRow *a, const EmuRow *b) {
  return equal(a->module, b->module) && equal(a->transform, b->transform) &&
         equal(a->policy, b->policy);
}

static void add(Size *sizes, uint32_t *count, const EmuRow *row) {
  uint32_t i = 0;
  spv_emu_result r = emu_row_total(row);
  while (i < *count && !equal(sizes[i].variant, row->variant))
    i++;
  if (i == *count) {
    if (i == MOST_SIZES)
      return;
    sizes[(*count)++] = (Size){.variant = row->variant, .lanes = r.subgroup_size, .whole = true};
  }
  bool bound = strcmp(r.policy, "opt") == 0 && !r.exact;
  sizes[i].slots += r.lane_slots;
  sizes[i].whole = sizes[i].whole && r.outcome == SPV_EMU_RAN && !bound;
}

/* False: fewer than two different sizes ran. */
static bool choose(const Size *sizes, uint32_t count, EmuBestSize *best) {
  const Size *least = NULL, *most = NULL;
  bool differ = false;
  for (uint32_t i = 0; i < count; i++) {
    const Size *s = &sizes[i];
    if (!s->whole)
      continue;
    differ = differ || (least && s->lanes != least->lanes);
    if (!least || s->slots < least->slots || (s->slots == least->slots && s->lanes > least->lanes))
      least = s;
    if (!most || s->slots > most->slots)
      most = s;
  }
  if (!differ)
    return false;
  best->size = least->lanes;
  best->slots = least->slots;
  best->worst_size = most->lanes;
  best->worst_slots = most->slots;
  return true;
}

/* Is the row the first of its module and policy? */
static bool is_first(const EmuReport *report, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (is_same_run(&report->rows[i], &report->rows[at]))
      return false;
  return true;
}

uint32_t emu_best_sizes(const EmuReport *report, EmuBestSize *best, uint32_t room) {
  uint32_t count = 0;
  for (uint32_t at = 0; report->sizes && at < report->row_count && count < room; at++) {
    const EmuRow *first = &report->rows[at];
    Size sizes[MOST_SIZES];
    uint32_t size_count = 0;
    if (!is_first(report, at))
      continue;
    for (uint32_t i = at; i < report->row_count; i++)
      if (is_same_run(&report->rows[i], first))
        add(sizes, &size_count, &report->rows[i]);
    best[count] = (EmuBestSize){.module = first->module,
                                .transform = first->transform,
                                .policy = emu_row_total(first).policy};
    count += choose(sizes, size_count, &best[count]);
  }
  return count;
}

void emu_best_sizes_print(const EmuReport *report, FILE *out) {
  EmuBestSize all[MOST];
  uint32_t count = emu_best_sizes(report, all, MOST);
  for (uint32_t i = 0; i < count; i++) {
    const EmuBestSize *b = &all[i];
    if (b->module && strcmp(b->module, report->module) != 0)
      fprintf(out, "%s: ", b->module);
    if (b->transform)
      fprintf(out, "%s: ", b->transform);
    fprintf(out, "best subgroup size under %s: %" PRIu32 ", %" PRIu64 " lane slots", b->policy,
            b->size, b->slots);
    if (b->slots == b->worst_slots)
      fputs("; the others take as many\n", out);
    else
      fprintf(out, "; %" PRIu32 " takes %.1f %% more\n", b->worst_size,
              100.0 * (double)(b->worst_slots - b->slots) / (double)b->slots);
  }
}

json_t *emu_best_sizes_array(const EmuReport *report) {
  EmuBestSize all[MOST];
  uint32_t count = emu_best_sizes(report, all, MOST);
  json_t *array = report->sizes ? json_array() : NULL;
  for (uint32_t i = 0; array && i < count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "module",
                        tool_json_text(all[i].module ? all[i].module : report->module));
    if (all[i].transform)
      json_object_set_new(o, "transform", tool_json_text(all[i].transform));
    json_object_set_new(o, "policy", json_string(all[i].policy));
    json_object_set_new(o, "subgroup_size", json_integer(all[i].size));
    json_object_set_new(o, "lane_slots", json_integer((json_int_t)all[i].slots));
    json_array_append_new(array, o);
  }
  return array;
}
