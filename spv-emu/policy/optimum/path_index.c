/* SPDX-License-Identifier: Apache-2.0 */
/* path_index: see path_index.h. */
#include "spv-emu/policy/optimum/path_index.h"

/* First counts the occurrences of blocks, then fills them in by block and path. */
void emu_path_index_init(SrArena *arena, const EmuLanePaths *p, uint64_t work, EmuPathIndex *s) {
  *s = (EmuPathIndex){.paths = p->at.count,
                      .blocks = p->blocks,
                      .path = p->at.at,
                      .issues = p->issues,
                      .holders = SR_NEW(arena, EmuHolders, p->blocks),
                      .work = work};
  size_t total = 0;
  for (uint32_t i = 0; i < s->paths; i++) {
    total += s->path[i].count;
    for (uint32_t k = 0; k < s->path[i].count; k++)
      s->holders[s->path[i].blocks[k]].count++; /* holds the number of occurrences for now */
  }
  s->carriers = SR_NEW_RAW(arena, EmuCarrier, total);
  s->where = SR_NEW_RAW(arena, uint32_t, total);
  uint32_t *end = SR_NEW_RAW(arena, uint32_t, s->blocks), at = 0;
  for (uint32_t x = 0; x < s->blocks; x++) {
    s->holders[x].first = end[x] = at; /* room for one carrier for each occurrence */
    at += s->holders[x].count;
    s->holders[x].count = 0;
  }
  for (uint32_t i = 0; i < s->paths; i++)
    for (uint32_t k = 0; k < s->path[i].count; k++) {
      uint32_t x = s->path[i].blocks[k];
      EmuHolders *holders = &s->holders[x];
      EmuCarrier *of = &s->carriers[holders->first];
      if (!holders->count || of[holders->count - 1].path != i)
        of[holders->count++] = (EmuCarrier){.path = i, .first = end[x]};
      of[holders->count - 1].count++;
      s->where[end[x]++] = k;
    }
}

/* The number of times that the carrier's path holds its block at `position` or after it. */
static uint32_t left_of(const EmuPathIndex *s, const EmuCarrier *c, uint32_t position) {
  const uint32_t *where = s->where + c->first;
  uint32_t low = 0, high = c->count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (where[mid] < position)
      low = mid + 1;
    else
      high = mid;
  }
  return c->count - low;
}

EmuPathStep emu_path_index_look(EmuPathIndex *s, const uint32_t *at, uint32_t block) {
  const EmuHolders *x = &s->holders[block];
  uint32_t most = 0, most_left = 0;
  EmuPathStep step = {.forced = true};
  for (const EmuCarrier *c = s->carriers + x->first, *end = c + x->count; c < end; c++) {
    uint32_t left = left_of(s, c, at[c->path]);
    uint32_t later = left - emu_path_index_next(s, at, c->path, block);
    if (left && left == later)
      step.forced = false;
    most = left > most ? left : most;
    most_left = later > most_left ? later : most_left;
  }
  step.lowers = most - most_left;
  s->work -= x->count < s->work ? x->count : s->work;
  return step;
}

void emu_path_index_run(const EmuPathIndex *s, uint32_t *at, uint32_t block) {
  const EmuHolders *x = &s->holders[block];
  for (const EmuCarrier *c = s->carriers + x->first, *end = c + x->count; c < end; c++)
    at[c->path] += emu_path_index_next(s, at, c->path, block);
}

bool emu_path_index_first(const EmuPathIndex *s, const uint32_t *at, uint32_t path) {
  for (uint32_t i = 0; i < path; i++)
    if (emu_path_index_next(s, at, i, s->path[path].blocks[at[path]]))
      return false;
  return true;
}

uint64_t emu_path_index_estimate(const EmuPathIndex *s) {
  uint64_t estimate = 0;
  for (uint32_t x = 0; x < s->blocks; x++) {
    const EmuHolders *holders = &s->holders[x];
    uint32_t most = 0;
    for (const EmuCarrier *c = s->carriers + holders->first, *end = c + holders->count; c < end;
         c++)
      most = c->count > most ? c->count : most;
    estimate += (uint64_t)most * s->issues[x];
  }
  return estimate;
}
