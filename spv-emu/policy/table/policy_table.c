/* SPDX-License-Identifier: Apache-2.0 */
/* policy_table: see policy_table.h. */
#include "spv-emu/policy/table/policy_table.h"

#include <string.h>

static const EmuPolicy *const policies[] = {
#define EMU_POLICY(name) &emu_policy_##name,
#include "spv-emu/policy/table/policies.def"
#undef EMU_POLICY
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
