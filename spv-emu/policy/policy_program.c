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

uint32_t emu_policy_choice(const EmuPolicyOption *options, const EmuBlockTable *table,
                           uint32_t index, uint32_t other) {
  const char *value = emu_policy_value(table, index);
  const char *const *values = options[index].values;
  if (!value)
    return other;
  uint32_t i = 0;
  while (values[i] && strcmp(values[i], value) != 0)
    i++;
  assert(values[i]);
  return i;
}

const void *emu_policy_program(const EmuPolicyProgram *program, SrArena *arena,
                               const EmuBlockTable *table, const char **why) {
  const void *made = table->program;
  *why = table->no_program;
  if (made || *why)
    return made;
  SrStatus status = program->place(&(EmuPlacing){.arena = arena, .table = table}, &made, why);
  assert(status == SR_OK);
  (void)status;
  return made;
}
