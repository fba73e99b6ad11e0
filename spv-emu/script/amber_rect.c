/* SPDX-License-Identifier: Apache-2.0 */
/* amber_rect: the vertices of DRAW_RECT and DRAW_GRID. */
#include "spv-emu/script/script.h"

/* A rectangle in clip coordinates. */
typedef struct Rect {
  float x, y, width, height;
} Rect;

static Rect to_clip(const AmberDrawRect *rect, const AmberPipeline *pipeline) {
  if (rect->clip)
    return (Rect){rect->x, rect->y, rect->width, rect->height};
  float width = (float)pipeline->raster.width, height = (float)pipeline->raster.height;
  return (Rect){2 * rect->x / width - 1, 2 * rect->y / height - 1, 2 * rect->width / width,
                2 * rect->height / height};
}

static float *put(float *at, float x, float y) {
  at[0] = x;
  at[1] = y;
  return at + 2;
}

/* A triangle strip: bottom left, top left, bottom right, top right. */
static void put_rect(Rect rect, float *at) {
  at = put(at, rect.x, rect.y + rect.height);
  at = put(at, rect.x, rect.y);
  at = put(at, rect.x + rect.width, rect.y + rect.height);
  put(at, rect.x + rect.width, rect.y);
}

/* Two triangles for each cell, row by row. Both begin at the cell's bottom right corner, as in
 * google/amber, so a flat output is the same in the whole cell. Neighbouring cells compute
 * identical corners. */
static void put_grid(Rect rect, uint32_t columns, uint32_t rows, float *at) {
  for (uint32_t row = 0; row < rows; row++) {
    float top = rect.y + rect.height * (float)row / (float)rows;
    float bottom = rect.y + rect.height * (float)(row + 1) / (float)rows;
    for (uint32_t column = 0; column < columns; column++) {
      float left = rect.x + rect.width * (float)column / (float)columns;
      float right = rect.x + rect.width * (float)(column + 1) / (float)columns;
      at = put(at, right, bottom);
      at = put(at, left, bottom);
      at = put(at, left, top);
      at = put(at, right, bottom);
      at = put(at, left, top);
      at = put(at, right, top);
    }
  }
}

bool amber_rect_count(const AmberCommand *command, uint32_t *count) {
  uint64_t wanted = command->kind == AMBER_DRAW_RECT
                        ? 4
                        : (uint64_t)command->rect.columns * command->rect.rows * 6;
  *count = (uint32_t)wanted;
  return command->rect.rows <= AMBER_MOST_RECT_VERTICES && wanted <= AMBER_MOST_RECT_VERTICES;
}

void amber_rect_vertices(const AmberCommand *command, const AmberPipeline *pipeline, float *xy) {
  Rect rect = to_clip(&command->rect, pipeline);
  if (command->kind == AMBER_DRAW_RECT)
    put_rect(rect, xy);
  else
    put_grid(rect, command->rect.columns, command->rect.rows, xy);
}
