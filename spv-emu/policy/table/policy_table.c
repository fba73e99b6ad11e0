/* SPDX-License-Identifier: Apache-2.0 */
/* policy_table: see policy_table.h. */
#include "spv-emu/policy/table/policy_table.h"

#include <string.h>

static const EmuPolicy *const policies[] = {
    &emu_policy_scalar,   &emu_policy_none,       &emu_policy_pdom,      &emu_policy_tf_stack,
    &emu_policy_tf_sandy, &emu_policy_structured, &emu_policy_maximal,   &emu_policy_ssy,
    &emu_policy_exec,     &emu_policy_minpc,      &emu_policy_stackless, &emu_policy_jip,
    &emu_policy_dwf,      &emu_policy_tbc,        &emu_policy_tbc_lcp,   &emu_policy_barrier,
};

const EmuPolicy *emu_policy_at(uint32_t index) {
  return index < sizeof policies / sizeof *policies ? policies[index] : NULL;
}

const EmuPolicy *emu_policy_find(const char *name) {
  for (uint32_t i = 0; emu_policy_at(i); i++)
    if (strcmp(policies[i]->name, name) == 0)
      return policies[i];
  return NULL;
}
