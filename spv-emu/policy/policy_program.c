/* SPDX-License-Identifier: Apache-2.0 */
/* policy_program: see policy_program.h. */
#include "spv-emu/policy/policy_program.h"

#include <assert.h>
#include <string.h>

SrStatus emu_policy_option_check(SrArena *arena, SrDiag *diag, const EmuPolicyOption *option,
                                 const char *value) {
  if (!value || !option->values)
    return SR_OK;
  SrText text = {.arena = arena};
  for (uint32_t i = 0; option->values[i]; i++) {
    if (strcmp(option->values[i], value) == 0)
      return SR_OK;
    sr_text_add(&text, "%s%s", i ? ", " : "", option->values[i]);
  }
  return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "unknown %s '%.60s'; there are: %s", option->what,
                 value, sr_text_end(&text));
}

uint32_t emu_policy_choice(const EmuPolicyOption *option, const char *value, uint32_t other) {
  if (!value)
    return other;
  uint32_t i = 0;
  while (option->values[i] && strcmp(option->values[i], value) != 0)
    i++;
  assert(option->values[i]);
  return i;
}
