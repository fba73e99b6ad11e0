/* SPDX-License-Identifier: Apache-2.0 */
/* scope: which values of a module may take another one's place. */
#ifndef EQUIV_SCOPE_H
#define EQUIV_SCOPE_H

#include "tests/equiv/gen/rng.h"

#include <stddef.h>

typedef struct Scope {
  const uint32_t *words;
  uint32_t bound;
  uint32_t *type;  /* by id of a value; 0: none */
  uint32_t *block; /* by id: the label of its block; 0: at module level */
  uint32_t *at;    /* by id: the word where its definition begins */
  uint32_t *entry; /* by label: that of the function's first block */
} Scope;

void scope_find(const uint32_t *words, size_t count, Scope *s);
void scope_free(Scope *s);

/* Another value of the type of `id`, which is a constant, a parameter, defined in the function's
 * first block, or in block `label` before word `use`; 0: there is none. */
uint32_t scope_other(const Scope *s, uint32_t id, uint32_t label, size_t use, Rng *rng);
/* Another constant of the type of `id`; 0: there is none, or `id` is not a constant. */
uint32_t scope_other_constant(const Scope *s, uint32_t id, Rng *rng);

#endif
