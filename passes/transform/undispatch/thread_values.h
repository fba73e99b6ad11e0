/* SPDX-License-Identifier: Apache-2.0 */
/* thread_values: the values of phis at the end of a path, as ids at the end of the block where the
 * path begins. */
#ifndef SR_THREAD_VALUES_H
#define SR_THREAD_VALUES_H

#include "passes/transform/undispatch/thread_walk.h"

typedef struct SrThreadValues {
  const SrThreadGraph *t;
  const SrThreadPlan *plan;
  SrIdTable *at; /* by id of a phi: index in `value` */
  SR_VEC(uint32_t) value, taken;
} SrThreadValues;

/* Uses a free table of the module; sr_thread_values_end gives it back. */
SrThreadValues sr_thread_values_new(const SrThreadGraph *t, const SrThreadPlan *plan);
void sr_thread_values_end(SrThreadValues *p);

/* Follows a path. Time: the phis of its steps. */
void sr_thread_values_follow(SrThreadValues *p, const SrThreadPath *path);
/* The value of an id at the end of that path. */
static inline uint32_t sr_thread_values_get(const SrThreadValues *p, uint32_t id) {
  uint32_t i = sr_ids_get(p->at, id);
  return i == SR_NONE ? id : p->value.at[i];
}
/* The operand that the path gives to phi i (index in t->phi) of its target. */
uint32_t sr_thread_values_operand(const SrThreadValues *p, const SrThreadPath *path, uint32_t i);

#endif
