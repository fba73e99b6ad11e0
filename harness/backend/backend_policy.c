/* SPDX-License-Identifier: Apache-2.0 */
/* backend_policy: see backend_policy.h. */
#include "harness/backend/backend_policy.h"

#include "passes/names/name_list.h"
#include "passes/tool/tool_usage.h"

#include <string.h>

/* The policies with options other than the defaults. */
#define PLACED(name)                                                                               \
  { "--barrier-placement", name }
#define SCHEDULED(name)                                                                            \
  { "--barrier-scheduling", name }

static const HnPolicy others[] = {
    {"dwf:minority", "dwf", {{"--dwf-order", "minority"}}, 1, NULL},
    {"dwf:time-stamp", "dwf", {{"--dwf-order", "time-stamp"}}, 1, NULL},
    {"dwf:pc", "dwf", {{"--dwf-order", "pc"}}, 1, NULL},
    {"barrier:round-robin", "barrier", {PLACED("nak"), SCHEDULED("round-robin")}, 2, NULL},
    {"barrier:oldest", "barrier", {PLACED("nak"), SCHEDULED("oldest")}, 2, NULL},
    {"barrier:ipdom", "barrier", {PLACED("ipdom"), SCHEDULED("lifo")}, 2, NULL},
    {"barrier:ipdom:round-robin", "barrier", {PLACED("ipdom"), SCHEDULED("round-robin")}, 2, NULL},
    {"barrier:ipdom:oldest", "barrier", {PLACED("ipdom"), SCHEDULED("oldest")}, 2, NULL},
    {"barrier:frontier", "barrier", {PLACED("frontier"), SCHEDULED("lifo")}, 2, NULL},
    {"barrier:frontier:round-robin",
     "barrier",
     {PLACED("frontier"), SCHEDULED("round-robin")},
     2,
     NULL},
    {"barrier:frontier:oldest", "barrier", {PLACED("frontier"), SCHEDULED("oldest")}, 2, NULL},
};

uint32_t hn_policies(HnPolicy policies[HN_POLICIES]) {
  const char *name, *purpose;
  uint32_t count = 0;
  for (uint32_t i = 0; (name = spv_emu_policy(i, &purpose)); i++) {
    if (strcmp(name, "opt") == 0)
      continue;
    policies[count++] = (HnPolicy){
        .name = name, .policy = name, .transform = strcmp(name, "exec") ? NULL : "reconverge"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      if (strcmp(others[k].policy, name) == 0)
        policies[count++] = others[k];
  }
  return count;
}

static const HnPolicy *find(const HnPolicy *all, uint32_t count, const char *name, size_t length) {
  for (uint32_t i = 0; i < count; i++)
    if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0)
      return &all[i];
  return NULL;
}

bool hn_policy_find(const char *name, HnPolicy *policy) {
  HnPolicy all[HN_POLICIES];
  const HnPolicy *found = find(all, hn_policies(all), name, strlen(name));
  if (found)
    *policy = *found;
  return found;
}

static bool refuse(const HnPolicy *all, uint32_t count, const char *name, size_t length) {
  SrNameList list = {.wanted = name, .length = length};
  for (uint32_t i = 0; i < count; i++)
    sr_name_list_add(&list, all[i].name);
  return tool_wrong("unknown policy '%.*s'%s%s; there are %s, and all", (int)length, name,
                    list.near ? ", nearest: " : "", list.near ? list.near : "", list.text);
}

bool hn_policy_list(const char *list, HnPolicy policies[HN_POLICIES], uint32_t *count) {
  HnPolicy all[HN_POLICIES];
  uint32_t known = hn_policies(all);
  *count = 0;
  for (const char *p = list;; p++) {
    size_t length = strcspn(p, ",");
    const HnPolicy *found = find(all, known, p, length);
    if (length == strlen("all") && memcmp(p, "all", length) == 0) {
      memcpy(policies, all, sizeof all);
      *count = known;
    } else if (!found) {
      return refuse(all, known, p, length);
    } else if (!find(policies, *count, p, length)) {
      policies[(*count)++] = *found;
    }
    p += length;
    if (!*p)
      return true;
  }
}
