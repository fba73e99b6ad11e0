/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_pixels: see report_page_pixels.h. */
#include "spv-emu/report/report_page_pixels.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURE_BYTES = 600000, MAP_BYTES = 900000 }; /* of all on the page */

static const char *const kinds[] = {[EMU_HEAT_ISSUES] = "issues", [EMU_HEAT_LOST] = "lost"};

typedef struct Pixels {
  json_t *pictures, *maps;
  size_t picture_bytes, map_bytes;
  uint32_t width, height; /* of the first row that has some */
} Pixels;

/* ---- pictures -------------------------------------------------------------------------------- */

/* To be freed; NULL: out of memory. */
static char *base64(const uint8_t *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((size + 2) / 3 * 4 + 1), *to = text;
  for (size_t i = 0; text && i < size; i += 3) {
    uint32_t left = size - i < 3 ? (uint32_t)(size - i) : 3, word = 0;
    for (uint32_t k = 0; k < 3; k++)
      word = word << 8 | (k < left ? bytes[i + k] : 0);
    for (uint32_t k = 0; k < 4; k++)
      *to++ = k <= left ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  if (text)
    *to = 0;
  return text;
}

/* The index of the same text in an array; the array's size: it is not there. */
static size_t find_text(const json_t *array, const char *text) {
  size_t i = 0;
  while (i < json_array_size(array) && strcmp(json_string_value(json_array_get(array, i)), text))
    i++;
  return i;
}

static json_t *add_picture(Pixels *p, const EmuCells *cells) {
  size_t size = 0;
  uint8_t *png =
      cells->rgb ? emu_picture_png(cells->rgb, cells->columns, cells->rows, &size) : NULL;
  char *text = png ? base64(png, size) : NULL;
  json_t *index = NULL;
  if (text) {
    size_t at = find_text(p->pictures, text);
    bool there = at < json_array_size(p->pictures);
    if (there || p->picture_bytes + strlen(text) <= PICTURE_BYTES) {
      p->picture_bytes += there ? 0 : strlen(text);
      if (!there)
        json_array_append_new(p->pictures, json_string(text));
      index = json_integer((json_int_t)at);
    }
  }
  free(text);
  free(png);
  return index ? index : json_null();
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* The text, or the index of the map that has it. */
static json_t *share_text(const Pixels *p, const char *kind, const char *text) {
  for (size_t i = 0; i < json_array_size(p->maps); i++) {
    const json_t *other = json_object_get(json_array_get(p->maps, i), kind);
    if (json_is_string(other) && !strcmp(json_string_value(other), text))
      return json_integer((json_int_t)i);
  }
  return json_string(text);
}

static json_int_t most_of(const EmuCells *cells, EmuHeatKind kind) {
  uint64_t most = 0;
  for (size_t i = 0; i < (size_t)cells->columns * cells->rows; i++)
    most = cells->numbers[kind][i] > most ? cells->numbers[kind][i] : most;
  return (json_int_t)most;
}

/* Sets the numbers as text. Returns the bytes that they take; SIZE_MAX: out of memory. */
static size_t set_numbers(const Pixels *p, const EmuRow *row, const char *name,
                          const uint64_t *numbers, json_t *map) {
  char *text = emu_cells_text(&row->cells, numbers);
  json_t *shared = text ? share_text(p, name, text) : NULL;
  size_t bytes = shared ? json_string_length(shared) : SIZE_MAX;
  json_object_set_new(map, name, shared);
  free(text);
  return bytes;
}

/* Maps that are too large for the page are left out. */
static void add_map(Pixels *p, uint32_t result, const EmuRow *row) {
  json_t *map = json_object(), *most = json_object();
  size_t bytes = set_numbers(p, row, "subgroups", row->cells.subgroups, map);
  bool good = bytes != SIZE_MAX;
  for (int kind = 0; kind < EMU_HEAT_KINDS; kind++) {
    size_t more = set_numbers(p, row, kinds[kind], row->cells.numbers[kind], map);
    good = good && more != SIZE_MAX;
    bytes += good ? more : 0;
    json_object_set_new(most, kinds[kind], json_integer(most_of(&row->cells, (EmuHeatKind)kind)));
  }
  json_object_set_new(map, "result", json_integer(result));
  json_object_set_new(map, "most", most);
  json_object_set_new(map, "sums",
                      json_pack("{s:I, s:I}", "issues", (json_int_t)row->heat_sum.issues, "lost",
                                (json_int_t)row->heat_sum.lost));
  if (!good || p->map_bytes + bytes > MAP_BYTES) {
    json_decref(map);
    return;
  }
  p->map_bytes += bytes;
  json_object_set_new(map, "picture", add_picture(p, &row->cells));
  json_array_append_new(p->maps, map);
}

json_t *emu_page_pixels(const EmuReport *report) {
  Pixels p = {.pictures = json_array(), .maps = json_array()};
  const EmuRow *first = NULL;
  for (uint32_t i = 0; i < report->row_count; i++) {
    const EmuRow *row = &report->rows[i];
    if (!row->cells.columns)
      continue;
    first = first ? first : row;
    if (row->heat_sum.width == first->heat_sum.width &&
        row->heat_sum.height == first->heat_sum.height)
      add_map(&p, i, row);
  }
  if (first)
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "width", (int)first->heat_sum.width,
                     "height", (int)first->heat_sum.height, "side", (int)first->cells.side,
                     "columns", (int)first->cells.columns, "rows", (int)first->cells.rows,
                     "pictures", p.pictures, "maps", p.maps);
  json_decref(p.pictures);
  json_decref(p.maps);
  return json_null();
}
