/* SPDX-License-Identifier: Apache-2.0 */
/* mutate: damages SPIR-V modules like corrupt files and fuzzers do. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "tests/equiv/gen/rng.h"

#include <stddef.h>

/* Up to a few random kinds of damage to a copy of `words`, written to *out (room for 2 * count + 64
 * words); returns its length in words. The same state of `rng` gives the same damage. */
size_t mutate(Rng *rng, const uint32_t *words, size_t count, uint32_t *out);

#endif
