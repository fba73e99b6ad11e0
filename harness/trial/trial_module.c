/* SPDX-License-Identifier: Apache-2.0 */
/* trial_module: see trial_module.h. */
#include "harness/trial/trial_module.h"

#include "spv-emu/cases/assemble.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool fail(char **message, const char *text) {
  *message = strdup(text);
  return false;
}

bool hn_trial_read(const ToolSource *source, const EmuGiven *given, const char *path,
                   HnTrialModule *m, char **message) {
  ToolSource how = *source;
  how.entry = given ? given->entry : NULL;
  *m = (HnTrialModule){.stage = COMPILE_NO_STAGE, .given = given};
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
  return tool_source_compile(&how, path, &m->words, &m->stage) || fail(message, "");
}

void hn_trial_module_free(HnTrialModule *m) {
  free(m->words.bytes);
  free(m->source);
  for (uint32_t i = 0; i < m->loaded_count; i++)
    spv_emu_free(m->loaded[i]);
  *m = (HnTrialModule){.stage = COMPILE_NO_STAGE};
}

const uint32_t *hn_trial_words(const HnTrialModule *m, size_t *count) {
  *count = m->words.count / sizeof(uint32_t);
  return (const uint32_t *)(const void *)m->words.bytes;
}

const spv_emu_program *hn_trial_load(HnTrialModule *m, uint32_t subgroup_size, char *message,
                                     size_t message_size) {
  size_t count;
  const uint32_t *words = hn_trial_words(m, &count);
  for (uint32_t i = 0; i < m->loaded_count; i++)
    if (m->sizes[i] == subgroup_size)
      return m->loaded[i];
  assert(m->loaded_count < HN_TRIAL_SIZES);
  spv_emu_load_options options = {.stage = m->run,
                                  .subgroup_size = subgroup_size,
                                  .known = m->known || m->loaded_count > 0,
                                  .tangles = m->tangles,
                                  .shapes = true};
  if (m->given) {
    options.entry = m->given->entry;
    options.specs = m->given->specs;
    options.spec_count = m->given->spec_count;
    memcpy(options.local_size, m->given->local_size, sizeof options.local_size);
  }
  spv_emu_program **program = &m->loaded[m->loaded_count];
  if (spv_emu_load(words, count, &options, program, message, message_size) != SPV_EMU_OK)
    return NULL;
  m->sizes[m->loaded_count++] = subgroup_size;
  return *program;
}
