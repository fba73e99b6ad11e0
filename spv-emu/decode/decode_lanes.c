/* SPDX-License-Identifier: Apache-2.0 */
/* decode_lanes: instructions by which lanes communicate, except barriers (decode_memory.c).
 *
 * A table maps ranges of opcodes to functions that decode them; handlers come from subgroup.h.
 * Vectors are decoded by component, except for AllEqual and Partition, which compare whole vectors.
 * All these instructions are masked: inactive lanes do not take part.
 *
 * The execution scope is Subgroup or Workgroup; for the latter program->whole_groups is set, which
 * requires that a workgroup fits in one subgroup. Asynchronous copies and the shuffles and block
 * reads of SPV_INTEL_subgroups are refused by name. Derivatives are not masked (subgroup/quad.h).
 */
#include "passes/source/source_message.h"
#include "spv-emu/alu/isa.h"
#include "spv-emu/decode/decode.h"
#include "spv-emu/engine/tangle.h"
#include "spv-emu/subgroup/quad.h"
#include "spv-emu/subgroup/subgroup.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

#define BALLOT 4           /* registers of a ballot */
#define MOST_COMPONENTS 16 /* of a vector, at most */

static SpvOp op_of(const EmuDecode *d, SrRef r) {
  return (SpvOp)sr_inst(emu_module(d), r)->op;
}

static EmuKind result_kind(const EmuDecode *d, SrRef r) {
  return emu_type_kind(d, sr_inst(emu_module(d), r)->type);
}

static uint32_t result_count(EmuDecode *d, SrRef r) {
  return emu_type_components(d, sr_inst(emu_module(d), r)->type);
}

static bool misfit(EmuDecode *d, SrRef r) {
  return emu_refuse(d, r, "SPIR-V does not allow the type of the result or of an operand");
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_plain(const EmuDecode *d, uint32_t type) {
  switch (sr_def_op(emu_module(d), type)) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
    return true;
  default:
    return false;
  }
}

/* The registers and kind of operand `at`, a scalar or vector; NULL, with a message: it is
 * neither. */
static const uint32_t *any_value_of(EmuDecode *d, SrRef r, uint32_t at, EmuKind *kind,
                                    uint32_t *count) {
  uint32_t id = emu_operand(d, r, at), type = emu_type_of(d, id);
  if (!is_plain(d, type)) {
    misfit(d, r);
    return NULL;
  }
  *kind = emu_type_kind(d, type);
  return emu_use(d, id, count);
}

/* The same; it must have `count` components of that kind. */
static const uint32_t *value_of(EmuDecode *d, SrRef r, uint32_t at, EmuKind kind, uint32_t count) {
  EmuKind have;
  uint32_t components;
  const uint32_t *registers = any_value_of(d, r, at, &have, &components);
  if (!registers || (have == kind && components == count))
    return registers;
  misfit(d, r);
  return NULL;
}

/* Operand `at`, integers of any width, as registers of EMU_U32. (A wider index that does not fit
 * names no lane, so the result is undefined in SPIR-V anyway.) */
static bool indices_of(EmuDecode *d, SrRef r, uint32_t at, uint32_t *registers, uint32_t most,
                       uint32_t *count) {
  EmuKind kind;
  const uint32_t *given = any_value_of(d, r, at, &kind, count);
  if (!given)
    return false;
  if (*count > most || kind < EMU_U8 || kind > EMU_U64)
    return misfit(d, r);
  for (uint32_t n = 0; n < *count; n++) {
    registers[n] = given[n];
    if (kind != EMU_U32) {
      registers[n] = emu_temp(d, EMU_U32);
      emu_emit(d, emu_isa()->convert(SpvOpUConvert, kind, EMU_U32), registers[n], given[n],
               EMU_NO_ROW, EMU_NO_ROW);
    }
  }
  return true;
}

static bool index_of(EmuDecode *d, SrRef r, uint32_t at, uint32_t *reg) {
  uint32_t count;
  return indices_of(d, r, at, reg, 1, &count);
}

