/* SPDX-License-Identifier: Apache-2.0 */
/* draw_traffic: memory transactions of attachments. An issue is one subgroup's read or write of one
 * attachment, for its remaining fragments; a transaction is an aligned segment that these touch, in
 * the layout of spv_emu_attachment: rows of texels. A colour is written; it is read first if
 * blending, a logic operation or a write mask needs the old value. Depth and stencil are read by
 * tests, and written by samples that pass. Quads without fragments left by early tests do not
 * count. */
#include "spv-emu/draw/draw.h"

enum { QUAD = 4, ALL_CHANNELS = 15, MOST_SEGMENTS = 2 * EMU_MAX_LANES * EMU_MAX_SAMPLES };

typedef struct Traffic {
  const EmuFragments *f;
  const EmuAttachment *attachment;
  uint64_t *segments; /* segments of the current pack, each once */
  uint32_t count;
} Traffic;

/* Adds a segment. Neighbouring lanes touch the same segments, or those of the row before. */
static void touch(Traffic *t, uint64_t segment) {
  for (uint32_t i = t->count; i-- > 0;)
    if (t->segments[i] == segment)
      return;
  t->segments[t->count++] = segment;
}

static void touch_pixel(Traffic *t, uint32_t x, uint32_t y) {
  const EmuAttachment *a = t->attachment;
  uint32_t shift = t->f->draw->fragment.segment_shift;
  uint64_t texel = (uint64_t)a->samples * a->format->bytes;
  uint64_t first = ((uint64_t)y * a->width + x) * texel;
  for (uint64_t s = first >> shift; s <= (first + texel - 1) >> shift; s++)
    touch(t, s);
}

/* Counts an access of the fragments of a pack; `left`: only those that passed all tests. */
static void count_pack(Traffic *t, const EmuPack *pack, bool left, uint32_t times) {
  EmuCounts *counts = &t->f->totals->counts;
  t->count = 0;
  for (uint32_t q = pack->first; q < pack->first + pack->count; q++)
    for (uint32_t lane = 0; lane < QUAD; lane++) {
      const EmuQuad *quad = &t->f->quads[q];
      bool one = t->f->draw->fragment.lanes == 1;
      uint16_t mask = left ? t->f->masks[q][lane] : quad->mask[lane];
      if (mask && (!one || lane == pack->lane))
        touch_pixel(t, quad->x + (lane & 1), quad->y + (lane >> 1));
    }
  counts->attachment_issues += t->count ? times : 0;
  counts->attachment_transactions += (uint64_t)t->count * times;
}

static void count_all(Traffic *t, const EmuAttachment *attachment, bool left, uint32_t times) {
  t->attachment = attachment;
  for (uint32_t p = 0; p < t->f->pack_count; p++)
    count_pack(t, &t->f->packs[p], left, times);
}

static bool has_output(const EmuFragments *f, uint32_t location) {
  const EmuProgram *p = f->draw->fragment.program;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (p->outputs.at[i].location == location)
      return true;
  return false;
}

static bool reads_color(const EmuColorTarget *target) {
  return target->blend.enabled || target->logic_op_enabled ||
         (target->write_mask & ALL_CHANNELS) != ALL_CHANNELS;
}

void emu_traffic_count(const EmuFragments *f) {
  const EmuDraw *draw = f->draw;
  const EmuDepthStencil *depth = &draw->depth_stencil;
  SrMark mark = sr_arena_mark(f->arena);
  Traffic t = {.f = f, .segments = SR_NEW_RAW(f->arena, uint64_t, MOST_SEGMENTS)};
  for (uint32_t i = 0; i < draw->color_count && !draw->fragment.optimum; i++) {
    const EmuColorTarget *target = &draw->colors[i].target;
    if (has_output(f, draw->colors[i].location) && target->write_mask)
      count_all(&t, &target->attachment, true, reads_color(target) ? 2 : 1);
  }
  if (emu_depth_stencil_needed(depth) && !draw->fragment.optimum) {
    count_all(&t, &depth->attachment, false, 1);
    if ((depth->depth.test && depth->depth.write) || depth->stencil_test)
      count_all(&t, &depth->attachment, true, 1);
  }
  sr_arena_reset(f->arena, mark);
}
