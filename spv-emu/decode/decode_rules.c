/* SPDX-License-Identifier: Apache-2.0 */
/* decode_rules: emits the demands of --check=vuid before the instructions that have a rule about
 * uniformity (engine/breach.h). A table names the instructions, the rule, and the operand that the
 * rule is about. */
#include "passes/ir/decorations.h"
#include "passes/ir/effects.h"
#include "passes/ir/newer.h"
#include "spv-emu/decode/decode.h"
#include "spv-emu/engine/breach.h"

typedef enum Shape {
  RESOURCE, /* a pointer to a buffer, or an image: which descriptor */
  VALUE,    /* a scalar, uniform within the subgroup */
  QUAD_VALUE,
  ALL_LANES, /* all lanes must be active; there is no operand unless the scope is wider than a
                subgroup */
  WHOLE_QUADS,
} Shape;

static const struct {
  uint16_t first, last; /* opcodes */
  uint8_t shape, rule, operand;
} table[] = {
    {SpvOpLoad, SpvOpStore, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpCopyMemory, SpvOpCopyMemorySized, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpCopyMemory, SpvOpCopyMemorySized, RESOURCE, EMU_RULE_NON_UNIFORM, 1},
    {SpvOpAtomicLoad, SpvOpAtomicXor, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpImageSampleImplicitLod, SpvOpImageWrite, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseDrefGather, RESOURCE, EMU_RULE_NON_UNIFORM,
     0},
    {SpvOpImageSparseRead, SpvOpImageSparseRead, RESOURCE, EMU_RULE_NON_UNIFORM, 0},
    {SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformBroadcast, VALUE, EMU_RULE_BROADCAST, 2},
    {SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadBroadcast, QUAD_VALUE,
     EMU_RULE_QUAD_BROADCAST, 2},
    {SpvOpGroupNonUniformRotateKHR, SpvOpGroupNonUniformRotateKHR, VALUE, EMU_RULE_ROTATE, 2},
    {SpvOpGroupBroadcast, SpvOpGroupBroadcast, VALUE, EMU_RULE_GROUP_BROADCAST, 2},
    {SpvOpControlBarrier, SpvOpControlBarrier, ALL_LANES, EMU_RULE_BARRIER, 0},
    {SpvOpGroupAsyncCopy, SpvOpGroupSMax, ALL_LANES, EMU_RULE_GROUP, 0},
    {SpvOpDPdx, SpvOpFwidthCoarse, WHOLE_QUADS, EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSampleImplicitLod, SpvOpImageSampleImplicitLod, WHOLE_QUADS, EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSampleDrefImplicitLod, SpvOpImageSampleDrefImplicitLod, WHOLE_QUADS,
     EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSampleProjImplicitLod, SpvOpImageSampleProjImplicitLod, WHOLE_QUADS,
     EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSampleProjDrefImplicitLod, SpvOpImageSampleProjDrefImplicitLod, WHOLE_QUADS,
     EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseSampleImplicitLod, WHOLE_QUADS,
     EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageSparseSampleDrefImplicitLod, SpvOpImageSparseSampleDrefImplicitLod, WHOLE_QUADS,
     EMU_RULE_DERIVATIVE, 0},
    {SpvOpImageQueryLod, SpvOpImageQueryLod, WHOLE_QUADS, EMU_RULE_DERIVATIVE, 0},
};

/* Emits the handler; `reg` EMU_NO_ROW: it needs no row. */
static void emit(EmuDecode *d, EmuHandler *run, EmuDemand demand, uint32_t reg) {
  demand.block = d->block;
  SR_PUSH(d->arena, &d->p->demands, demand);
  emu_emit_masked(d,
                  &(EmuIns){.run = run,
                            .d = EMU_NO_ROW,
                            .a = reg,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = reg == EMU_NO_ROW ? 0 : emu_register(d, reg)->kind,
                            .x = d->p->demands.count - 1},
                  0, 0);
}

/* The high bits of a buffer's address hold its descriptor. A descriptor that is known while
 * decoding is uniform, and physical addresses have no descriptor. */
