/* SPDX-License-Identifier: Apache-2.0 */
/* cli_profiled: see cli_profiled.h. */
#include "spv-emu/cli/cli_profiled.h"

#include "passes/tool/tool_file.h"
#include "passes/tool/tool_profile.h"

#include <stdlib.h>
#include <string.h>

/* ---- priorities ------------------------------------------------------------------------------ */

static bool copy_order(const ToolOrder *from, spv_emu_order *to) {
  spv_emu_place *places = calloc(from->count + 1u, sizeof *places);
  for (uint32_t i = 0; places && i < from->count; i++)
    places[i] = (spv_emu_place){.function = from->places[i].function,
                                .block = from->places[i].block,
                                .part = from->places[i].part};
  *to = (spv_emu_order){places, from->count};
  return places != NULL;
}

static bool keep_orders(const ToolProfile *profile, EmuProfiled *profiled) {
  profiled->orders = calloc(profile->count, sizeof *profiled->orders);
  bool good = profiled->orders != NULL;
  while (good && profiled->count < profile->count) {
    good = copy_order(&profile->orders[profiled->count], &profiled->orders[profiled->count]);
    profiled->count++;
  }
  return good;
}

/* ---- orders of transforms -------------------------------------------------------------------- */

static bool keep_texts(const ToolProfile *profile, EmuProfiled *profiled) {
  profiled->texts = calloc(profile->count, sizeof *profiled->texts);
  bool good = profiled->texts != NULL;
  while (good && profiled->text_count < profile->count) {
    char *text = tool_order_text(&profile->orders[profiled->text_count]);
    profiled->texts[profiled->text_count++] = text;
    good = text != NULL;
  }
  return good;
}

static bool keep_name(const char *order, EmuProfiled *profiled) {
  profiled->texts = calloc(1, sizeof *profiled->texts);
  if (profiled->texts)
    profiled->texts[profiled->text_count++] = strdup(order);
  return profiled->texts && profiled->texts[0];
}

/* ---- priorities and orders ------------------------------------------------------------------- */

static bool out_of_memory(const char *path) {
  tool_say(path, "out of memory");
  return false;
}

static bool read_profile(const char *path, EmuProfiled *profiled,
                         bool keep(const ToolProfile *, EmuProfiled *)) {
  ToolProfile profile;
  bool good =
      tool_profile_read(path, &profile) && (keep(&profile, profiled) || out_of_memory(path));
  tool_profile_free(&profile);
  return good;
}

bool emu_cli_profiled(EmuCli *cli, EmuProfiled *profiled) {
  const char *priority = tool_profile_file(cli->run.priority);
  const char *order = tool_profile_file(cli->order);
  *profiled = (EmuProfiled){0};
  cli->profiled = profiled;
  if (priority && !read_profile(priority, profiled, keep_orders))
    return false;
  cli->run.orders = profiled->orders;
  cli->run.order_count = profiled->count;
  if (order)
    return read_profile(order, profiled, keep_texts);
  return !cli->order || keep_name(cli->order, profiled) || out_of_memory(cli->input);
}

void emu_cli_profiled_free(EmuProfiled *profiled) {
  for (uint32_t i = 0; i < profiled->count; i++)
    free((void *)profiled->orders[i].places);
  for (uint32_t i = 0; i < profiled->text_count; i++)
    free((void *)profiled->texts[i]);
  free(profiled->orders);
  free(profiled->texts);
}
