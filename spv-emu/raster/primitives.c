/* SPDX-License-Identifier: Apache-2.0 */
/* primitives: see primitives.h. A draw without indices needs no table: its vertices are
 * consecutive. With indices, a table of open addressing finds the vertex that an index has become.
 */
#include "spv-emu/raster/primitives.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX /* stands for a vertex where primitives restart */

static bool fail_memory(char *text, size_t size) {
  snprintf(text, size, "out of memory for the vertices of a draw");
  return false;
}

/* ---- topologies ------------------------------------------------------------------------------ */

typedef struct Topology {
  const char *name;
  EmuShape shape; /* 0: not modelled */
  uint32_t step;  /* vertices from one primitive to the next */
  /* The vertices of primitives 0, 2, 4 … and of 1, 3, 5 …, counted from the primitive's first
   * vertex. */
  uint8_t even[3], odd[3];
  bool fan; /* the last corner is the first vertex of the run */
} Topology;

static const Topology topologies[] = {
    {"point_list", EMU_POINT, 1, {0}, {0}, false},
    {"line_list", EMU_LINE, 2, {0, 1}, {0, 1}, false},
    {"line_strip", EMU_LINE, 1, {0, 1}, {0, 1}, false},
    {"triangle_list", EMU_TRIANGLE, 3, {0, 1, 2}, {0, 1, 2}, false},
    {"triangle_strip", EMU_TRIANGLE, 1, {0, 1, 2}, {0, 2, 1}, false},
    {"triangle_fan", EMU_TRIANGLE, 1, {1, 2, 0}, {1, 2, 0}, true},
    {"line_list_with_adjacency", 0, 0, {0}, {0}, false},
    {"line_strip_with_adjacency", 0, 0, {0}, {0}, false},
    {"triangle_list_with_adjacency", 0, 0, {0}, {0}, false},
    {"triangle_strip_with_adjacency", 0, 0, {0}, {0}, false},
    {"patch_list", 0, 0, {0}, {0}, false},
};