/* A cluster's size: a constant power of two. */
static bool cluster_of(EmuDecode *d, SrRef r, uint32_t at, uint32_t *size) {
  uint64_t value;
  if (!emu_constant_value(d, emu_operand(d, r, at), &value))
    return emu_refuse(d, r, "the cluster size is not a constant");
  if (!value || value & (value - 1) || value > UINT32_MAX)
    return emu_refuse(d, r, "the cluster size is %llu, not a power of two",
                      (unsigned long long)value);
  *size = (uint32_t)value;
  return true;
}

static bool scope_fits(EmuDecode *d, SrRef r) {
  uint64_t scope;
  if (!emu_constant_value(d, emu_operand(d, r, 0), &scope))
    return emu_refuse(d, r, "the execution scope is not a constant");
  if (scope == SpvScopeWorkgroup)
    emu_program(d)->whole_groups = true;
  else if (scope != SpvScopeSubgroup)
    return emu_refuse(d, r,
                      "the execution scope is %llu; 3 (Subgroup) and 2 (Workgroup) are supported",
                      (unsigned long long)scope);
  return true;
}

static bool handler_of(EmuDecode *d, SrRef r, EmuKind kind, uint32_t group, EmuHandler **run) {
  *run = emu_lanes_find(op_of(d, r), kind, group);
  return *run ||
         emu_refuse(d, r, "SPIR-V does not define it on this type, or with group operation %u",
                    group);
}

/* ---- shapes of instructions; `at` is the operand after the scope ----------------------------- */

/* result = run(value, b), by component. Fills in d and a of `shape`; its list has `listed`
 * registers, all read. */
static bool by_component(EmuDecode *d, SrRef r, uint32_t at, const EmuIns *shape, uint32_t listed) {
  uint32_t count = result_count(d, r);
  const uint32_t *a = value_of(d, r, at, result_kind(d, r), count);
  if (!a)
    return false;
  const uint32_t *to = emu_define(d, r, &count);
  EmuIns ins = *shape;
  for (uint32_t n = 0; n < count; n++) {
    ins.d = to[n];
    ins.a = a[n];
    emu_emit_masked(d, &ins, 0, listed);
  }
  return true;
}

/* One result, from b and a list of registers that are read. */
static bool from_list(EmuDecode *d, SrRef r, EmuHandler *run, uint32_t b, const uint32_t *registers,
                      uint32_t count) {
  EmuKind kind = result_kind(d, r), made = kind == EMU_BOOL ? EMU_BOOL : EMU_U32;
  uint32_t list = emu_list(d, registers, count), one;
  if (result_count(d, r) != 1)
    return misfit(d, r);
  uint32_t to = emu_define(d, r, &one)[0], step = made == kind ? to : emu_temp(d, made);
  emu_emit_masked(d,
                  &(EmuIns){.run = run,
                            .d = step,
                            .a = EMU_NO_ROW,
                            .b = b,
                            .c = EMU_NO_ROW,
                            .list = list,
                            .x = count},
                  0, count);
  if (made != kind) /* the result has a different width */
    emu_emit(d, emu_isa()->convert(SpvOpUConvert, made, kind), to, step, EMU_NO_ROW, EMU_NO_ROW);
  return true;
}

/* A ballot from a, and from a list of registers that are read. */
static bool to_ballot(EmuDecode *d, SrRef r, EmuHandler *run, uint32_t a, const uint32_t *registers,
                      uint32_t count) {
  uint32_t all[BALLOT + MOST_COMPONENTS], four;
  if (result_kind(d, r) != EMU_U32 || result_count(d, r) != BALLOT || count > MOST_COMPONENTS)
    return misfit(d, r);
  emu_program(d)->ballots = true;
  memcpy(all, emu_define(d, r, &four), BALLOT * sizeof *all);
  for (uint32_t n = 0; n < count; n++)
    all[BALLOT + n] = registers[n];
  emu_emit_masked(d,
                  &(EmuIns){.run = run,
                            .d = EMU_NO_ROW,
                            .a = a,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = emu_list(d, all, BALLOT + count),
                            .x = count},
                  BALLOT, BALLOT + count);
  return true;
}

