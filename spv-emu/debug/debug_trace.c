/* SPDX-License-Identifier: Apache-2.0 */
/* debug_trace: see debug_trace.h. */
#include "spv-emu/debug/debug_trace.h"

#include "spv-emu/debug/debug_name.h"
#include "spv-emu/debug/debug_place.h"

#include <inttypes.h>

/* Texts with commas are in quotes. */
static const char *text_of(EmuDebugger *d, const EmuViews *views, uint32_t lane) {
  SrText text = {.arena = &d->scratch};
  if (!views->count || !emu_view_is_computed(d, &views->at[0], lane))
    return "";
  emu_view_write(d, &views->at[0], lane, &text);
  const char *plain = sr_text_end(&text);
  if (!strchr(plain, ','))
    return plain;
  SrText quoted = {.arena = &d->scratch};
  sr_text_add(&quoted, "\"%s\"", plain);
  return sr_text_end(&quoted);
}

/* Keeps the text of a name; true: it is another one. Room is reused, since there may be many
 * rows. */
static bool changes(EmuDebugger *d, uint32_t name, uint32_t lane, const char *text) {
  uint32_t length = (uint32_t)strlen(text), at = name * d->e->lanes.size + lane;
  EmuSubgroup *s = d->sub;
  if (s->last[at] && strcmp(s->last[at], text) == 0)
    return false;
  if (s->room[at] <= length) {
    s->room[at] = 2 * length + 16;
    s->last[at] = SR_NEW(d->arena, char, s->room[at]);
  }
  memcpy(s->last[at], text, length + 1);
  return true;
}

static void write_row(EmuDebugger *d, uint32_t lane) {
  const EmuBlock *b = &d->p->blocks.at[d->e->lanes.block];
  SrText row = {.arena = &d->scratch};
  sr_text_add(&row, "%s,%" PRIu64 ",%" PRIu64 ",%s,%u,%u,%u", d->policy->name, d->e->lanes.subgroup,
              d->sub->issue, d->p->functions.at[b->function].name, b->id, emu_debug_here(d).line,
              lane);
  for (uint32_t i = 0; i < d->to->name_count; i++)
    sr_text_add(&row, ",%s", d->sub->last[i * d->e->lanes.size + lane]);
  d->to->row(d->to->user, sr_text_end(&row));
}

void emu_debug_trace(EmuDebugger *d) {
  SrMark mark = sr_arena_mark(&d->scratch);
  EmuViews *views = SR_NEW(&d->scratch, EmuViews, d->to->name_count);
  for (uint32_t i = 0; i < d->to->name_count; i++)
    if (!emu_debug_find(d, d->to->names[i], &views[i]) && d->to->found)
      d->to->found[i] = true;
  for (EMU_EACH_LANE(lane, &d->e->lanes.on, d->e->lanes.words)) {
    bool any = false, some = false;
    for (uint32_t i = 0; i < d->to->name_count; i++) {
      const char *text = text_of(d, &views[i], lane);
      any |= changes(d, i, lane, text);
      some |= *text;
    }
    if (any && some)
      write_row(d, lane);
  }
  sr_arena_reset(&d->scratch, mark);
}
