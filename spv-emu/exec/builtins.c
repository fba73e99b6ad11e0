/* SPDX-License-Identifier: Apache-2.0 */
/* builtins: see builtins.h. */
#include "spv-emu/exec/builtins.h"

#include "spv-emu/subgroup/subgroup.h"

#include <string.h>

/* Where a lane is in its workgroup. */
typedef struct Index {
  uint32_t local[3], linear;
} Index;

static Index first_index(const uint32_t size[3], uint32_t linear) {
  return (Index){{linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]},
                 linear};
}

static void next_index(Index *index, const uint32_t size[3]) {
  index->linear++;
  if (++index->local[0] < size[0])
    return;
  index->local[0] = 0;
  if (++index->local[1] < size[1])
    return;
  index->local[1] = 0;
  index->local[2]++;
}

/* Word number `word` (32 bits) of the mask of lanes that the builtin gives for `lane`. */
static uint32_t mask_word(uint32_t builtin, uint32_t lane, uint32_t lanes, uint32_t word) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t other = 32 * word + i;
    bool in = builtin == SpvBuiltInSubgroupEqMask   ? other == lane
              : builtin == SpvBuiltInSubgroupGeMask ? other >= lane && other < lanes
              : builtin == SpvBuiltInSubgroupGtMask ? other > lane && other < lanes
              : builtin == SpvBuiltInSubgroupLeMask ? other <= lane
                                                    : other < lane;
    bits |= (uint32_t)in << i;
  }
  return bits;
}

/* Does a builtin that is a single number differ between lanes? */
static bool varies(uint32_t builtin) {
  switch (builtin) {
  case SpvBuiltInLocalInvocationIndex:
  case SpvBuiltInGlobalLinearId:
  case SpvBuiltInSubgroupLocalInvocationId:
    return true;
  }
  return emu_is_ballot_builtin(builtin);
}

static uint64_t global(const EmuLanes *s, const EmuWhere *at, const Index *index, uint32_t c) {
  return (uint64_t)at->group[c] * s->program->local_size[c] + index->local[c];
}

static uint64_t lane_value(const EmuLanes *s, const EmuWhere *at, uint32_t builtin,
                           const Index *index, uint32_t c) {
  const uint32_t *size = s->program->local_size;
  switch (builtin) {
  case SpvBuiltInLocalInvocationIndex:
    return index->linear;
  case SpvBuiltInGlobalLinearId:
    return (global(s, at, index, 2) * at->groups[1] * size[1] + global(s, at, index, 1)) *
               at->groups[0] * size[0] +
           global(s, at, index, 0);
  case SpvBuiltInSubgroupLocalInvocationId:
    return index->linear - at->first;
  }
  return mask_word(builtin, index->linear - at->first, s->size, c);
}

static uint64_t subgroup_value(const EmuLanes *s, const EmuWhere *at, uint32_t builtin,
                               uint32_t c) {
  const uint32_t *size = s->program->local_size;
  switch (builtin) {
  case SpvBuiltInNumWorkgroups:
    return at->groups[c];
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
    return size[c];
  case SpvBuiltInWorkgroupId:
    return at->group[c];
  case SpvBuiltInGlobalSize:
    return (uint64_t)at->groups[c] * size[c];
  case SpvBuiltInWorkDim:
    return 3;
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupMaxSize:
    return s->size;
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInNumEnqueuedSubgroups:
    return (size[0] * size[1] * size[2] + s->size - 1) / s->size;
  case SpvBuiltInSubgroupId:
    return at->first / s->size;
  }
  return 0; /* GlobalOffset, DeviceIndex */
}

static void put(uint8_t *row, uint32_t bytes, uint32_t lane, uint64_t value) {
  if (bytes == 4) /* little-endian, like all rows */
    memcpy(row + (size_t)lane * 4, &value, 4);
  else
    memcpy(row + (size_t)lane * bytes, &value, bytes);
}

void emu_constants_fill(EmuLanes *s) {
  for (uint32_t i = 0; i < s->program->constants.count; i++) {
    const EmuConstantRow *c = &s->program->constants.at[i];
    emu_row_fill(s->file + c->row, (EmuKind)c->kind, s->width, c->bits);
  }
}

/* for (EACH_LANE(…)): index is the lane's position. */
#define EACH_LANE(lane, index, s)                                                                  \
  uint32_t lane = 0;                                                                               \
  lane < (s)->size;                                                                                \
  lane++, next_index(&index, (s)->program->local_size)

static void fill_component(EmuLanes *s, const EmuWhere *where, const EmuBuiltin *b, uint32_t c) {
  uint8_t *row = s->file + b->row + (size_t)c * b->stride;
  uint32_t bytes = emu_kind_bytes((EmuKind)b->kind);
  Index index = first_index(s->program->local_size, where->first);
  if (b->builtin == SpvBuiltInLocalInvocationId || b->builtin == SpvBuiltInGlobalInvocationId) {
    bool local = b->builtin == SpvBuiltInLocalInvocationId;
    uint64_t first = local ? 0 : (uint64_t)where->group[c] * s->program->local_size[c];
    for (EACH_LANE(lane, index, s))
      put(row, bytes, lane, first + index.local[c]);
  } else if (varies(b->builtin)) {
    for (EACH_LANE(lane, index, s))
      put(row, bytes, lane, lane_value(s, where, b->builtin, &index, c));
  } else {
    emu_row_fill(row, (EmuKind)b->kind, s->size, subgroup_value(s, where, b->builtin, c));
  }
}

/* The stage gives every lane of a fragment its own (draw/draw_inputs.c). */
static bool is_of_fragments(uint32_t builtin) {
  return builtin == SpvBuiltInFragCoord || builtin == SpvBuiltInPointCoord ||
         builtin == SpvBuiltInFrontFacing;
}

void emu_builtins_fill(EmuLanes *s, const EmuWhere *where) {
  const EmuProgram *p = s->program;
  for (uint32_t i = 0; i < p->builtins.count; i++)
    for (uint32_t c = 0;
         !is_of_fragments(p->builtins.at[i].builtin) && c < p->builtins.at[i].components; c++)
      fill_component(s, where, &p->builtins.at[i], c);
}