static bool decode_elect(EmuDecode *d, SrRef r, uint32_t at) {
  (void)at;
  EmuHandler *run;
  return handler_of(d, r, EMU_BOOL, 0, &run) && (result_kind(d, r) == EMU_BOOL || misfit(d, r)) &&
         from_list(d, r, run, EMU_NO_ROW, NULL, 0);
}

/* Votes, broadcasts, shuffles: a value and, except for votes and BroadcastFirst, an index. */
static bool decode_value(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t b = EMU_NO_ROW, cluster = 0, operands = emu_operand_count(d, r);
  EmuHandler *run;
  return (operands <= at + 1 || index_of(d, r, at + 1, &b)) &&
         (operands <= at + 2 || cluster_of(d, r, at + 2, &cluster)) && /* Rotate has clusters */
         handler_of(d, r, result_kind(d, r), 0, &run) &&
         by_component(d, r, at, &(EmuIns){.run = run, .b = b, .c = EMU_NO_ROW, .x = cluster}, 0);
}

static bool decode_quad_broadcast(EmuDecode *d, SrRef r, uint32_t at) {
  emu_program(d)->facts.quads = true;
  return decode_value(d, r, at);
}

/* OpGroupNonUniformQuadSwap by direction, horizontal, vertical or diagonal: lanes that differ in
 * bit 0, bit 1 or both. */
static bool decode_quad_swap(EmuDecode *d, SrRef r, uint32_t at) {
  uint64_t direction;
  emu_program(d)->facts.quads = true;
  EmuHandler *run = emu_lanes_find(SpvOpGroupNonUniformShuffleXor, result_kind(d, r), 0);
  if (!emu_constant_value(d, emu_operand(d, r, at + 1), &direction) || direction > 2)
    return emu_refuse(d, r, "the direction is not a constant from 0 to 2");
  uint32_t mask = emu_bits(d, EMU_U32, direction + 1);
  return by_component(d, r, at, &(EmuIns){.run = run, .b = mask, .c = EMU_NO_ROW}, 0);
}

/* OpGroupBroadcast: the lane is given by a number, or by its coordinates in the workgroup. */
static bool decode_group_broadcast(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t coordinates[3], count;
  EmuHandler *run;
  if (!indices_of(d, r, at + 1, coordinates, 3, &count) ||
      !handler_of(d, r, result_kind(d, r), 0, &run))
    return false;
  emu_program(d)->whole_groups |= count > 1;
  EmuIns shape = {.run = run,
                  .b = EMU_NO_ROW,
                  .c = EMU_NO_ROW,
                  .list = emu_list(d, coordinates, count),
                  .x = count};
  return by_component(d, r, at, &shape, count);
}

static bool decode_all_equal(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t count;
  EmuKind kind;
  EmuHandler *run;
  const uint32_t *a = any_value_of(d, r, at, &kind, &count);
  return a && handler_of(d, r, kind, 0, &run) && (result_kind(d, r) == EMU_BOOL || misfit(d, r)) &&
         from_list(d, r, run, EMU_NO_ROW, a, count);
}

static bool decode_ballot(EmuDecode *d, SrRef r, uint32_t at) {
  EmuHandler *run;
  const uint32_t *a = value_of(d, r, at, EMU_BOOL, 1);
  return a && handler_of(d, r, EMU_BOOL, 0, &run) && to_ballot(d, r, run, a[0], NULL, 0);
}

static bool decode_partition(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t count;
  EmuKind kind;
  EmuHandler *run;
  const uint32_t *a = any_value_of(d, r, at, &kind, &count);
  return a && handler_of(d, r, kind, 0, &run) && to_ballot(d, r, run, EMU_NO_ROW, a, count);
}

