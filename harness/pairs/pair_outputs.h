/* SPDX-License-Identifier: Apache-2.0 */
/* pair_outputs: do two modules compute the same? */
#ifndef HN_PAIR_OUTPUTS_H
#define HN_PAIR_OUTPUTS_H

#include "harness/pairs/pairs.h"
#include "harness/trial/trial.h"
#include "spv-emu/cases/contents.h"

typedef struct HnPairModule {
  HnTrialModule module;
  const spv_emu_program *program; /* the module's */
  EmuContents contents;
  uint8_t **after; /* by buffer of the contents; NULL: it did not run */
} HnPairModule;

/* Copies the contents of the buffers after the run. */
void hn_pair_keep_outputs(HnPairModule *module, const EmuRow *row);
/* Compares all buffers that either module may write, number by number; both have run. Where they
 * differ, trials of the old module distinguish numbers that depend on the device from wrong ones.
 * *races: they differ because workgroups of the old module race. */
void hn_pair_compare_outputs(const HnPairsOptions *options, HnPairModule modules[2], HnPair *pair,
                             bool *races);
/* Frees the contents. */
void hn_pair_drop_contents(HnPairModule *module);
void hn_pair_module_free(HnPairModule *module);

#endif
