/* SPDX-License-Identifier: Apache-2.0 */
/* cli_cost: see cli_cost.h. */
#include "spv-emu/cli/cli_cost.h"

#include "passes/names/name_list.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE = 256, ITEM = 4096 };

static bool read_file(const char *path, spv_emu_cost *cost) {
  char message[MESSAGE];
  const char *slash = strrchr(path, '/');
  ToolInput in;
  if (!tool_read(path, &in))
    return false;
  snprintf(cost->name, sizeof cost->name, "%.*s", (int)sizeof cost->name - 1,
           slash ? slash + 1 : path);
  bool good = spv_emu_cost_parse(in.bytes, in.count, cost, message, sizeof message);
  if (!good)
    tool_say(path, "%s", message);
  free(in.bytes);
  return good;
}

static bool refuse_model(const char *text) {
  SrNameList list = {0};
  const char *name, *purpose;
  for (uint32_t i = 0; (name = spv_emu_cost_model(i, &purpose)); i++)
    sr_name_list_add(&list, name);
  return tool_wrong("--cost: there is neither a model nor a file '%s'; models are %s", text,
                    list.text);
}

static bool read_model(const char *name, spv_emu_cost *cost, int *code) {
  if (spv_emu_cost_find(name, cost))
    return true;
  if (access(name, F_OK) != 0)
    return refuse_model(name);
  *code = EXIT_FAILURE;
  return read_file(name, cost);
}

static bool read_key(char *item, spv_emu_cost *cost) {
  char message[MESSAGE], *value = strchr(item, '=');
  if (!value)
    return tool_wrong("--cost expects NAME|FILE,KEY=VALUE,...; '%s' is not KEY=VALUE", item);
  *value++ = 0;
  return spv_emu_cost_set(cost, item, value, message, sizeof message) ||
         tool_wrong("--cost: %s", message);
}

bool emu_cli_cost(const char *text, spv_emu_cost *cost, int *code) {
  const char *purpose;
  *code = TOOL_USAGE;
  spv_emu_cost_find(spv_emu_cost_model(0, &purpose), cost);
  for (const char *p = text; p;) {
    char item[ITEM];
    size_t length = strcspn(p, ",");
    if (!length || length >= sizeof item)
      return tool_wrong("--cost expects NAME|FILE,KEY=VALUE,..., not '%s'", text);
    snprintf(item, sizeof item, "%.*s", (int)length, p);
    bool model = p == text && !strchr(item, '=');
    if (model ? !read_model(item, cost, code) : !read_key(item, cost))
      return false;
    *code = TOOL_USAGE;
    p = p[length] ? p + length + 1 : NULL;
  }
  return true;
}

void emu_cli_print_costs(void) {
  const char *name, *purpose;
  for (uint32_t i = 0; (name = spv_emu_cost_model(i, &purpose)); i++)
    printf("  %-12s %s\n", name, purpose);
}
