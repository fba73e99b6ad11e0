/* SPDX-License-Identifier: Apache-2.0 */
/* strands: see strands.h. Strands that are open have different lanes, so there are no more than a
 * subgroup has lanes, and each step searches them. */
#include "spv-emu/exec/strands.h"

static void open_strand(EmuStrands *s, uint32_t strand, uint64_t now) {
  EmuOpen o = {.strand = strand, .replay.at = s->record->bytes, .ready = now};
  if (s->record->strand_count) {
    o.replay.at += s->record->strands[strand].offset;
    o.loads = s->record->strands[strand].loads;
  }
  SR_PUSH(s->arena, &s->open, o);
  uint32_t at = s->open.count - 1;
  for (; at && s->open.at[at - 1].strand > strand; at--)
    s->open.at[at] = s->open.at[at - 1];
  s->open.at[at] = o;
}

void emu_strands_start(EmuStrands *s, const EmuRecord *record, uint64_t now) {
  s->record = record;
  s->begun = 0;
  s->last = SR_NONE;
  s->open.count = s->left.count = 0;
  SR_RESERVE(s->arena, &s->left, record->strand_count);
  for (uint32_t i = 0; i < record->strand_count; i++) {
    s->left.at[s->left.count++] = record->strands[i].before;
    if (!record->strands[i].before)
      open_strand(s, i, now);
  }
  if (!record->strand_count)
    open_strand(s, 0, now);
}

static bool may_issue(const EmuStrands *s, const EmuOpen *o) {
  return o->begun || s->begun < s->most;
}

uint64_t emu_strands_ready(const EmuStrands *s) {
  uint64_t soonest = UINT64_MAX;
  for (uint32_t i = 0; i < s->open.count; i++)
    if (may_issue(s, &s->open.at[i]) && s->open.at[i].ready < soonest)
      soonest = s->open.at[i].ready;
  return soonest;
}

EmuOpen *emu_strands_choose(EmuStrands *s, uint64_t now) {
  EmuOpen *best = NULL;
  for (uint32_t i = 0; i < s->open.count; i++) {
    EmuOpen *o = &s->open.at[i];
    if (may_issue(s, o) && o->ready <= now && (!best || o->strand == s->last))
      best = o;
  }
  s->begun += !best->begun;
  best->begun = true;
  s->last = best->strand;
  return best;
}

bool emu_strands_end(EmuStrands *s, uint64_t now) {
  const EmuRecord *r = s->record;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->open.count; i++)
    if (s->open.at[i].strand != s->last)
      s->open.at[kept++] = s->open.at[i];
  s->open.count = kept;
  s->begun--;
  if (r->strand_count)
    for (uint32_t i = r->strands[s->last].next; i < r->strands[s->last + 1].next; i++)
      if (!--s->left.at[r->next[i]])
        open_strand(s, r->next[i], now);
  return s->open.count > 0;
}

void emu_strands_hold(EmuStrands *s, uint64_t until) {
  for (uint32_t i = 0; i < s->open.count; i++)
    if (s->open.at[i].ready < until)
      s->open.at[i].ready = until;
}
