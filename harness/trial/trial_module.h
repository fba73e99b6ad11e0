/* SPDX-License-Identifier: Apache-2.0 */
/* trial_module: a module or shader without a case, read for the emulator. */
#ifndef HN_TRIAL_MODULE_H
#define HN_TRIAL_MODULE_H

#include "passes/tool/tool_source.h"
#include "spv-emu/cases/given_options.h"

enum { HN_TRIAL_SIZES = 6 };

typedef struct HnTrialModule {
  ToolInput words;       /* the binary */
  char *source;          /* the text that was compiled; NULL: a module was read */
  CompileStage stage;    /* stage of the source */
  spv_emu_stage run;     /* the stage that hn_trial_load takes: compute, unless set otherwise */
  bool known;            /* the words need no validation */
  bool tangles;          /* its runs can report tangles, as in spv_emu_load_options */
  const EmuGiven *given; /* entry point, constants and local size for hn_trial_load; NULL: none */
  spv_emu_program *loaded[HN_TRIAL_SIZES]; /* for the subgroup sizes of `sizes` */
  uint32_t sizes[HN_TRIAL_SIZES], loaded_count;
} HnTrialModule;

/* Reads, compiles or assembles the file, for the entry point of `given`, which the module keeps;
 * NULL: nothing is given. False: *message is one line, which the caller frees;
 * empty: it is on standard error already; NULL: out of memory. Free the module in any case. */
bool hn_trial_read(const ToolSource *source, const EmuGiven *given, const char *path,
                   HnTrialModule *module, char **message);
void hn_trial_module_free(HnTrialModule *module);

const uint32_t *hn_trial_words(const HnTrialModule *module, size_t *count);
/* The module, with shapes, for subgroups of this size; it is loaded once for each of at most
 * HN_TRIAL_SIZES sizes, and validated once. It belongs to the module. NULL: one line in
 * `message`. */
const spv_emu_program *hn_trial_load(HnTrialModule *module, uint32_t subgroup_size, char *message,
                                     size_t message_size);

#endif
