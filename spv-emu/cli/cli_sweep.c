/* SPDX-License-Identifier: Apache-2.0 */
/* cli_sweep: see cli_sweep.h. */
#include "spv-emu/cli/cli_sweep.h"

#include "passes/tool/tool_usage.h"

#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <string.h>

/* Is it a number of the cost model? If so, it can be set to 1. */
static bool is_cost_key(const char *name) {
  spv_emu_cost cost = {0};
  char message[128];
  const char *purpose;
  return spv_emu_cost_find(spv_emu_cost_model(0, &purpose), &cost) && strcmp(name, "miss") != 0 &&
         spv_emu_cost_set(&cost, name, "1", message, sizeof message);
}

static bool read_range(const char *text, EmuSweep *sweep) {
  char first[24];
  const char *dots = strstr(text, "..");
  size_t length = dots ? (size_t)(dots - text) : sizeof first;
  if (length >= sizeof first)
    return false;
  snprintf(first, sizeof first, "%.*s", (int)length, text);
  return tool_number(first, 0, UINT64_MAX, &sweep->first) &&
         tool_number(dots + 2, 0, UINT64_MAX, &sweep->last) && sweep->first <= sweep->last;
}

bool emu_cli_sweep(const char *text, EmuSweep *sweep) {
  const char *colon = strrchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : 0;
  if (!length || length >= sizeof sweep->name || !read_range(colon + 1, sweep))
    return tool_wrong("--sweep expects NAME:FIRST..LAST, not '%s'", text);
  if (sweep->last - sweep->first >= EMU_SWEEP_MOST)
    return tool_wrong("--sweep takes %d values at most", EMU_SWEEP_MOST);
  snprintf(sweep->name, sizeof sweep->name, "%.*s", (int)length, text);
  sweep->cost = is_cost_key(sweep->name);
  snprintf(sweep->column, sizeof sweep->column, "%s%s", sweep->cost ? "cost_" : "", sweep->name);
  return true;
}

uint32_t emu_sweep_count(const EmuSweep *sweep) {
  return sweep->name[0] ? (uint32_t)(sweep->last - sweep->first) + 1 : 1;
}