/* One bit of a ballot; BitExtract has its index as an operand. */
static bool decode_ballot_bit(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t b = EMU_NO_ROW;
  EmuHandler *run;
  const uint32_t *ballot = value_of(d, r, at, EMU_U32, BALLOT);
  emu_program(d)->ballots = true;
  return ballot && (emu_operand_count(d, r) <= at + 1 || index_of(d, r, at + 1, &b)) &&
         handler_of(d, r, EMU_U32, 0, &run) && (result_kind(d, r) == EMU_BOOL || misfit(d, r)) &&
         from_list(d, r, run, b, ballot, BALLOT);
}

/* A number from a ballot; BitCount has a group operation before the ballot. */
static bool decode_ballot_number(EmuDecode *d, SrRef r, uint32_t at) {
  bool counts = op_of(d, r) == SpvOpGroupNonUniformBallotBitCount;
  EmuKind kind = result_kind(d, r);
  EmuHandler *run;
  const uint32_t *ballot = value_of(d, r, at + counts, EMU_U32, BALLOT);
  emu_program(d)->ballots = true;
  return ballot && handler_of(d, r, EMU_U32, counts ? emu_operand(d, r, at) : 0, &run) &&
         ((kind >= EMU_U8 && kind <= EMU_U64) || misfit(d, r)) &&
         from_list(d, r, run, EMU_NO_ROW, ballot, BALLOT);
}

/* Reductions and scans: group operation, value, and a cluster size or a partition's ballot. */
static bool decode_fold(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t group = emu_operand(d, r, at), list = 0, listed = 0, cluster = 0;
  EmuHandler *run;
  if (!handler_of(d, r, result_kind(d, r), group, &run))
    return false;
  if (group == SpvGroupOperationClusteredReduce && !cluster_of(d, r, at + 2, &cluster))
    return false;
  if (group >= SpvGroupOperationPartitionedReduceNV) {
    const uint32_t *ballot = value_of(d, r, at + 2, EMU_U32, BALLOT);
    if (!ballot)
      return false;
    emu_program(d)->ballots = true;
    listed = BALLOT;
    list = emu_list(d, ballot, listed);
  }
  return by_component(
      d, r, at + 1,
      &(EmuIns){.run = run, .b = EMU_NO_ROW, .c = EMU_NO_ROW, .list = list, .x = cluster}, listed);
}

/* Decodes by component. Only the handler of the first component counts the quads that are not
 * whole. */
static bool decode_derivative(EmuDecode *d, SrRef r, uint32_t at) {
  uint32_t count = result_count(d, r);
  if (emu_program(d)->model != SpvExecutionModelFragment)
    return emu_refuse(d, r, "only fragment shaders have quads: pass the derivative as a value");
  const uint32_t *a = value_of(d, r, at, EMU_F32, count);
  if (!a || (result_kind(d, r) != EMU_F32 && !misfit(d, r)))
    return false;
  emu_program(d)->facts.quads = true;
  const uint32_t *to = emu_define(d, r, &count);
  for (uint32_t n = 0; n < count; n++)
    emu_emit_x(d, emu_quad_find(op_of(d, r)), to[n], a[n], EMU_NO_ROW, EMU_NO_ROW, n == 0);
  return true;
}