static const Topology *topology_of(uint32_t number, char *text, size_t size) {
  if (number >= sizeof topologies / sizeof *topologies) {
    snprintf(text, size, "topology %u is not one of Vulkan's", number);
    return NULL;
  }
  if (topologies[number].shape)
    return &topologies[number];
  snprintf(text, size, "topology %s is not modelled", topologies[number].name);
  return NULL;
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* The draw as numbers of vertices, with NONE where it restarts. The caller frees them. NULL: out of
 * memory. */
static uint32_t *consecutive(const EmuAssembly *draw, EmuPrimitives *result) {
  uint32_t *stream = malloc((draw->count + 1u) * sizeof *stream);
  for (uint32_t i = 0; stream && i < draw->count; i++) {
    stream[i] = i;
    result->vertices[i] = draw->first + i;
  }
  result->vertex_count = draw->count;
  return stream;
}

static uint32_t index_at(const EmuAssembly *draw, uint64_t position) {
  uint32_t bytes = draw->index_bits / 8, index = 0;
  if (position >= draw->index_size / bytes)
    return 0;
  for (uint32_t i = 0; i < bytes; i++)
    index |= (uint32_t)draw->indices[position * bytes + i] << 8 * i;
  return index;
}

/* Slots hold a vertex, NONE: free. At most half of them are used. */
typedef struct Table {
  uint32_t *slots;
  uint32_t mask;
} Table;

static bool table_make(Table *table, uint32_t count) {
  uint32_t room = 16;
  while (room < 2 * count)
    room *= 2;
  table->mask = room - 1;
  table->slots = malloc(room * sizeof *table->slots);
  for (uint32_t i = 0; table->slots && i < room; i++)
    table->slots[i] = NONE;
  return table->slots != NULL;
}

static uint32_t vertex_of(Table *table, uint32_t index, EmuPrimitives *result) {
  uint32_t slot = (index * 2654435769u) >> 7 & table->mask;
  while (table->slots[slot] != NONE && result->vertices[table->slots[slot]] != index)
    slot = (slot + 1) & table->mask;
  if (table->slots[slot] == NONE) {
    result->vertices[result->vertex_count] = index;
    table->slots[slot] = result->vertex_count++;
  }
  return table->slots[slot];
}

static uint32_t *indexed(const EmuAssembly *draw, EmuPrimitives *result) {
  uint32_t greatest = draw->index_bits == 32 ? UINT32_MAX : (1u << draw->index_bits) - 1;
  Table table;
  uint32_t *stream = malloc((draw->count + 1u) * sizeof *stream);
  if (!table_make(&table, draw->count)) {
    free(stream);
    return NULL;
  }
  for (uint32_t i = 0; stream && i < draw->count; i++) {
    uint32_t index = index_at(draw, (uint64_t)draw->first + i);
    bool restarts = draw->restart && index == greatest;
    stream[i] = restarts ? NONE : vertex_of(&table, index + draw->vertex_offset, result);
  }
  free(table.slots);
  return stream;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static uint32_t place_of_last(const Topology *topology, const uint8_t *from) {
  uint32_t place = 0;
  for (uint32_t c = 1; c < (uint32_t)topology->shape; c++)
    place = from[c] > from[place] ? c : place;
  return place;
}

/* Adds the primitives of the vertices from one restart to the next. An incomplete primitive at the
 * end is dropped. */
static void put_run(const Topology *topology, bool last, const uint32_t *run, uint32_t length,
                    EmuPrimitives *result) {
  for (uint32_t i = 0, n = 0; length - i >= (uint32_t)topology->shape; i += topology->step, n++) {
    const uint8_t *from = n % 2 ? topology->odd : topology->even;
    uint32_t *corner = &result->corners[(size_t)result->count++ * topology->shape];
    uint32_t first = last ? place_of_last(topology, from) : 0;
    for (uint32_t c = 0; c < (uint32_t)topology->shape; c++) {
      uint32_t at = from[(first + c) % (uint32_t)topology->shape];
      corner[c] = run[topology->fan && at == 0 ? 0 : i + at];
    }
  }
}

static void put_all(const Topology *topology, bool last, const uint32_t *stream, uint32_t count,
                    EmuPrimitives *result) {
  for (uint32_t begin = 0, end; begin < count; begin = end + 1) {
    for (end = begin; end < count && stream[end] != NONE; end++)
      ;
    put_run(topology, last, &stream[begin], end - begin, result);
  }
}

static bool assemble(const EmuAssembly *draw, const Topology *topology, EmuPrimitives *result) {
  size_t most = (size_t)draw->count / topology->step * topology->shape;
  result->vertices = malloc((draw->count + 1u) * sizeof *result->vertices);
  result->corners = malloc((most + 1) * sizeof *result->corners);
  if (!result->vertices || !result->corners)
    return false;
  uint32_t *stream = draw->indices ? indexed(draw, result) : consecutive(draw, result);
  if (stream)
    put_all(topology, draw->provoking_last, stream, draw->count, result);
  free(stream);
  return stream != NULL;
}

bool emu_primitives_assemble(const EmuAssembly *draw, EmuPrimitives *result, char *text,
                             size_t text_size) {
  const Topology *topology = topology_of(draw->topology, text, text_size);
  *result = (EmuPrimitives){0};
  if (!topology)
    return false;
  if (draw->count > EMU_MAX_VERTICES) {
    snprintf(text, text_size, "a draw of %u vertices; at most %u are possible", draw->count,
             EMU_MAX_VERTICES);
    return false;
  }
  if (draw->indices && draw->index_bits != 8 && draw->index_bits != 16 && draw->index_bits != 32) {
    snprintf(text, text_size, "indices of %u bits; 8, 16 or 32 are possible", draw->index_bits);
    return false;
  }
  result->shape = topology->shape;
  return assemble(draw, topology, result) || fail_memory(text, text_size);
}

void emu_primitives_free(EmuPrimitives *primitives) {
  free(primitives->vertices);
  free(primitives->corners);
  *primitives = (EmuPrimitives){0};
}
