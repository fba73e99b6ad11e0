/* SPDX-License-Identifier: Apache-2.0 */
/* setup_hash: see setup_hash.h. */
#include "harness/run/setup_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool hash_program(XXH3_state_t *state) {
  char bytes[1 << 16];
  FILE *file = fopen("/proc/self/exe", "rb");
  for (size_t n; file && (n = fread(bytes, 1, sizeof bytes, file));)
    XXH3_64bits_update(state, bytes, n);
  return file && fclose(file) == 0;
}

/* Hashes what results are compared with, apart from each other. */
static void hash_against(XXH3_state_t *state, const HnRun *run) {
  for (size_t i = 0; i < run->against.count; i++)
    XXH3_64bits_update(state, run->against.at[i].info, strlen(run->against.at[i].info) + 1);
  if (run->against.count)
    XXH3_64bits_update(state, &run->ulps, sizeof run->ulps);
}

uint64_t *hn_setup_hashes(const HnRun *run) {
  const HnDevices *devices = &run->devices;
  uint64_t *hashes = calloc(devices->count, sizeof *hashes);
  XXH3_state_t *program = XXH3_createState(), *state = XXH3_createState();
  XXH3_64bits_reset(program);
  bool good = hashes && hash_program(program);
  for (size_t i = 0; good && i < devices->count; i++) {
    XXH3_copyState(state, program);
    XXH3_64bits_update(state, devices->at[i].info, strlen(devices->at[i].info) + 1);
    XXH3_64bits_update(state, &run->validation, sizeof run->validation);
    XXH3_64bits_update(state, &run->check, sizeof run->check);
    XXH3_64bits_update(state, &run->timeout, sizeof run->timeout);
    for (uint32_t v = 0; v < run->variant_count; v++)
      XXH3_64bits_update(state, run->variants[v], strlen(run->variants[v]) + 1);
    hash_against(state, run);
    if (run->retries)
      XXH3_64bits_update(state, &run->retries, sizeof run->retries);
    hashes[i] = XXH3_64bits_digest(state);
  }
  XXH3_freeState(program);
  XXH3_freeState(state);
  if (good)
    return hashes;
  free(hashes);
  return NULL;
}
