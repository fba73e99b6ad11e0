/* SPDX-License-Identifier: Apache-2.0 */
/* fit_policies: see fit_policies.h. */
#include "harness/fit/fit_policies.h"

#include "passes/names/name_list.h"
#include "passes/tool/tool_usage.h"

#include <string.h>

/* The policies with options other than the defaults. */
#define PLACED(name)                                                                               \
  { "--barrier-placement", name }
#define SCHEDULED(name)                                                                            \
  { "--barrier-scheduling", name }

static const FtPolicy others[] = {
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

uint32_t ft_policies(FtPolicy policies[FT_POLICIES]) {
  const char *name, *purpose;
  uint32_t count = 0;
  for (uint32_t i = 0; (name = spv_emu_policy(i, &purpose)); i++) {
    if (strcmp(name, "opt") == 0 || strcmp(name, "scalar") == 0)
      continue;
    policies[count++] = (FtPolicy){
        .name = name, .policy = name, .transform = strcmp(name, "exec") ? NULL : "reconverge"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      if (strcmp(others[k].policy, name) == 0)
        policies[count++] = others[k];
  }
  return count;
}

const FtPolicy *ft_policy_find(const FtPolicy *policies, uint32_t count, const char *name) {
  SrNameList list = {.wanted = name, .length = strlen(name)};
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(policies[i].name, name) == 0)
      return &policies[i];
    sr_name_list_add(&list, policies[i].name);
  }
  tool_wrong("unknown policy '%s'%s%s; there are %s", name, list.near ? ", nearest: " : "",
             list.near ? list.near : "", list.text);
  return NULL;
}
