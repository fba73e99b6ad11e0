/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cost: see stack_cost.h. */
#include "spv-emu/cost/stack_cost.h"

#include "spv-emu/cost/timeline.h"

#include <assert.h>

static void pay(EmuStackCost *c, uint64_t *side, uint64_t cycles) {
  *side += cycles;
  if (c->clock)
    c->clock->stack += cycles;
  if (c->waits && cycles)
    emu_timeline_wait(c->waits, cycles);
}

static uint64_t at_most(uint64_t count, uint64_t most) {
  return count < most ? count : most;
}

/* Entries that leave the chip together. */
static uint64_t chunk_of(const spv_emu_cost *m) {
  return at_most(m->chunk, m->entries);
}

static void pushed(EmuStackLog *log, uint32_t entries) {
  EmuStackCost *c = (EmuStackCost *)log;
  const spv_emu_cost *m = c->model;
  for (; entries; entries--) {
    if (m->entries && c->on_chip == m->entries) {
      c->on_chip -= chunk_of(m);
      c->below += chunk_of(m);
      c->spills++;
      pay(c, &c->branch, m->spill);
    }
    c->on_chip++;
  }
}

static void popped(EmuStackLog *log, uint32_t entries) {
  EmuStackCost *c = (EmuStackCost *)log;
  const spv_emu_cost *m = c->model;
  for (; entries; entries--) {
    assert(c->on_chip || c->below);
    if (c->on_chip == 0) {
      c->on_chip = at_most(c->below, chunk_of(m));
      c->below -= c->on_chip;
      c->reloads++;
      pay(c, &c->unwinding, m->reload);
    }
    c->on_chip--;
    bool last = c->on_chip + c->below == 0;
    uint64_t branches = last ? c->unpaid : at_most(c->unpaid, 1);
    c->unpaid -= branches;
    pay(c, &c->unwinding, branches * m->divergent);
  }
}

static void diverged(EmuStackLog *log, uint32_t more) {
  ((EmuStackCost *)log)->unpaid += more;
}

/* Even the first entry of a stack takes a cycle of the hardware. */
static void inserted(EmuStackLog *log, uint32_t compared) {
  EmuStackCost *c = (EmuStackCost *)log;
  pay(c, &c->branch, (uint64_t)c->model->insertion * (compared ? compared : 1));
}

void emu_stack_cost_init(EmuStackCost *cost) {
  cost->log =
      (EmuStackLog){.pushed = pushed, .popped = popped, .diverged = diverged, .inserted = inserted};
}

void emu_stack_cost_start(EmuStackCost *cost) {
  cost->on_chip = cost->below = cost->unpaid = 0;
}

void emu_stack_cost_end(EmuStackCost *cost) {
  pay(cost, &cost->unwinding, cost->unpaid * cost->model->divergent);
  cost->unpaid = 0;
}
