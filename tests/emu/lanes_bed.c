/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_bed: see lanes_bed.h. */
#include "tests/emu/lanes_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES(bed) ((size_t)(bed)->s.width * 8)

uint64_t bed_seed(void) {
  static uint64_t seed;
  if (!seed) {
    const char *text = getenv("EMU_TEST_SEED");
    seed = text ? strtoull(text, NULL, 0) : 1;
    printf("EMU_TEST_SEED=%llu\n", (unsigned long long)seed);
  }
  return seed;
}

static void choose_lanes(LanesBed *bed) {
  EmuLanes *s = &bed->s;
  uint32_t shape = unit_below(&bed->rng, 5), lone = unit_below(&bed->rng, s->size);
  emu_mask_first(&s->exist, s->size, s->words);
  if (shape == 4 && s->size > 1) /* the last subgroup of a dispatch */
    emu_mask_first(&s->exist, 1 + unit_below(&bed->rng, s->size - 1), s->words);
  emu_mask_copy(&s->on, &s->exist, s->words);
  for (EMU_EACH_LANE(lane, &s->exist, s->words))
    if ((shape == 1 && lane != lone) || (shape >= 2 && unit_below(&bed->rng, 8) < shape))
      s->on.w[lane / 64] &= ~((uint64_t)1 << lane % 64);
  if (!emu_mask_any(&s->on, s->words))
    emu_mask_set(&s->on, 0);
}

void bed_open(LanesBed *bed, uint32_t size, uint64_t seed) {
  memset(bed, 0, sizeof *bed);
  memset(&bed->s.on, 0xa5, sizeof bed->s.on); /* words that are not in use may hold any bits */
  bed->rng = seed * 0x9e3779b97f4a7c15ull + 1;
  bed->s.size = size;
  bed->s.width = (size + EMU_CHUNK - 1) / EMU_CHUNK * EMU_CHUNK;
  bed->s.words = (size + 63) / 64;
  bed->s.program = &bed->program;
  bed->bytes = ROW_BYTES(bed) * BED_ROWS;
  bed->s.file = aligned_alloc(64, bed->bytes);
  bed->was = malloc(bed->bytes);
  bed->want = malloc(bed->bytes);
  assert_true(bed->s.file && bed->was && bed->want);
  for (size_t i = 0; i < bed->bytes; i++)
    bed->s.file[i] = (uint8_t)unit_below(&bed->rng, 256);
  for (uint32_t n = 0; n < BED_ROWS; n++)
    bed->list[n] = bed_row(bed, n);
  bed->program.rows.at = bed->list;
  bed->program.rows.count = bed->program.rows.room = BED_ROWS;
  choose_lanes(bed);
}

void bed_close(LanesBed *bed) {
  free(bed->s.file);
  free(bed->was);
  free(bed->want);
}

uint32_t bed_row(const LanesBed *bed, uint32_t n) {
  return (uint32_t)(n * ROW_BYTES(bed));
}

void bed_put(LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane, uint64_t bits) {
  memcpy(bed->s.file + bed_row(bed, row) + (size_t)lane * bytes, &bits, bytes);
}

void bed_put_bools(LanesBed *bed, uint32_t row, uint32_t of) {
  for (uint32_t lane = 0; lane < bed->s.width; lane++)
    bed_put(bed, row, 4, lane, unit_below(&bed->rng, 8) < of ? UINT32_MAX : 0);
}

void bed_put_numbers(LanesBed *bed, uint32_t row, uint32_t n, bool same) {
  uint32_t number = unit_below(&bed->rng, n);
  for (uint32_t lane = 0; lane < bed->s.width; lane++)
    bed_put(bed, row, 4, lane, same ? number : unit_below(&bed->rng, n));
}

void bed_run(LanesBed *bed, EmuHandler *run, const EmuIns *ins) {
  memcpy(bed->was, bed->s.file, bed->bytes);
  memcpy(bed->want, bed->s.file, bed->bytes);
  run(&bed->s, ins);
}

static uint64_t get(const LanesBed *bed, const uint8_t *file, uint32_t row, uint32_t bytes,
                    uint32_t lane) {
  uint64_t bits = 0;
  memcpy(&bits, file + bed_row(bed, row) + (size_t)lane * bytes, bytes);
  return bits;
}

uint64_t bed_was(const LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane) {
  return get(bed, bed->was, row, bytes, lane);
}

uint64_t bed_is(const LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane) {
  return get(bed, bed->s.file, row, bytes, lane);
}

void bed_want(LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane, uint64_t bits) {
  memcpy(bed->want + bed_row(bed, row) + (size_t)lane * bytes, &bits, bytes);
}

void bed_check(const LanesBed *bed, const char *what) {
  for (size_t i = 0; i < bed->bytes; i++)
    if (bed->s.file[i] != bed->want[i])
      fail_msg("%s, %u lanes: row %zu, byte %zu is %02x, not %02x", what, bed->s.size,
               i / ROW_BYTES(bed), i % ROW_BYTES(bed), bed->s.file[i], bed->want[i]);
}

bool bed_on(const LanesBed *bed, uint64_t lane) {
  return lane < bed->s.size && emu_mask_has(&bed->s.on, (uint32_t)lane);
}
