/* SPDX-License-Identifier: Apache-2.0 */
/* heat: the cost of pixels (spv_emu_heat) as pictures, tables, and cells for a page. */
#ifndef EMU_HEAT_H
#define EMU_HEAT_H

#include "spv-emu/report/picture.h"

#include <spv-emu/spv_emu.h>
#include <stdio.h>

typedef enum EmuHeatKind { EMU_HEAT_ISSUES, EMU_HEAT_LOST, EMU_HEAT_KINDS } EmuHeatKind;

/* The largest number of any pixel. */
uint64_t emu_heat_most(const spv_emu_heat *heat, EmuHeatKind kind);
/* A picture from black (0) through red to light yellow (`most`): red, green, blue, row by row; the
 * caller frees it; NULL: out of memory. */
uint8_t *emu_heat_rgb(const spv_emu_heat *heat, EmuHeatKind kind, uint64_t most);
/* A line for each pixel: x, y, issues, lost. */
void emu_heat_csv(const spv_emu_heat *heat, FILE *out);

typedef struct EmuHeatSum {
  uint32_t width, height; /* 0: nothing was recorded */
  uint64_t issues, lost;  /* of all pixels */
  uint64_t outside, unused;
} EmuHeatSum;

EmuHeatSum emu_heat_sum(const spv_emu_heat *heat);

enum { EMU_MOST_CELLS = 65536 };

/* A framebuffer in at most EMU_MOST_CELLS cells of `side` x `side` pixels. */
typedef struct EmuCells {
  uint32_t side, columns, rows;
  uint64_t *numbers[EMU_HEAT_KINDS]; /* sums over the cell's pixels, row by row; owned */
  uint64_t
      *subgroups; /* spv_emu_heat.subgroup of the first pixel of the cell that has one; owned */
  uint8_t
      *rgb; /* the mean of the picture's pixels; owned; NULL: there is no picture of this size */
} EmuCells;

/* `picture` NULL: there is none. False: out of memory. Free the cells in any case. */
bool emu_cells_make(const spv_emu_heat *heat, const EmuPicture *picture, EmuCells *cells);
void emu_cells_free(EmuCells *cells);
/* `numbers` of the cells as text. The caller frees it. NULL: out of memory. Each number is stored
 * as the difference from the previous one (at first 0), shifted left by 1 with the sign in bit 0,
 * in digits of 5 bits, low ones first, as characters of base64 in which bit 5 says that more digits
 * follow (as in source maps). "~" and a count in the same digits, without a sign: the previous
 * number, repeated that many times. */
char *emu_cells_text(const EmuCells *cells, const uint64_t *numbers);

#endif
