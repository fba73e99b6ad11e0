/* SPDX-License-Identifier: Apache-2.0 */
/* cli_sweep: see cli_sweep.h. */
#include "spv-emu/cli/cli_sweep.h"

#include "passes/tool/tool_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 24 };

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_number(const char *text, size_t length, uint64_t *number) {
  char digits[DIGITS];
  if (length >= sizeof digits)
    return false;
  snprintf(digits, sizeof digits, "%.*s", (int)length, text);
  return tool_number(digits, 0, UINT64_MAX, number);
}

/* N, or FIRST..LAST. */
static bool read_item(const char *text, size_t length, uint64_t *first, uint64_t *last) {
  const char *dots = memmem(text, length, "..", 2);
  size_t before = dots ? (size_t)(dots - text) : length;
  if (!read_number(text, before, first))
    return false;
  *last = *first;
  return !dots || (read_number(dots + 2, length - before - 2, last) && *first <= *last);
}

/* Reads a list into sweep->values, which has room for EMU_SWEEP_MOST. *many: it is longer. */
static bool read_values(const char *text, EmuSweep *sweep, bool *many) {
  for (const char *p = text;; p++) {
    uint64_t first, last;
    size_t length = strcspn(p, ",");
    if (!read_item(p, length, &first, &last))
      return false;
    *many = last - first >= EMU_SWEEP_MOST - sweep->count;
    if (*many)
      return true;
    for (uint64_t value = first; value <= last && value >= first; value++)
      sweep->values[sweep->count++] = value;
    p += length;
    if (!*p)
      return true;
  }
}

/* ---- options --------------------------------------------------------------------------------- */

/* Is it a number of the cost model? If so, it can be set to 1. */
static bool is_cost_key(const char *name) {
  spv_emu_cost cost = {0};
  char message[128];
  const char *purpose;
  return spv_emu_cost_find(spv_emu_cost_model(0, &purpose), &cost) && strcmp(name, "miss") != 0 &&
         spv_emu_cost_set(&cost, name, "1", message, sizeof message);
}

/* The next sweep, or NULL. */
static EmuSweep *add(EmuSweeps *sweeps, EmuSweepKind kind, const char *name, size_t length) {
  for (uint32_t i = 0; i < sweeps->count; i++)
    if ((sweeps->at[i].kind == EMU_SWEEP_SEED) == (kind == EMU_SWEEP_SEED) &&
        strlen(sweeps->at[i].name) == length && memcmp(sweeps->at[i].name, name, length) == 0) {
      tool_wrong("%s is swept twice", sweeps->at[i].name);
      return NULL;
    }
  if (sweeps->count == EMU_ROW_VALUES) {
    tool_wrong("%d sweeps at most, --seed with several values included", EMU_ROW_VALUES);
    return NULL;
  }
  EmuSweep *sweep = &sweeps->at[sweeps->count];
  *sweep = (EmuSweep){.kind = kind, .values = calloc(EMU_SWEEP_MOST, sizeof *sweep->values)};
  if (!sweep->values) {
    tool_wrong("out of memory");
    return NULL;
  }
  sweeps->count++;
  snprintf(sweep->name, sizeof sweep->name, "%.*s", (int)length, name);
  return sweep;
}

bool emu_cli_sweep(EmuSweeps *sweeps, const char *text) {
  const char *colon = strrchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : 0;
  bool named = length && length < EMU_SWEEP_NAME, many = false;
  EmuSweep *sweep = named ? add(sweeps, EMU_SWEEP_CONSTANT, text, length) : NULL;
  if (named && !sweep)
    return false;
  if (!named || !read_values(colon + 1, sweep, &many))
    return tool_wrong("--sweep expects NAME:FIRST..LAST or NAME:VALUE,VALUE,..., not '%s'", text);
  if (many)
    return tool_wrong("--sweep takes %d values at most", EMU_SWEEP_MOST);
  if (is_cost_key(sweep->name))
    sweep->kind = EMU_SWEEP_COST;
  snprintf(sweep->column, sizeof sweep->column, "%s%s",
           sweep->kind == EMU_SWEEP_COST ? "cost_" : "", sweep->name);
  return true;
}

bool emu_cli_sweep_seeds(EmuSweeps *sweeps, const char *text) {
  bool many = false;
  EmuSweep *sweep = add(sweeps, EMU_SWEEP_SEED, "seed", 4);
  if (!sweep)
    return false;
  if (!read_values(text, sweep, &many))
    return tool_wrong(
        "--seed expects a number, FIRST..LAST or a list of numbers as seeds, not '%s'", text);
  if (many)
    return tool_wrong("--seed takes %d seeds at most", EMU_SWEEP_MOST);
  snprintf(sweep->column, sizeof sweep->column, "seed");
  return true;
}

bool emu_cli_sweep_check(const EmuSweeps *sweeps) {
  uint64_t points = 1;
  for (uint32_t i = 0; i < sweeps->count; i++)
    points *= sweeps->at[i].count;
  return points <= EMU_SWEEP_MOST || tool_wrong("the sweeps have %llu runs together; %d at most",
                                                (unsigned long long)points, EMU_SWEEP_MOST);
}

void emu_cli_sweep_free(EmuSweeps *sweeps) {
  for (uint32_t i = 0; i < sweeps->count; i++)
    free(sweeps->at[i].values);
  *sweeps = (EmuSweeps){0};
}

/* ---- points ---------------------------------------------------------------------------------- */

bool emu_sweeps_cost(const EmuSweeps *sweeps) {
  for (uint32_t i = 0; i < sweeps->count; i++)
    if (sweeps->at[i].kind == EMU_SWEEP_COST)
      return true;
  return false;
}

uint32_t emu_sweeps_points(const EmuSweeps *sweeps) {
  uint32_t points = 1;
  for (uint32_t i = 0; i < sweeps->count; i++)
    points *= sweeps->at[i].count;
  return points;
}

void emu_sweeps_point(const EmuSweeps *sweeps, uint32_t point, uint64_t values[EMU_ROW_VALUES]) {
  for (uint32_t i = sweeps->count; i-- > 0; point /= sweeps->at[i].count)
    values[i] = sweeps->at[i].values[point % sweeps->at[i].count];
}
