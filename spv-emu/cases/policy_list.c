/* SPDX-License-Identifier: Apache-2.0 */
/* policy_list: see policy_list.h. */
#include "spv-emu/cases/policy_list.h"

#include "passes/names/name_list.h"
#include "passes/tool/tool_usage.h"

#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The policies that the emulator lists, then `opt` unless it is among them. NULL past the last
 * one. */
static const char *known(uint32_t index, const char **purpose) {
  const char *name = NULL;
  bool opt = false;
  for (uint32_t i = 0; i <= index; i++) {
    name = spv_emu_policy(i, purpose);
    if (!name) {
      *purpose = "the fewest issues possible for the lanes' paths";
      return i == index && !opt ? "opt" : NULL;
    }
    opt = opt || strcmp(name, "opt") == 0;
  }
  return name;
}

static const char *find(const char *name, size_t length) {
  const char *at, *purpose;
  for (uint32_t i = 0; (at = known(i, &purpose)); i++)
    if (strlen(at) == length && memcmp(at, name, length) == 0)
      return at;
  return NULL;
}

/* "unknown policy 'pdm', nearest: pdom; there are scalar, none, ..." */
static bool refuse_policy(const char *name, size_t length) {
  SrNameList list = {.wanted = name, .length = length};
  const char *at, *purpose;
  for (uint32_t i = 0; (at = known(i, &purpose)); i++)
    sr_name_list_add(&list, at);
  return tool_wrong("unknown policy '%.*s'%s%s; there are %s, and all", (int)length, name,
                    list.near ? ", nearest: " : "", list.near ? list.near : "", list.text);
}

static bool is_listed(const char *const *policies, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (policies[i] == name)
      return true;
  return false;
}

static uint32_t known_count(void) {
  const char *purpose;
  uint32_t count = 0;
  while (known(count, &purpose))
    count++;
  return count;
}

static bool read_list(const char *list, const char **policies, uint32_t *count) {
  for (const char *p = list;; p++) {
    size_t length = strcspn(p, ",");
    const char *name = find(p, length);
    if (!name)
      return refuse_policy(p, length);
    if (is_listed(policies, *count, name))
      return tool_wrong("--policy names %s twice", name);
    policies[(*count)++] = name;
    p += length;
    if (!*p)
      return true;
  }
}

bool emu_policy_list(const char *list, const char ***policies, uint32_t *count) {
  const char *purpose;
  uint32_t most = known_count();
  free(*policies);
  *policies = calloc(most + 1u, sizeof **policies);
  *count = 0;
  if (!*policies)
    return tool_wrong("out of memory");
  if (strcmp(list, "all") != 0)
    return read_list(list, *policies, count);
  for (; *count < most; ++*count)
    (*policies)[*count] = known(*count, &purpose);
  return true;
}

void emu_policy_list_print(void) {
  const char *name, *purpose;
  for (uint32_t i = 0; (name = known(i, &purpose)); i++)
    printf("  %-12s %s\n", name, purpose);
}