static bool refuse_opcode(EmuDecode *d, SrRef r, uint32_t at) {
  (void)at;
  return emu_refuse(d, r, "this instruction is not supported");
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
  uint16_t first, last;
  bool scope; /* the first operand is the execution scope */
  bool (*decode)(EmuDecode *d, SrRef r, uint32_t at);
} table[] = {
    {SpvOpDPdx, SpvOpFwidthCoarse, false, decode_derivative},
    {SpvOpGroupAll, SpvOpGroupAny, true, decode_value},
    {SpvOpGroupBroadcast, SpvOpGroupBroadcast, true, decode_group_broadcast},
    {SpvOpGroupIAdd, SpvOpGroupSMax, true, decode_fold},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformElect, true, decode_elect},
    {SpvOpGroupNonUniformAll, SpvOpGroupNonUniformAny, true, decode_value},
    {SpvOpGroupNonUniformAllEqual, SpvOpGroupNonUniformAllEqual, true, decode_all_equal},
    {SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformBroadcastFirst, true, decode_value},
    {SpvOpGroupNonUniformBallot, SpvOpGroupNonUniformBallot, true, decode_ballot},
    {SpvOpGroupNonUniformInverseBallot, SpvOpGroupNonUniformBallotBitExtract, true,
     decode_ballot_bit},
    {SpvOpGroupNonUniformBallotBitCount, SpvOpGroupNonUniformBallotFindMSB, true,
     decode_ballot_number},
    {SpvOpGroupNonUniformShuffle, SpvOpGroupNonUniformShuffleDown, true, decode_value},
    {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor, true, decode_fold},
    {SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadBroadcast, true,
     decode_quad_broadcast},
    {SpvOpGroupNonUniformQuadSwap, SpvOpGroupNonUniformQuadSwap, true, decode_quad_swap},
    {SpvOpSubgroupBallotKHR, SpvOpSubgroupBallotKHR, false, decode_ballot},
    {SpvOpSubgroupFirstInvocationKHR, SpvOpSubgroupFirstInvocationKHR, false, decode_value},
    {SpvOpSubgroupAllKHR, SpvOpSubgroupAnyKHR, false, decode_value},
    {SpvOpSubgroupAllEqualKHR, SpvOpSubgroupAllEqualKHR, false, decode_all_equal},
    {SpvOpGroupNonUniformRotateKHR, SpvOpGroupNonUniformRotateKHR, true, decode_value},
    {SpvOpSubgroupReadInvocationKHR, SpvOpSubgroupReadInvocationKHR, false, decode_value},
    {SpvOpGroupIAddNonUniformAMD, SpvOpGroupSMaxNonUniformAMD, true, decode_fold},
    {SpvOpGroupNonUniformPartitionNV, SpvOpGroupNonUniformPartitionNV, false, decode_partition},
    {SpvOpSubgroupShuffleINTEL, SpvOpSubgroupImageMediaBlockWriteINTEL, false, refuse_opcode},
    {SpvOpGroupIMulKHR, SpvOpGroupLogicalXorKHR, true, decode_fold},
};

/* Emits the report of the lanes that run the operation together. */
static void report_tangle(EmuDecode *d, SrRef r) {
  char place[EMU_MOST_PLACE] = "", name[EMU_MOST_PLACE];
  SrSourcePlace at = sr_source_at(d->p->source, r);
  sr_source_print(d->p->source, at, place, sizeof place);
  snprintf(name, sizeof name, "Op%s", spvOpcodeString(op_of(d, r)));
  const EmuBlock *b = &d->p->blocks.at[d->block];
  const spv_emu_subgroup_op op = {.opcode = op_of(d, r),
                                  .name = sr_strndup(d->arena, name, strlen(name)),
                                  .function = d->p->functions.at[b->function].name,
                                  .block = b->id,
                                  .line = at.line,
                                  .place = sr_strndup(d->arena, place, strlen(place))};
  SR_PUSH(d->arena, &d->p->subgroup_ops, op);
  emu_emit_masked(d,
                  &(EmuIns){.run = emu_tangle_report,
                            .d = EMU_NO_ROW,
                            .a = EMU_NO_ROW,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .x = d->p->subgroup_ops.count - 1},
                  0, 0);
}

bool emu_decode_lanes(EmuDecode *d, SrRef r, bool *mine) {
  SpvOp op = op_of(d, r);
  for (size_t n = 0; n < sizeof table / sizeof *table; n++)
    if (op >= table[n].first && op <= table[n].last) {
      *mine = true;
      emu_program(d)->lane_op = op;
      if (d->options->tangles && table[n].decode != decode_derivative)
        report_tangle(d, r);
      if (table[n].decode != refuse_opcode && !is_plain(d, sr_inst(emu_module(d), r)->type))
        return misfit(d, r);
      return (!table[n].scope || scope_fits(d, r)) && table[n].decode(d, r, table[n].scope);
    }
  *mine = false;
  return true;
}
