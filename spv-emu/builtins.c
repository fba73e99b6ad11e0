/* builtins: see builtins.h. */
#include "builtins.h"

#include <string.h>

typedef struct Index {
  uint32_t local[3], linear;
} Index;

static Index index_of(const uint32_t size[3], uint32_t linear) {
  return (Index){{linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]},
                 linear};
}

static uint32_t invocations(const uint32_t size[3]) {
  return size[0] * size[1] * size[2];
}

/* Bits 32 * word … of the set of lanes below `lane`, and whether it holds the lane itself. */
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

static uint64_t value_of(const EmuLanes *s, const EmuWhere *at, uint32_t builtin, uint32_t lane,
                         uint32_t c) {
  const EmuProgram *p = s->program;
  const uint32_t *size = p->local_size;
  Index index = index_of(size, at->first + lane);
  uint32_t subgroups = (invocations(size) + s->size - 1) / s->size;
  uint64_t global[3];
  for (uint32_t i = 0; i < 3; i++)
    global[i] = (uint64_t)at->group[i] * size[i] + index.local[i];
  switch (builtin) {
  case SpvBuiltInNumWorkgroups:
    return at->groups[c];
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
    return size[c];
  case SpvBuiltInWorkgroupId:
    return at->group[c];
  case SpvBuiltInLocalInvocationId:
    return index.local[c];
  case SpvBuiltInGlobalInvocationId:
    return global[c];
  case SpvBuiltInLocalInvocationIndex:
    return index.linear;
  case SpvBuiltInGlobalSize:
    return (uint64_t)at->groups[c] * size[c];
  case SpvBuiltInGlobalLinearId:
    return (global[2] * at->groups[1] * size[1] + global[1]) * at->groups[0] * size[0] + global[0];
  case SpvBuiltInWorkDim:
    return 3;
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupMaxSize:
    return s->size;
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInNumEnqueuedSubgroups:
    return subgroups;
  case SpvBuiltInSubgroupId:
    return at->first / s->size;
  case SpvBuiltInSubgroupLocalInvocationId:
    return lane;
  case SpvBuiltInSubgroupEqMask:
  case SpvBuiltInSubgroupGeMask:
  case SpvBuiltInSubgroupGtMask:
  case SpvBuiltInSubgroupLeMask:
  case SpvBuiltInSubgroupLtMask:
    return mask_word(builtin, lane, s->size, c);
  }
  return 0; /* GlobalOffset, DeviceIndex */
}

static void fill(uint8_t *row, uint32_t width, uint32_t bytes, uint64_t bits) {
  for (uint32_t lane = 0; lane < width; lane++)
    memcpy(row + (size_t)lane * bytes, &bits, bytes);
}

void emu_builtins_fill(EmuLanes *s, const EmuWhere *where) {
  const EmuProgram *p = s->program;
  for (uint32_t i = 0; i < p->constants.count; i++) {
    const EmuConstantRow *c = &p->constants.at[i];
    fill(s->file + c->row, s->width, emu_kind_bytes((EmuKind)c->kind), c->bits);
  }
  for (uint32_t i = 0; i < p->builtins.count; i++) {
    const EmuBuiltin *b = &p->builtins.at[i];
    uint32_t bytes = emu_kind_bytes((EmuKind)b->kind);
    for (uint32_t c = 0; c < b->components; c++)
      for (uint32_t lane = 0; lane < s->size; lane++) {
        uint64_t value = value_of(s, where, b->builtin, lane, c);
        memcpy(s->file + b->row + (size_t)c * b->stride + (size_t)lane * bytes, &value, bytes);
      }
  }
}
