/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_share: see ssa_share.h. */
#include "passes/transform/ssa/ssa_share.h"

#include "passes/base/compiler.h"
#include "passes/base/map.h"
#include "passes/base/sort.h"
#include "passes/ir/decorations.h"

enum { COLORS = 64 };

static uint32_t old_block(const SrSsaShare *s, uint32_t b) {
  return s->old_of[b];
}

/* ---- where far values are live ---- */

static void mark_live_in(SrSsaShare *s, uint32_t old) {
  if (s->live_in[old] == s->epoch)
    return;
  s->live_in[old] = s->epoch;
  SR_PUSH(s->arena, &s->walk, old);
}

/* A use of a far value in old block `block`, whether or not the definition still dominates it. */
typedef struct FarUse {
  uint32_t far, block;
} FarUse;

static int by_far(const void *a, const void *b) {
  const FarUse *x = a, *y = b;
  return (x->far > y->far) - (x->far < y->far);
}

typedef SR_VEC(FarUse) FarUses;

static void note_far_use(SrSsaShare *s, const SrMap *far_of, FarUses *uses, uint32_t id,
                         uint32_t block) {
  uint32_t far = sr_map_get(far_of, id);
  if (far != SR_NONE && s->far.at[far].block != block)
    SR_PUSH(s->arena, uses, (FarUse){far, old_block(s, block)});
}

static FarUses find_far_uses(SrSsaShare *s) {
  const SrModule *m = s->m;
  FarUses uses = {0};
  SrMap far_of = {.arena = s->arena};
  for (uint32_t i = 0; i < s->far.count; i++)
    sr_map_set(&far_of, s->far.at[i].id, i);
  for (uint32_t b = 0; b < s->f->block_count; b++) {
    if (old_block(s, b) == SR_NONE)
      continue;
    for (SR_EACH(m, i, s->f->blocks[b].list)) {
      const uint32_t *w = sr_words(m, i);
      bool phi = sr_inst(m, i)->op == SpvOpPhi;
      for (uint32_t k = sr_inst(m, i)->first; k < w[0] >> 16; k++)
        if (sr_word_is_id(m, i, k) && (!phi || sr_def(m, w[k + (k % 2)]) != SR_NONE))
          note_far_use(s, &far_of, &uses, w[k], phi && k % 2 ? sr_block_of(m, w[k + 1]) : b);
    }
  }
  sr_sort(s->arena, uses.at, uses.count, sizeof *uses.at, by_far);
  return uses;
}

void sr_ssa_share_find_live(SrSsaShare *s) {
  if (s->far.count == 0)
    return;
  const SrGraph *old = s->old;
  s->live_in = SR_NEW(s->arena, uint32_t, old->count);
  FarUses uses = find_far_uses(s);
  for (uint32_t i = 0, u = 0; i < s->far.count; i++) {
    SrFar *f = &s->far.at[i];
    f->touch = s->touch.count;
    SR_PUSH(s->arena, &s->touch, old_block(s, f->block));
    s->epoch++;
    for (; u < uses.count && uses.at[u].far == i; u++)
      mark_live_in(s, uses.at[u].block);
    while (s->walk.count) {
      uint32_t b = SR_POP(&s->walk);
      SR_PUSH(s->arena, &s->touch, b);
      for (SR_PREDS(p, old, b))
        if (s->new_of[*p] != SR_NONE && s->new_of[*p] != f->block)
          mark_live_in(s, *p);
    }
    f->touch_count = s->touch.count - f->touch;
  }
}

void sr_ssa_share_find_set(SrSsaShare *s) {
  const SrGraph *old = s->old;
  for (uint32_t i = 0; i < s->far.count; i++) {
    SrFar *f = &s->far.at[i];
    uint32_t was = old_block(s, f->block);
    f->touch = s->touch.count;
    SR_PUSH(s->arena, &s->touch, was);
    for (SR_PREDS(p, old, was))
      SR_PUSH(s->arena, &s->touch, *p);
    f->touch_count = s->touch.count - f->touch;
  }
}

/* ---- colors ---- */

uint32_t sr_ssa_share_kind(SrModule *m, uint32_t id) {
  SrKept kept = sr_kept(m, id);
  return sr_inst(m, sr_def(m, id))->type << 2 | (uint32_t)kept.relaxed << 1 | kept.non_uniform;
}

static int order(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int by_kind(const void *a, const void *b) {
  const SrFar *x = a, *y = b;
  int c = order(x->kind, y->kind);
  return c ? c : order(x->block, y->block) ? order(x->block, y->block) : order(x->id, y->id);
}

static int by_color(const void *a, const void *b) {
  const SrFar *x = a, *y = b;
  int c = order(x->kind, y->kind);
  return c ? c : order(x->color, y->color) ? order(x->color, y->color) : by_kind(a, b);
}

/* Chooses colors greedily. A color from COLORS on belongs to a single far value. */
static void choose_colors(SrSsaShare *s) {
  uint64_t *taken = SR_NEW_RAW(s->arena, uint64_t, s->old->count);
  uint32_t single = COLORS;
  for (uint32_t i = 0; i < s->far.count; i++) {
    SrFar *f = &s->far.at[i];
    if (i == 0 || f->kind != s->far.at[i - 1].kind)
      memset(taken, 0, s->old->count * sizeof *taken);
    uint64_t used = 0;
    for (uint32_t k = 0; k < f->touch_count; k++)
      used |= taken[s->touch.at[f->touch + k]];
    f->color = used != UINT64_MAX ? sr_trailing_zeros(~used) : single++;
    for (uint32_t k = 0; k < f->touch_count && f->color < COLORS; k++)
      taken[s->touch.at[f->touch + k]] |= (uint64_t)1 << f->color;
  }
}

void sr_ssa_share_color(SrSsaShare *s) {
  for (uint32_t i = 0; i < s->far.count; i++)
    s->far.at[i].kind = sr_ssa_share_kind(s->m, s->far.at[i].id);
  sr_sort(s->arena, s->far.at, s->far.count, sizeof *s->far.at, by_kind);
  choose_colors(s);
  sr_sort(s->arena, s->far.at, s->far.count, sizeof *s->far.at, by_color);
}

uint32_t sr_ssa_share_group_end(const SrSsaShare *s, uint32_t first) {
  const SrFar *f = &s->far.at[first];
  uint32_t end = first + 1;
  while (end < s->far.count && s->far.at[end].kind == f->kind && s->far.at[end].color == f->color)
    end++;
  return end;
}
