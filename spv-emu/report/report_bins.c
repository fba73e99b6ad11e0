/* SPDX-License-Identifier: Apache-2.0 */
/* report_bins: see report_bins.h. */
#include "spv-emu/report/report_bins.h"

#include "spv-emu/report/grow.h"

#include <spv-emu/spv_emu.h>
#include <stdlib.h>

enum { LANES_A_WORD = 64 };

EmuBins *emu_bins_new(uint32_t lanes) {
  EmuBins *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->lanes = lanes;
  b->words = (lanes + LANES_A_WORD - 1) / LANES_A_WORD;
  b->width = 1;
  b->active = calloc((size_t)EMU_BINS_MOST * lanes + 1, sizeof *b->active);
  if (b->active)
    return b;
  free(b);
  return NULL;
}

void emu_bins_free(EmuBins *b) {
  if (!b)
    return;
  free(b->entries);
  free(b->masks);
  free(b->active);
  free(b->at);
  free(b);
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t *mask_of(const EmuBins *b, uint32_t entry) {
  return &b->masks[(size_t)entry * b->words];
}

/* The place of a part in `at`: the policy's own instructions have the first. */
static uint64_t key_of(uint32_t part) {
  return part == SPV_EMU_NO_PART ? 0 : part + 1ull;
}

/* The part's entry among those from `first` to `end`; `end`: there is none. */
static uint32_t find(const EmuBins *b, uint32_t part, uint32_t first, uint32_t end) {
  uint32_t entry = b->at[key_of(part)];
  return entry >= first && entry < end && b->entries[entry].part == part ? entry : end;
}

static void unite(EmuBins *b, uint32_t entry, const uint64_t *lanes) {
  for (uint32_t i = 0; i < b->words; i++)
    mask_of(b, entry)[i] |= lanes[i];
}

static bool make_room(EmuBins *b, uint32_t part) {
  void *at = b->at, *entries = b->entries, *masks = b->masks;
  bool good = emu_grow(&at, &b->at_room, key_of(part) + 1, sizeof *b->at) &&
              emu_grow(&entries, &b->entry_room, b->entry_count + 1ull, sizeof *b->entries) &&
              emu_grow(&masks, &b->mask_room, b->entry_count + 1ull, b->words * sizeof *b->masks);
  b->at = at;
  b->entries = entries;
  b->masks = masks;
  return good;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Moves the entry to `end`, or adds it to the entry of the same part among those from `first` on.
 * Returns the new end. */
static uint32_t move_entry(EmuBins *b, uint32_t from, uint32_t first, uint32_t end) {
  const EmuBinEntry e = b->entries[from];
  uint32_t to = find(b, e.part, first, end);
  if (to < end) {
    b->entries[to].executions += e.executions;
    b->entries[to].lanes += e.lanes;
    unite(b, to, mask_of(b, from));
    return end;
  }
  b->entries[end] = e;
  b->at[key_of(e.part)] = end;
  for (uint32_t i = 0; i < b->words && end != from; i++)
    mask_of(b, end)[i] = mask_of(b, from)[i];
  return end + 1;
}

static void move_lanes(EmuBins *b, uint32_t from, uint32_t to, bool add) {
  const uint64_t *source = &b->active[(size_t)from * b->lanes];
  uint64_t *target = &b->active[(size_t)to * b->lanes];
  for (uint32_t i = 0; i < b->lanes; i++)
    target[i] = source[i] + (add ? target[i] : 0);
}

void emu_bins_merge(EmuBins *b) {
  uint32_t end = 0, count = 0;
  for (uint32_t i = 0; i < b->count; i += 2, count++) {
    EmuBin merged = {.first = end};
    for (uint32_t k = i; k < i + 2 && k < b->count; k++) {
      const EmuBin from = b->bins[k];
      for (uint32_t e = from.first; e < from.first + from.count; e++)
        end = move_entry(b, e, merged.first, end);
      merged.issues += from.issues;
      move_lanes(b, k, count, k > i);
    }
    merged.count = end - merged.first;
    b->bins[count] = merged;
  }
  b->count = count;
  b->entry_count = end;
  b->width *= 2;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void open_bin(EmuBins *b) {
  if (b->count && b->bins[b->count - 1].issues < b->width)
    return;
  while (b->count == EMU_BINS_MOST || (b->count > 1 && b->entry_count >= EMU_BIN_ENTRIES_MOST))
    emu_bins_merge(b);
  if (b->count && b->bins[b->count - 1].issues < b->width)
    return;
  uint64_t *active = &b->active[(size_t)b->count * b->lanes];
  for (uint32_t i = 0; i < b->lanes; i++)
    active[i] = 0;
  b->bins[b->count++] = (EmuBin){.first = b->entry_count};
}

static uint32_t entry_of(EmuBins *b, EmuBin *bin, uint32_t part) {
  uint32_t entry = find(b, part, bin->first, b->entry_count);
  if (entry < b->entry_count)
    return entry;
  b->entries[entry] = (EmuBinEntry){.part = part};
  for (uint32_t i = 0; i < b->words; i++)
    mask_of(b, entry)[i] = 0;
  b->at[key_of(part)] = entry;
  b->entry_count++;
  bin->count++;
  return entry;
}

/* Counts the issues for each of the lanes; returns how many lanes there are. */
static uint32_t count_lanes(uint64_t *active, uint32_t issues, const uint64_t *lanes,
                            uint32_t words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t left = lanes[w]; left; left &= left - 1, count++)
      active[w * LANES_A_WORD + (uint32_t)__builtin_ctzll(left)] += issues;
  return count;
}

bool emu_bins_add(EmuBins *b, uint32_t part, uint32_t issues, const uint64_t *lanes) {
  open_bin(b);
  if (!make_room(b, part))
    return false;
  EmuBin *bin = &b->bins[b->count - 1];
  EmuBinEntry *entry = &b->entries[entry_of(b, bin, part)];
  bin->issues += issues;
  if (part == SPV_EMU_NO_PART) {
    entry->executions += issues;
    return true;
  }
  uint64_t *active = &b->active[(size_t)(b->count - 1) * b->lanes];
  entry->executions++;
  entry->lanes += count_lanes(active, issues, lanes, b->words);
  unite(b, (uint32_t)(entry - b->entries), lanes);
  return true;
}
