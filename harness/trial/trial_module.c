/* SPDX-License-Identifier: Apache-2.0 */
/* trial_module: see trial_module.h. */
#include "harness/trial/trial_module.h"

#include "spv-emu/cases/assemble.h"

#include <stdlib.h>
#include <string.h>

static bool fail(char **message, const char *text) {
  *message = strdup(text);
  return false;
}

bool hn_trial_read(const ToolSource *source, const char *path, HnTrialModule *m, char **message) {
  *m = (HnTrialModule){.stage = COMPILE_NO_STAGE};
  *message = NULL;
  if (!tool_read(path, &m->words))
    return fail(message, "");
  if (m->words.binary)
    return true;
  if (!tool_source_is(source, path))
    return emu_assemble(&m->words, message);
  m->source = strdup(m->words.bytes);
  if (!m->source)
    return false;
  return tool_source_compile(source, path, &m->words, &m->stage) || fail(message, "");
}

void hn_trial_module_free(HnTrialModule *m) {
  free(m->words.bytes);
  free(m->source);
  *m = (HnTrialModule){.stage = COMPILE_NO_STAGE};
}

const uint32_t *hn_trial_words(const HnTrialModule *m, size_t *count) {
  *count = m->words.count / sizeof(uint32_t);
  return (const uint32_t *)(const void *)m->words.bytes;
}

bool hn_trial_load(const HnTrialModule *m, uint32_t subgroup_size, spv_emu_program **program,
                   char *message, size_t message_size) {
  size_t count;
  const uint32_t *words = hn_trial_words(m, &count);
  const spv_emu_load_options options = {
      .stage = m->run, .subgroup_size = subgroup_size, .shapes = true};
  return spv_emu_load(words, count, &options, program, message, message_size) == SPV_EMU_OK;
}
