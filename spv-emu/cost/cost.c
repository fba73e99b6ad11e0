/* SPDX-License-Identifier: Apache-2.0 */
/* cost: see cost.h. */
#include "spv-emu/cost/cost.h"

#include "passes/ir/effects.h"
#include "passes/ir/pointer.h"

typedef enum Class {
#define EMU_COST_CLASS(name, purpose) CLASS_##name,
#include "spv-emu/cost/cost.def"
} Class;

static const struct {
  uint16_t first, last;
  uint8_t class;
} ranges[] = {
#define EMU_COST_RANGE(first, last, class) {SpvOp##first, SpvOp##last, CLASS_##class},
#include "spv-emu/cost/cost.def"
};

/* OpLoad, OpStore, OpCopyMemory: by the storage class of the first pointer. */
static Class class_of_access(const SrModule *m, SrRef r) {
  uint32_t pointer = sr_words(m, r)[sr_inst(m, r)->op == SpvOpLoad ? 3 : 1];
  switch (sr_pointer_class(m, pointer)) {
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
  case SpvStorageClassInput:
  case SpvStorageClassOutput:
    return CLASS_local;
  case SpvStorageClassWorkgroup:
    return CLASS_shared;
  default:
    return CLASS_memory;
  }
}

static Class class_in_ranges(uint16_t op) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (op >= ranges[i].first && op <= ranges[i].last)
      return ranges[i].class;
  return CLASS_other;
}

uint32_t emu_cost_class(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  Class class = class_in_ranges(op);
  if (sr_is_terminator(op))
    return CLASS_flow;
  if (sr_is_cross_lane(m, r) && class != CLASS_image)
    return CLASS_lanes;
  if (op >= SpvOpLoad && op <= SpvOpCopyMemorySized)
    return class_of_access(m, r);
  return class;
}

static bool is_plain(const spv_emu_cost *model) {
  bool plain = true;
  for (uint32_t i = 0; i < SPV_EMU_COST_CLASSES; i++)
    plain = plain && model->classes[i] == 1;
  return plain;
}

/* Sums the costs of a block's instructions. False: the sum does not fit in 32 bits. */
static bool sum_block(const SrModule *m, const EmuBlock *b, const spv_emu_cost *model,
                      uint32_t *place, uint32_t *sum) {
  uint64_t cycles = 0;
  for (SrRef r = b->first; r != SR_NONE; r = sr_inst(m, r)->next) {
    if (sr_counts(sr_inst(m, r)))
      cycles += model->classes[emu_cost_class(m, r)];
    if (place)
      place[r] = (uint32_t)cycles;
    if (r == b->last)
      break;
  }
  *sum = (uint32_t)cycles;
  return cycles <= UINT32_MAX;
}

SrStatus emu_cost_build(SrArena *arena, SrDiag *diag, const spv_emu_cost *model,
                        const EmuProgram *p, EmuCost *cost) {
  uint32_t *block = SR_NEW(arena, uint32_t, p->blocks.count);
  bool placed = model->subgroups || p->reads_clock;
  uint32_t *place = placed ? SR_NEW(arena, uint32_t, p->module->inst.count) : NULL;
  for (uint32_t b = 0; b < p->blocks.count; b++)
    if (!sum_block(p->module, &p->blocks.at[b], model, place, &block[b]))
      return sr_fail(diag, SR_BAD_OPTION, (SrWhere){.block = p->blocks.at[b].id, .word = SR_NONE},
                     "by the cost model it takes 2^32 cycles or more");
  *cost = (EmuCost){.model = model,
                    .block = block,
                    .place = place,
                    .added = model->classes[CLASS_flow],
                    .waits = model->subgroups != 0,
                    .stack = model->divergent || model->entries || model->insertion,
                    .plain = is_plain(model)};
  return SR_OK;
}
