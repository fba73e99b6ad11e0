/* SPDX-License-Identifier: Apache-2.0 */
/* seeds: the modules that mutation tests start from. */
#ifndef FUZZ_SEEDS_H
#define FUZZ_SEEDS_H

#include "tests/equiv/gen/emit.h"

#include <stdbool.h>

typedef struct Seeds {
  EmitWords *module;
  size_t count;
} Seeds;

/* Adds small modules of every family of the generator. */
void seeds_add_generated(Seeds *s, uint32_t count, bool ballots);
/* Takes a binary module as it is; assembles anything else. False: it cannot be read. */
bool seeds_add_file(Seeds *s, const char *path);
void seeds_free(Seeds *s);

#endif
