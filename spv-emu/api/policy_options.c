/* SPDX-License-Identifier: Apache-2.0 */
/* policy_options: the options of all policies as one list. */
#include "spv-emu/policy/table/policy_table.h"

#include <spv-emu/spv_emu.h>

/* The policy's option number `index`; the last one writes its program. False: the policy has fewer
 * options. */
static bool option_of(const EmuPolicy *policy, uint32_t index, spv_emu_policy_option *option) {
  const EmuPolicyProgram *program = policy->program;
  uint32_t count = 0;
  for (; policy->options && policy->options[count].flag; count++) {
    bool listing = program && program->listing == count;
    if (count == index) {
      *option =
          (spv_emu_policy_option){.policy = policy->name,
                                  .flag = policy->options[count].flag,
                                  .help = policy->options[count].help,
                                  .kind = listing ? SPV_EMU_OPTION_LISTING : SPV_EMU_OPTION_NAME};
      return true;
    }
  }
  if (count != index || !program || !program->dump)
    return false;
  *option = (spv_emu_policy_option){.policy = policy->name,
                                    .flag = program->dump,
                                    .help = program->dump_help,
                                    .kind = SPV_EMU_OPTION_DUMP};
  return true;
}

bool spv_emu_policy_option_at(uint32_t index, spv_emu_policy_option *option) {
  for (uint32_t i = 0; emu_policy_at(i); i++)
    for (uint32_t k = 0; option_of(emu_policy_at(i), k, option); k++)
      if (index-- == 0)
        return true;
  return false;
}
