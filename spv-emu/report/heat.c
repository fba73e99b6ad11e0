/* SPDX-License-Identifier: Apache-2.0 */
/* heat: see heat.h. */
#include "spv-emu/report/heat.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CHANNELS = 3 };

static const uint64_t *numbers_of(const spv_emu_heat *heat, EmuHeatKind kind) {
  return kind == EMU_HEAT_ISSUES ? heat->issues : heat->lost;
}

static uint64_t pixels_of(const spv_emu_heat *heat) {
  return (uint64_t)heat->width * heat->height;
}

uint64_t emu_heat_most(const spv_emu_heat *heat, EmuHeatKind kind) {
  const uint64_t *numbers = numbers_of(heat, kind);
  uint64_t most = 0;
  for (uint64_t i = 0; i < pixels_of(heat); i++)
    most = numbers[i] > most ? numbers[i] : most;
  return most;
}

EmuHeatSum emu_heat_sum(const spv_emu_heat *heat) {
  EmuHeatSum sum = {.width = heat->width,
                    .height = heat->height,
                    .outside = heat->outside,
                    .unused = heat->unused};
  for (uint64_t i = 0; i < pixels_of(heat); i++) {
    sum.issues += heat->issues[i];
    sum.lost += heat->lost[i];
  }
  return sum;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Nine colours of matplotlib's "inferno" (van der Walt and Smith, CC0): lightness grows evenly,
 * also for colour-blind eyes. page/pixels.js has the same. */
static const uint8_t ramp[][CHANNELS] = {{0, 0, 4},      {31, 12, 72},   {85, 15, 109},
                                         {136, 34, 106}, {186, 54, 85},  {227, 89, 51},
                                         {249, 140, 10}, {249, 201, 50}, {252, 255, 164}};
enum { STEPS = sizeof ramp / sizeof *ramp - 1 };

static void put_color(double share, uint8_t *rgb) {
  double at = share * STEPS;
  int step = at < STEPS ? (int)at : STEPS - 1;
  for (int c = 0; c < CHANNELS; c++)
    rgb[c] = (uint8_t)(ramp[step][c] + (ramp[step + 1][c] - ramp[step][c]) * (at - step) + 0.5);
}

uint8_t *emu_heat_rgb(const spv_emu_heat *heat, EmuHeatKind kind, uint64_t most) {
  const uint64_t *numbers = numbers_of(heat, kind);
  uint64_t pixels = pixels_of(heat);
  uint8_t *rgb = malloc(CHANNELS * pixels + 1);
  for (uint64_t i = 0; rgb && i < pixels; i++)
    put_color(most ? (double)numbers[i] / (double)most : 0, &rgb[CHANNELS * i]);
  return rgb;
}

void emu_heat_csv(const spv_emu_heat *heat, FILE *out) {
  fputs("x,y,issues,lost\n", out);
  for (uint64_t i = 0; i < pixels_of(heat); i++)
    fprintf(out, "%u,%u,%" PRIu64 ",%" PRIu64 "\n", (unsigned)(i % heat->width),
            (unsigned)(i / heat->width), heat->issues[i], heat->lost[i]);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static uint32_t parts(uint32_t size, uint32_t side) {
  return (size + side - 1) / side;
}

static bool allocate(EmuCells *cells, bool picture) {
  size_t count = (size_t)cells->columns * cells->rows;
  bool good = true;
  for (int kind = 0; kind < EMU_HEAT_KINDS; kind++) {
    cells->numbers[kind] = calloc(count + 1, sizeof(uint64_t));
    good = good && cells->numbers[kind];
  }
  cells->subgroups = calloc(count + 1, sizeof *cells->subgroups);
  good = good && cells->subgroups;
  cells->rgb = picture ? calloc(count + 1, CHANNELS) : NULL;
  return good && (!picture || cells->rgb);
}

static void add_numbers(const spv_emu_heat *heat, EmuCells *cells) {
  for (uint64_t i = 0; i < pixels_of(heat); i++) {
    uint64_t x = i % heat->width / cells->side, y = i / heat->width / cells->side;
    uint64_t cell = y * cells->columns + x;
    cells->numbers[EMU_HEAT_ISSUES][cell] += heat->issues[i];
    cells->numbers[EMU_HEAT_LOST][cell] += heat->lost[i];
    if (!cells->subgroups[cell])
      cells->subgroups[cell] = heat->subgroup[i];
  }
}

static void average(const EmuPicture *picture, EmuCells *cells, uint32_t column, uint32_t row) {
  uint64_t sums[CHANNELS] = {0}, count = 0;
  for (uint32_t dy = 0; dy < cells->side; dy++)
    for (uint32_t dx = 0; dx < cells->side; dx++) {
      uint64_t x = (uint64_t)column * cells->side + dx, y = (uint64_t)row * cells->side + dy;
      if (x >= picture->width || y >= picture->height)
        continue;
      for (int c = 0; c < CHANNELS; c++)
        sums[c] += picture->rgb[CHANNELS * (y * picture->width + x) + c];
      count++;
    }
  for (int c = 0; c < CHANNELS; c++)
    cells->rgb[CHANNELS * ((size_t)row * cells->columns + column) + c] = (uint8_t)(sums[c] / count);
}

bool emu_cells_make(const spv_emu_heat *heat, const EmuPicture *picture, EmuCells *cells) {
  bool drawn = picture && picture->width == heat->width && picture->height == heat->height;
  *cells = (EmuCells){.side = 1};
  while ((uint64_t)parts(heat->width, cells->side) * parts(heat->height, cells->side) >
         EMU_MOST_CELLS)
    cells->side++;
  cells->columns = parts(heat->width, cells->side);
  cells->rows = parts(heat->height, cells->side);
  if (!allocate(cells, drawn))
    return false;
  add_numbers(heat, cells);
  for (uint32_t row = 0; drawn && row < cells->rows; row++)
    for (uint32_t column = 0; column < cells->columns; column++)
      average(picture, cells, column, row);
  return true;
}

void emu_cells_free(EmuCells *cells) {
  for (int kind = 0; kind < EMU_HEAT_KINDS; kind++)
    free(cells->numbers[kind]);
  free(cells->subgroups);
  free(cells->rgb);
  *cells = (EmuCells){0};
}

/* ---- as text --------------------------------------------------------------------------------- */

static void put_digits(FILE *out, uint64_t value) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  enum { BITS = 5, MORE = 1 << BITS };
  for (; value >= MORE; value >>= BITS)
    fputc(digits[(value & (MORE - 1)) | MORE], out);
  fputc(digits[value], out);
}

static void put_difference(FILE *out, uint64_t from, uint64_t to) {
  put_digits(out, to < from ? (from - to) << 1 | 1 : (to - from) << 1);
}

char *emu_cells_text(const EmuCells *cells, const uint64_t *numbers) {
  size_t count = (size_t)cells->columns * cells->rows, size;
  uint64_t last = 0;
  char *text = NULL;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0, end; out && i < count; i = end) {
    for (end = i; end < count && numbers[end] == last;)
      end++;
    if (end > i) {
      fputc('~', out);
      put_digits(out, end - i);
      continue;
    }
    put_difference(out, last, numbers[i]);
    last = numbers[i];
    end = i + 1;
  }
  return out && fclose(out) == 0 ? text : NULL;
}