static void demand_buffer(EmuDecode *d, EmuDemand demand) {
  EmuPointer place = emu_pointer_of(d, demand.operand);
  uint32_t class = emu_type(d, emu_type_of(d, demand.operand))->storage_class;
  if (place.segment != SR_NONE || place.image ||
      (class != SpvStorageClassUniform && class != SpvStorageClassStorageBuffer))
    return;
  demand.shift = EMU_SEGMENT_SHIFT;
  emit(d, emu_demand_same, demand, place.dynamic);
}

/* The image of an OpImageTexelPointer. */
static void demand_texel(EmuDecode *d, EmuDemand demand) {
  SrRef texel = sr_def(d->m, demand.operand);
  EmuPointer image = emu_pointer_of(d, emu_operand(d, texel, 0));
  demand.image = true;
  if (image.dynamic != EMU_NO_ROW)
    emit(d, emu_demand_same, demand, image.dynamic);
}

static void demand_image(EmuDecode *d, EmuDemand demand) {
  uint32_t count;
  const uint32_t *registers = emu_use(d, demand.operand, &count);
  demand.image = true;
  for (uint32_t i = 0; i < count; i++)
    emit(d, emu_demand_same, demand, registers[i]);
}

static void demand_resource(EmuDecode *d, EmuDemand demand) {
  if (sr_is_decorated(d->m, demand.operand, SpvDecorationNonUniform))
    return;
  if (emu_type(d, emu_type_of(d, demand.operand))->op != SpvOpTypePointer)
    demand_image(d, demand);
  else if (sr_def_op(d->m, demand.operand) == SpvOpImageTexelPointer)
    demand_texel(d, demand);
  else
    demand_buffer(d, demand);
}

/* Is the instruction's scope wider than a subgroup? */
static bool is_wide(EmuDecode *d, SrRef r) {
  uint64_t scope;
  return emu_constant_value(d, emu_operand(d, r, 0), &scope) && scope <= SpvScopeWorkgroup;
}

/* An operation of the subgroup, or of quads, that is not in the table. */
static void demand_convergence(EmuDecode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  bool wide = op == SpvOpControlBarrier || (op >= SpvOpGroupAsyncCopy && op <= SpvOpGroupSMax);
  if (!sr_is_cross_lane(d->m, r) || sr_reads_ballot(d->m, r) || (wide && is_wide(d, r)))
    return;
  if (!sr_is_quad_operation(d->m, r))
    emit(d, emu_demand_all, (EmuDemand){.rule = EMU_RULE_PARTIAL_SUBGROUP, .inst = r}, EMU_NO_ROW);
  else if (op == SpvOpGroupNonUniformQuadBroadcast || op == SpvOpGroupNonUniformQuadSwap ||
           op == SR_OP_QUAD_ALL || op == SR_OP_QUAD_ANY)
    emit(d, emu_demand_quads, (EmuDemand){.rule = EMU_RULE_PARTIAL_QUAD, .inst = r}, EMU_NO_ROW);
}

void emu_decode_rules(EmuDecode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  if (d->options->check_convergence)
    demand_convergence(d, r);
  if (!d->options->check_vuid)
    return;
  for (uint32_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (op < table[i].first || op > table[i].last)
      continue;
    EmuDemand demand = {.rule = table[i].rule, .inst = r};
    if (table[i].shape <= QUAD_VALUE)
      demand.operand = emu_operand(d, r, table[i].operand);
    switch ((Shape)table[i].shape) {
    case RESOURCE:
      demand_resource(d, demand);
      break;
    case VALUE:
      emit(d, emu_demand_same, demand, emu_use1(d, demand.operand));
      break;
    case QUAD_VALUE:
      emit(d, emu_demand_quad_same, demand, emu_use1(d, demand.operand));
      break;
    case ALL_LANES:
      if (is_wide(d, r))
        emit(d, emu_demand_all, demand, EMU_NO_ROW);
      break;
    case WHOLE_QUADS:
      if (d->p->model == SpvExecutionModelFragment)
        emit(d, emu_demand_quads, demand, EMU_NO_ROW);
      break;
    }
  }
}
