/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_emu: the emulator: decode, and run under every policy, within limits. */
#include "tests/fuzz/emu_try.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void fail(void *user, const char *policy, const char *what, const char *message) {
  (void)user;
  fuzz_die("%s: %s: %s", policy, what, message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t count;
  uint32_t *words = fuzz_words(data, size, &count);
  if (count > FUZZ_GENERATOR) {
    Rng rng = {rng_mix(words[FUZZ_GENERATOR])};
    EmuTry try = {.fail = fail, .annotate = rng_percent(&rng, 10)};
    emu_try(&try, &rng, words, count);
  }
  free(words);
  return 0;
}
