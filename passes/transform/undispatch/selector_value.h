/* SPDX-License-Identifier: Apache-2.0 */
/* selector_value: evaluates the integers and booleans that steer lanes.
 *
 * A value is *known* if it follows from constants and from what is assumed at this point. A select
 * of constants is not known, but would be if its condition were: that condition is the value's
 * *fork*. Only operations that --check also computes are folded (passes/walk/walk_kind.c). */
#ifndef SR_SELECTOR_VALUE_H
#define SR_SELECTOR_VALUE_H

#include "passes/ir/id_table.h"

typedef struct SrSelectorValue {
  uint32_t id;   /* the id that holds it; 0: none does */
  bool known;    /* `bits` is the value */
  uint64_t bits; /* zero-extended from the width of its type; 0 or 1 for a boolean */
  uint32_t fork; /* if the value is not known: the id of the condition that would decide it, or 0 */
} SrSelectorValue;

/* Values by id: those of a path, or assumptions. */
typedef struct SrSelectorValues {
  SrArena *arena;
  SrIdTable *at; /* by id: index in `value` */
  SR_VEC(SrSelectorValue) value;
} SrSelectorValues;

/* Is it an instruction that is folded: one of scalar integers or booleans, without effects? */
bool sr_selector_is_computed(const SrModule *m, SrRef r);

/* The value of an id at a place where it is available, given the assumptions. Looks a few
 * operations deep. */
SrSelectorValue sr_selector_value(const SrModule *m, const SrSelectorValues *assumed, uint32_t id);
/* The result of an instruction that is computed. Its operands are looked up in `path` first. */
SrSelectorValue sr_selector_compute(const SrModule *m, const SrSelectorValues *path,
                                    const SrSelectorValues *assumed, SrRef r);

void sr_selector_clear(SrSelectorValues *values);
void sr_selector_set(SrSelectorValues *values, uint32_t id, SrSelectorValue value);
/* The value set for the id, or NULL. */
static inline const SrSelectorValue *sr_selector_get(const SrSelectorValues *values, uint32_t id) {
  uint32_t i = sr_ids_get(values->at, id);
  return i == SR_NONE ? NULL : &values->value.at[i];
}

#endif
