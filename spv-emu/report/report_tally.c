/* SPDX-License-Identifier: Apache-2.0 */
/* report_tally: see report_tally.h. */
#include "spv-emu/report/report_tally.h"

#include <stdlib.h>

/* The chunk's sums, made if there are none. NULL: out of memory. */
static EmuTallySum *chunk_of(EmuTally *t, uint64_t chunk) {
  EmuTallySum *there = atomic_load(&t->chunks[chunk]);
  if (there)
    return there;
  EmuTallySum *made = calloc(EMU_TALLY_CHUNK, sizeof *made);
  if (!made || atomic_compare_exchange_strong(&t->chunks[chunk], &there, made))
    return made;
  free(made); /* another thread was first */
  return there;
}

bool emu_tally_add(EmuTally *t, uint64_t subgroup, uint64_t issues, uint64_t lanes) {
  uint64_t chunk = subgroup / EMU_TALLY_CHUNK;
  if (chunk >= EMU_TALLY_CHUNKS)
    return true;
  EmuTallySum *sums = chunk_of(t, chunk);
  if (!sums)
    return false;
  sums[subgroup % EMU_TALLY_CHUNK].issues += issues;
  sums[subgroup % EMU_TALLY_CHUNK].lanes += lanes;
  return true;
}

bool emu_tally_worst(const EmuTally *t, uint32_t lanes, uint64_t *worst) {
  uint64_t most = 0;
  for (uint64_t chunk = 0; chunk < EMU_TALLY_CHUNKS; chunk++) {
    const EmuTallySum *sums = atomic_load(&t->chunks[chunk]);
    for (uint64_t i = 0; sums && i < EMU_TALLY_CHUNK; i++) {
      uint64_t idle = sums[i].issues * lanes - sums[i].lanes;
      if (idle > most) {
        most = idle;
        *worst = chunk * EMU_TALLY_CHUNK + i;
      }
    }
  }
  return most > 0;
}

void emu_tally_free(EmuTally *t) {
  for (uint64_t chunk = 0; chunk < EMU_TALLY_CHUNKS; chunk++)
    free(atomic_load(&t->chunks[chunk]));
}
