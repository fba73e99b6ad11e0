/* SPDX-License-Identifier: Apache-2.0 */
/* thread_path: the values of phis at the end of a path, as ids at the end of the block where the
 * path begins. */
#ifndef SR_THREAD_PATH_H
#define SR_THREAD_PATH_H

#include "passes/transform/undispatch/thread_walk.h"

typedef struct SrThreadPath {
  const SrThreadGraph *t;
  const SrThreadPlan *plan;
  SrIdTable *at; /* by id of a phi: index in `value` */
  SR_VEC(uint32_t) value, taken;
} SrThreadPath;

/* Uses a free table of the module; sr_thread_path_end gives it back. */
SrThreadPath sr_thread_path_new(const SrThreadGraph *t, const SrThreadPlan *plan);
void sr_thread_path_end(SrThreadPath *p);

/* Follows a path. Time: the phis of its steps. */
void sr_thread_path_follow(SrThreadPath *p, const SrThreadWay *way);
/* The value of an id at the end of that path. */
static inline uint32_t sr_thread_path_value(const SrThreadPath *p, uint32_t id) {
  uint32_t i = sr_ids_get(p->at, id);
  return i == SR_NONE ? id : p->value.at[i];
}
/* The operand that the path gives to phi i (index in t->phi) of its target. */
uint32_t sr_thread_path_operand(const SrThreadPath *p, const SrThreadWay *way, uint32_t i);

#endif
