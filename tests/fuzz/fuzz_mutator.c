/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_mutator: libFuzzer's custom mutator for targets whose input is a module: it changes whole
 * instructions and graphs, so that the reader accepts most inputs, and the validator many. */
#include "tests/equiv/gen/emit.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/mutate_flow.h"
#include "tests/fuzz/mutate_graph.h"
#include "tests/fuzz/mutate_valid.h"

#include "tests/fuzz/fuzz.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { HEADER_WORDS = 5 };

/* Is it a header followed by whole instructions up to the end? */
static bool is_whole(const uint32_t *words, size_t count) {
  size_t at = HEADER_WORDS;
  while (at < count && words[at] >> 16 && words[at] >> 16 <= count - at)
    at += words[at] >> 16;
  return count > HEADER_WORDS && at == count && words[3] && words[3] <= count;
}

/* The next three functions return words from malloc, or NULL. */
static uint32_t *damaged(Rng *rng, const uint32_t *words, size_t count, size_t *out_count) {
  uint32_t *out = emit_resize(NULL, (2 * count + 64) * sizeof *out);
  *out_count = mutate(rng, words, count, out);
  return out;
}

static uint32_t *changed(Rng *rng, const uint32_t *words, size_t count, size_t *out_count) {
  uint32_t *out = emit_resize(NULL, count * sizeof *out);
  memcpy(out, words, count * sizeof *out);
  *out_count = count;
  if (rng_percent(rng, 70))
    mutate_valid(rng, out, count);
  else
    mutate_flow(out, count, rng_next(rng));
  return out;
}

static uint32_t *mangled(Rng *rng, const uint32_t *words, size_t count, size_t *out_count) {
  char list[64];
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  snprintf(list, sizeof list, "unstructure:%u", rng_below(rng, 1000000));
  options.transform = list;
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  uint32_t *out = NULL;
  if (spvreconv_run(&options, words, count, &result) == SPVRECONV_OK) {
    const uint32_t *made = spvreconv_result_words(result, out_count);
    out = emit_resize(NULL, *out_count * sizeof *out);
    memcpy(out, made, *out_count * sizeof *out);
  }
  spvreconv_result_destroy(result);
  return out;
}

static uint32_t *mutant(Rng *rng, const uint32_t *words, size_t count, size_t *out_count) {
  uint32_t *out, kind = rng_below(rng, 100);
  if (kind < 15)
    return damaged(rng, words, count, out_count);
  if (!is_whole(words, count))
    return NULL;
  if (kind < 45)
    return changed(rng, words, count, out_count);
  if (kind < 55)
    return mangled(rng, words, count, out_count);
  mutate_graph(rng, words, count, &out, out_count);
  return out;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  Rng rng = {rng_mix(seed)};
  size_t count, out_count = 0;
  if (size < 4 * (HEADER_WORDS + 1) || rng_percent(&rng, 5))
    return LLVMFuzzerMutate(data, size, max_size);
  uint32_t *words = fuzz_words(data, size, &count);
  uint32_t *out = mutant(&rng, words, count, &out_count);
  free(words);
  if (!out || 4 * out_count > max_size || out_count == 0) {
    free(out);
    return LLVMFuzzerMutate(data, size, max_size);
  }
  if (out_count > FUZZ_GENERATOR && rng_percent(&rng, 40))
    out[FUZZ_GENERATOR] = (uint32_t)rng_next(&rng);
  memcpy(data, out, 4 * out_count);
  free(out);
  return 4 * out_count;
}
