/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_valid: changes SPIR-V modules in ways that often leave them valid, so that they pass the
 * validator and reach later code: numbers, sizes, and operands of equal types. */
#ifndef FUZZ_MUTATE_VALID_H
#define FUZZ_MUTATE_VALID_H

#include "tests/equiv/gen/rng.h"

#include <stddef.h>

/* Makes a few random changes to `words`, in place, or none. The module's instructions must be
 * whole. */
void mutate_valid(Rng *rng, uint32_t *words, size_t count);

#endif
