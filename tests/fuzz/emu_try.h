/* emu_try: a module, whatever it is, in the emulator: the answer is a program or one line that says
 * what is wrong with it; and what is taken runs under every policy to a result, or one line. */
#ifndef FUZZ_EMU_TRY_H
#define FUZZ_EMU_TRY_H

#include "rng.h"

#include <spv-emu/spv_emu.h>

enum { TRY_OUTCOMES = SPV_EMU_FAULT + 1 };

typedef struct EmuTry {
  /* Something does not hold. */
  void (*fail)(void *user, const char *policy, const char *what, const char *message);
  void *user;
  bool annotate; /* ask for listings, too */
  uint64_t taken, refused, runs, by_outcome[TRY_OUTCOMES];
} EmuTry;

/* Sizes, costs and contents are drawn from `rng`. */
void emu_try(EmuTry *t, Rng *rng, const uint32_t *words, size_t count);

#endif
