/* SPDX-License-Identifier: Apache-2.0 */
/* shader_clock: see shader_clock.h. */
#include "spv-emu/cost/shader_clock.h"

#include "spv-emu/engine/engine.h"

/* What the policy has issued, in instructions. */
static uint64_t added_now(const EmuShaderClock *c) {
  return c->counts->added - c->counts->carriers * (c->cost->model->divergent != 0);
}

void emu_shader_clock_start(EmuShaderClock *c) {
  c->begun = c->issued = c->stack = 0;
  c->added = added_now(c);
}

void emu_shader_clock_add(EmuShaderClock *c) {
  uint64_t now = added_now(c);
  c->issued += (now - c->added) * c->cost->added;
  c->added = now;
}

void emu_shader_clock_block(EmuShaderClock *c, uint32_t block) {
  emu_shader_clock_add(c);
  c->begun = c->issued;
  c->issued += c->cost->block[block];
}

static uint64_t now(const EmuLanes *s, const EmuIns *i) {
  const EmuShaderClock *c = s->clock;
  return c->begun + c->cost->place[i->x] + c->stack;
}

void emu_shader_clock_read(EmuLanes *s, const EmuIns *i) {
  uint64_t *d = EMU_ROW(s, uint64_t, i->d), cycles = now(s, i);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    d[lane] = cycles;
}

static void read_half(EmuLanes *s, const EmuIns *i, uint32_t shift) {
  uint32_t *d = EMU_ROW(s, uint32_t, i->d), cycles = (uint32_t)(now(s, i) >> shift);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    d[lane] = cycles;
}

void emu_shader_clock_low(EmuLanes *s, const EmuIns *i) {
  read_half(s, i, 0);
}

void emu_shader_clock_high(EmuLanes *s, const EmuIns *i) {
  read_half(s, i, 32);
}
