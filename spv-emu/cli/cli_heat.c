/* SPDX-License-Identifier: Apache-2.0 */
/* cli_heat: see cli_heat.h. */
#include "spv-emu/cli/cli_heat.h"

#include "spv-emu/cli/cli_module.h"

#include "passes/tool/tool_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENDING = 4 }; /* characters of ".png" and ".csv" */

static bool ends(const char *file, const char *ending) {
  size_t length = strlen(file);
  return length > ENDING && strcmp(file + length - ENDING, ending) == 0;
}

bool emu_cli_heat_file(const char *option, const char *text, const char **file) {
  *file = text;
  return ends(text, ".png") || ends(text, ".csv") ||
         tool_wrong("%s expects FILE.png or FILE.csv, not '%s'", option, text);
}

/* Of several policies "FILE-POLICY.png". */
static char *name_of(const char *file, const EmuRow *row, bool several) {
  int stem = (int)strlen(file) - ENDING;
  char *name;
  int size = several
                 ? asprintf(&name, "%.*s-%s%s", stem, file, emu_row_total(row).policy, file + stem)
                 : asprintf(&name, "%s", file);
  return size < 0 ? NULL : name;
}

static char *csv_text(const spv_emu_heat *heat, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out)
    return NULL;
  emu_heat_csv(heat, out);
  return fclose(out) == 0 ? text : NULL;
}

static char *png_bytes(const spv_emu_heat *heat, EmuHeatKind kind, uint64_t most, size_t *size) {
  uint8_t *rgb = emu_heat_rgb(heat, kind, most);
  uint8_t *png = rgb ? emu_picture_png(rgb, heat->width, heat->height, size) : NULL;
  free(rgb);
  return (char *)png;
}

static bool write_one(const char *name, const EmuRow *row, EmuHeatKind kind, uint64_t most) {
  size_t size = 0;
  char *bytes =
      ends(name, ".csv") ? csv_text(&row->heat, &size) : png_bytes(&row->heat, kind, most, &size);
  bool good = bytes ? tool_write(name, bytes, size) : emu_cli_module_say(name, "out of memory");
  free(bytes);
  return good;
}

static bool draws(const EmuRow *row) {
  for (uint32_t i = 0; i < row->part_count; i++)
    if (row->parts[i].result && row->parts[i].result->fragments)
      return true;
  return false;
}

static void say_scale(const char *name, const EmuRow *row, EmuHeatKind kind, uint64_t most) {
  tool_say(name, "black is 0, light yellow %" PRIu64 " %sissue%s %s", most,
           kind == EMU_HEAT_ISSUES ? "" : "lost ", most == 1 ? "" : "s",
           draws(row) ? "a pixel" : "an invocation");
}

static bool write_all(const EmuCli *cli, const char *file, EmuHeatKind kind, const EmuRow *rows,
                      uint32_t count) {
  uint64_t most = 0;
  uint32_t maps = 0;
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t own = emu_heat_most(&rows[i].heat, kind);
    most = own > most ? own : most;
    maps += rows[i].heat.width != 0;
  }
  if (!maps)
    return emu_cli_module_say(cli->input,
                              "no heat map: nothing ran under a policy that has a schedule");
  for (uint32_t i = 0; good && i < count; i++) {
    char *name = rows[i].heat.width ? name_of(file, &rows[i], count > 1) : NULL;
    if (rows[i].heat.width)
      good =
          name ? write_one(name, &rows[i], kind, most) : emu_cli_module_say(file, "out of memory");
    if (good && name && ends(file, ".png"))
      say_scale(name, &rows[i], kind, most);
    free(name);
  }
  return good;
}

bool emu_cli_heat_write(const EmuCli *cli, const EmuRow *rows, uint32_t count) {
  return (!cli->heat_map || write_all(cli, cli->heat_map, EMU_HEAT_ISSUES, rows, count)) &&
         (!cli->lost_map || write_all(cli, cli->lost_map, EMU_HEAT_LOST, rows, count));
}
