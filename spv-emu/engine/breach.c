/* SPDX-License-Identifier: Apache-2.0 */
/* breach: see breach.h. */
#include "spv-emu/engine/breach.h"

#include "spv-emu/engine/quads.h"

#include <string.h>

static const char *const names[] = {
#define EMU_RULE(name, rule, text) rule,
#include "spv-emu/engine/rules.def"
#undef EMU_RULE
};

static const char *const texts[] = {
#define EMU_RULE(name, rule, text) text,
#include "spv-emu/engine/rules.def"
#undef EMU_RULE
};

const char *emu_rule_name(uint32_t rule) {
  return names[rule];
}

const char *emu_rule_text(uint32_t rule) {
  return texts[rule];
}

static void found(EmuLanes *s, const EmuIns *i, struct EmuBreach breach) {
  struct EmuBreach *b = &s->breaches[i->x];
  breach.subgroup = s->subgroup;
  breach.count = b->count + 1;
  if (b->count)
    b->count++;
  else
    *b = breach;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t value_of(const EmuLanes *s, const EmuIns *i, uint32_t lane) {
  size_t bytes = emu_kind_bytes((EmuKind)i->list);
  uint64_t value = 0; /* the machine is little-endian, as lanes.h says */
  memcpy(&value, s->file + i->a + lane * bytes, bytes);
  return value >> s->program->demands.at[i->x].shift;
}

static void found_values(EmuLanes *s, const EmuIns *i, uint32_t a, uint32_t b) {
  found(s, i, (struct EmuBreach){.lane = {a, b}, .value = {value_of(s, i, a), value_of(s, i, b)}});
}

void emu_demand_same(EmuLanes *s, const EmuIns *i) {
  if (!s->breaches)
    return;
  uint32_t first = emu_mask_next(&s->on, 0, s->words);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    if (value_of(s, i, lane) != value_of(s, i, first)) {
      found_values(s, i, first, lane);
      return;
    }
}

void emu_demand_quad_same(EmuLanes *s, const EmuIns *i) {
  uint32_t first = 0;
  if (!s->breaches)
    return;
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    if (lane / EMU_QUAD != first / EMU_QUAD || !emu_mask_has(&s->on, first))
      first = lane;
    if (value_of(s, i, lane) != value_of(s, i, first)) {
      found_values(s, i, first, lane);
      return;
    }
  }
}

/* ---- control flow ---------------------------------------------------------------------------- */

/* Is a lane of `wanted` not active? It is the second lane of the breach. */
static void all_active(EmuLanes *s, const EmuIns *i, const EmuMask *wanted) {
  for (EMU_EACH_LANE(lane, wanted, s->words))
    if (!emu_mask_has(&s->on, lane)) {
      found(s, i, (struct EmuBreach){.lane = {emu_mask_next(&s->on, 0, s->words), lane}});
      return;
    }
}

void emu_demand_all(EmuLanes *s, const EmuIns *i) {
  if (s->breaches)
    all_active(s, i, &s->exist);
}

void emu_demand_quads(EmuLanes *s, const EmuIns *i) {
  EmuMask wanted = {0};
  if (!s->breaches)
    return;
  for (EMU_WORDS(w, s->words))
    wanted.w[w] = emu_quads_whole(emu_quads_any(s->on.w[w] & ~s->helper.w[w]));
  all_active(s, i, &wanted);
}

/* ---- sums ------------------------------------------------------------------------------------ */

void emu_breaches_add(struct EmuBreach *to, const struct EmuBreach *from, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    uint64_t sum = to[n].count + from[n].count;
    if (from[n].count && (!to[n].count || from[n].subgroup < to[n].subgroup))
      to[n] = from[n];
    to[n].count = sum;
  }
}
