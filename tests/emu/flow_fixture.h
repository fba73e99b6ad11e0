/* SPDX-License-Identifier: Apache-2.0 */
/* flow_fixture: an arena for one test on graphs; if memory runs out, the test fails. */
#ifndef FLOW_FIXTURE_H
#define FLOW_FIXTURE_H

#include "passes/base/arena.h"
#include "tests/unit/unit.h"

typedef struct Fixture {
  SrHeap heap;
  SrArena arena;
} Fixture;

static inline SrArena *set_up(Fixture *f) {
  *f = (Fixture){0};
  sr_heap_init(&f->heap);
  f->arena = sr_arena_new(&f->heap);
  if (setjmp(f->heap.out_of_memory))
    fail_msg("out of memory");
  return &f->arena;
}

static inline void tear_down(Fixture *f) {
  sr_arena_free(&f->arena);
}

#endif
