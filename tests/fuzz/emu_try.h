/* SPDX-License-Identifier: Apache-2.0 */
/* emu_try: an arbitrary module in the emulator: loading gives a program or a one-line error; a
 * program runs under every policy to a result, or a one-line error. A vertex, geometry or
 * fragment shader draws (emu_scene.h), with stock modules (stock.h) for stages that the module
 * lacks; sometimes with a heat map, whose sum must be that of the lanes. */
#ifndef FUZZ_EMU_TRY_H
#define FUZZ_EMU_TRY_H

#include "tests/equiv/gen/rng.h"

#include <spv-emu/spv_emu.h>

enum { TRY_OUTCOMES = SPV_EMU_LIVELOCK + 1 };

typedef struct EmuTry {
  /* Called when a property fails. */
  void (*fail)(void *user, const char *policy, const char *what, const char *message);
  void *user;
  bool annotate; /* also request listings */
  uint64_t taken, refused, draws, runs, by_outcome[TRY_OUTCOMES];
} EmuTry;

/* Sizes, costs and contents are drawn from `rng`. */
void emu_try(EmuTry *t, Rng *rng, const uint32_t *words, size_t count);

#endif
