/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_bed: a subgroup on which tests run single handlers. Its register file has BED_ROWS rows
 * with room for any kind, full of random bits, also in inactive lanes and in the padding. A test
 * runs a handler and writes the expected changes to `want`; bed_check compares the whole file. */
#ifndef LANES_BED_H
#define LANES_BED_H

#include "spv-emu/engine/engine.h"
#include "tests/unit/unit.h"

#define BED_ROWS 16

typedef struct LanesBed {
  EmuLanes s;
  EmuProgram program;
  uint32_t list[BED_ROWS]; /* program.rows */
  size_t bytes;
  uint8_t *was, *want; /* the file before the handler ran; the expected file */
  uint64_t rng;
} LanesBed;

/* The seed of all random tests: EMU_TEST_SEED in the environment, else 1. Printed at the first
 * call. */
uint64_t bed_seed(void);

/* A subgroup of `size` lanes, of which at random all or only the first n exist; a random choice of
 * those, at least one, is active. program.rows lists the rows in their order in the file. */
void bed_open(LanesBed *bed, uint32_t size, uint64_t seed);
void bed_close(LanesBed *bed);

/* Where row n starts in the register file. */
uint32_t bed_row(const LanesBed *bed, uint32_t n);
void bed_put(LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane, uint64_t bits);
/* Fills a row of EMU_BOOL: each lane is true with a chance of `of` in 8. */
void bed_put_bools(LanesBed *bed, uint32_t row, uint32_t of);
/* Fills a row of EMU_U32 with numbers below n, one for each lane or the same for all. */
void bed_put_numbers(LanesBed *bed, uint32_t row, uint32_t n, bool same);

void bed_run(LanesBed *bed, EmuHandler *run, const EmuIns *ins);
/* A lane of a row, before the handler ran and after. */
uint64_t bed_was(const LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane);
uint64_t bed_is(const LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane);
void bed_want(LanesBed *bed, uint32_t row, uint32_t bytes, uint32_t lane, uint64_t bits);
void bed_check(const LanesBed *bed, const char *what);

bool bed_on(const LanesBed *bed, uint64_t lane);

#endif
