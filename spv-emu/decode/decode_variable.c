/* SPDX-License-Identifier: Apache-2.0 */
/* decode_variable: where variables are stored. Each gets a segment (bytecode.h): rows of the
 * register file, bytes of each lane, bytes of the workgroup, or a buffer that is bound later.
 * Images and samplers get entries in their tables instead. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/decode_stage.h"
#include "spv-emu/subgroup/subgroup.h"

static uint64_t round_up(uint64_t n, uint64_t to) {
  return (n + to - 1) / to * to;
}

static uint32_t new_segment(EmuDecode *d, EmuSegment segment) {
  SR_PUSH(d->arena, &d->p->segments, segment);
  return d->p->segments.count - 1;
}

/* ---- variables of one invocation ------------------------------------------------------------- */

static bool in_file(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t, EmuPointer *place) {
  uint64_t at, bytes = place->rows ? t->row_size : round_up(t->size, 8);
  if (!emu_fixed_room(d, r, bytes, &at))
    return false;
  place->segment =
      new_segment(d, (EmuSegment){.space = place->rows ? EMU_SPACE_ROWS : EMU_SPACE_LANE,
                                  .writable = true,
                                  .at = (uint32_t)at * d->p->width,
                                  .size = place->rows ? bytes * d->p->width : bytes,
                                  .id = id});
  return true;
}

/* How many integers the builtin consists of; 0: it is not supported. */
static uint32_t builtin_components(uint32_t builtin) {
  switch (builtin) {
  case SpvBuiltInNumWorkgroups:
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInWorkgroupId:
  case SpvBuiltInLocalInvocationId:
  case SpvBuiltInGlobalInvocationId:
  case SpvBuiltInGlobalSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
  case SpvBuiltInGlobalOffset:
    return 3;
  case SpvBuiltInLocalInvocationIndex:
  case SpvBuiltInWorkDim:
  case SpvBuiltInGlobalLinearId:
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupMaxSize:
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInNumEnqueuedSubgroups:
  case SpvBuiltInSubgroupId:
  case SpvBuiltInSubgroupLocalInvocationId:
  case SpvBuiltInDeviceIndex:
    return 1;
  }
  return emu_is_ballot_builtin(builtin) ? 4 : 0;
}

/* The validator does not check the types of kernels' builtins. */
static bool is_integers(const EmuDecode *d, const EmuType *t, uint32_t components) {
  const EmuType *one = t->op == SpvOpTypeVector ? emu_type(d, t->element) : t;
  return one->op == SpvOpTypeInt && t->components == components;
}

static bool input(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t, EmuPointer *place) {
  uint32_t builtin;
  if (!sr_decoration_value(d->m, id, SpvDecorationBuiltIn, &builtin))
    return emu_refuse(d, r, "an input that is not a builtin: compute shaders have no others");
  if (!builtin_components(builtin))
    return emu_refuse(d, r, "BuiltIn %u is not supported in compute shaders and kernels", builtin);
  if (!is_integers(d, t, builtin_components(builtin)))
    return emu_refuse(d, r, "SPIR-V does not allow BuiltIn %u to have this type", builtin);
  if (emu_is_ballot_builtin(builtin))
    d->p->ballots = true;
  if (!in_file(d, r, id, t, place))
    return false;
  EmuSegment *segment = &d->p->segments.at[place->segment];
  segment->writable = false;
  SR_PUSH(d->arena, &d->p->builtins,
          (EmuBuiltin){.builtin = builtin,
                       .row = segment->at,
                       .stride = emu_kind_bytes((EmuKind)t->kind) * d->p->width,
                       .components = t->components,
                       .kind = t->kind});
  return true;
}

/* An input or output of a graphics stage. */
static bool port(EmuDecode *d, SrRef r, uint32_t id, uint32_t storage_class, EmuPointer *place) {
  bool written = storage_class == SpvStorageClassOutput;
  if (!in_file(d, r, id, emu_type(d, place->type), place))
    return false;
  d->p->segments.at[place->segment].writable = written;
  return emu_stage_variable(d, r, id, place->type, written, place);
}

bool emu_variable_corner(EmuDecode *d, SrRef r, uint32_t segment, uint32_t corner, uint32_t *made) {
  uint32_t key = segment * 4 + corner, id = d->p->segments.at[segment].id;
  d->corners.arena = d->scratch;
  *made = sr_map_get(&d->corners, key);
  if (*made != SR_NONE)
    return true;
  EmuPointer place = {.dynamic = EMU_NO_ROW,
                      .type = emu_type(d, sr_inst(d->m, sr_def(d->m, id))->type)->element,
                      .rows = true};
  if (!in_file(d, r, id, emu_type(d, place.type), &place) ||
      !emu_stage_corner(d, r, id, place.type, corner, &place))
    return false;
  d->p->segments.at[place.segment].writable = false;
  *made = place.segment;
  sr_map_set(&d->corners, key, *made);
  return true;
}

/* ---- variables of the workgroup -------------------------------------------------------------- */

enum { MAX_SHARED = 1 << 28, MAX_PUSHED = 1 << 16 };

/* Aliased blocks share their memory, so all begin at the same place. */
static bool is_aliased(const EmuDecode *d, uint32_t id) {
  return emu_workgroup_is_block(d, id) && sr_is_decorated(d->m, id, SpvDecorationAliased);
}

static bool workgroup(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t, EmuPointer *place) {
  EmuProgram *p = d->p;
  bool aliased = is_aliased(d, id);
  uint64_t at = aliased && d->aliased != SR_NONE ? p->segments.at[d->aliased].at
                                                 : round_up(p->shared_bytes, 16);
  uint64_t end = at + t->size;
  if (end > MAX_SHARED)
    return emu_refuse(d, r, "the workgroup's memory is larger than %u MB: make its arrays shorter",
                      MAX_SHARED >> 20);
  p->shared_bytes = end > p->shared_bytes ? (uint32_t)end : p->shared_bytes;
  place->segment = new_segment(d, (EmuSegment){.space = EMU_SPACE_WORKGROUP,
                                               .writable = true,
                                               .at = (uint32_t)at,
                                               .size = t->size,
                                               .id = id});
  if (aliased && d->aliased == SR_NONE)
    d->aliased = place->segment;
  return true;
}

/* ---- variables bound by the caller ----------------------------------------------------------- */

/* Reserves a segment for each descriptor of a binding, or an entry of the tables of images and
 * samplers. */
static bool bind(EmuDecode *d, SrRef r, EmuBinding binding, const EmuSegment *segment,
                 EmuPointer *place) {
  EmuProgram *p = d->p;
  uint64_t first = binding.image ? p->image_count : p->segments.count;
  uint32_t count = binding.count ? binding.count : EMU_RUNTIME_DESCRIPTORS;
  if (count > EMU_MAX_SEGMENTS - first)
    return emu_refuse(d, r, "the module has more than %u descriptors: make its arrays shorter",
                      EMU_MAX_SEGMENTS);
  binding.first = (uint32_t)first;
  binding.room = count;
  SR_PUSH(d->arena, &p->bindings, binding);
  if (binding.image) {
    p->image_count += count;
    place->image = true;
    place->offset = first;
  } else {
    for (uint32_t i = 0; i < count; i++)
      new_segment(d, *segment);
    place->segment = (uint32_t)first;
  }
  return true;
}

static bool descriptor(EmuDecode *d, SrRef r, uint32_t id, uint32_t storage_class,
                       EmuPointer *place) {
  const EmuType *t = emu_type(d, place->type);
  EmuBinding binding = {.id = id, .storage_class = storage_class, .count = 1};
  if (!sr_decoration_value(d->m, id, SpvDecorationDescriptorSet, &binding.set) ||
      !sr_decoration_value(d->m, id, SpvDecorationBinding, &binding.binding))
    return emu_refuse(d, r, "it has no DescriptorSet and Binding: decorate it with both");
  const EmuType *one = t;
  if (emu_type_is_array(t)) {
    binding.count = t->count;
    place->descriptors = t->count ? t->count : EMU_RUNTIME_DESCRIPTORS;
    one = emu_type(d, t->element);
    if (emu_type_is_array(one))
      return emu_refuse(d, r, "arrays of arrays of descriptors are not supported: use one array");
  }
  uint32_t struct_type = emu_type_is_array(t) ? t->element : place->type;
  binding.image = emu_type_is_descriptor(one);
  binding.written = storage_class == SpvStorageClassStorageBuffer || one->op == SpvOpTypeImage ||
                    sr_is_decorated(d->m, struct_type, SpvDecorationBufferBlock);
  if (sr_is_decorated(d->m, id, SpvDecorationNonWritable))
    binding.written = false;
  EmuSegment segment = {
      .space = EMU_SPACE_BUFFER, .writable = binding.written, .counted = true, .id = id};
  return bind(d, r, binding, &segment, place);
}

static bool push_constants(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t,
                           EmuPointer *place) {
  if (t->size > MAX_PUSHED)
    return emu_refuse(d, r, "the push constants are larger than %u KB: use a buffer",
                      MAX_PUSHED >> 10);
  place->segment = new_segment(d, (EmuSegment){.space = EMU_SPACE_BUFFER, .id = id});
  d->p->push_segment = place->segment;
  d->p->push_bytes = (uint32_t)t->size;
  return true;
}

typedef struct Bytes {
  EmuDecode *d;
  const uint32_t *registers;
  uint8_t *bytes;
} Bytes;

static void put_leaf(void *user, uint64_t offset, EmuKind kind) {
  Bytes *b = user;
  uint64_t bits = emu_register_bits(b->d, *b->registers++);
  if (kind == EMU_BOOL)
    bits = bits ? 1 : 0;
  memcpy(b->bytes + offset, &bits, emu_kind_bytes(kind));
}

/* A constant table of a kernel. */
static bool constant_data(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t, EmuPointer *place) {
  uint32_t count, initializer = emu_operand(d, r, 1);
  if (!initializer || t->size > MAX_SHARED || sr_def_op(d->m, initializer) == SpvOpVariable)
    return emu_refuse(
        d, r, "a constant table without a value: link the module that has it, or pass a buffer");
  if (!emu_type_has_value(d, r, place->type))
    return false;
  Bytes b = {d, emu_use(d, initializer, &count), SR_NEW(d->arena, uint8_t, t->size)};
  emu_type_leaves(d, place->type, false, (EmuMatrix){0}, 0, put_leaf, &b);
  place->segment = new_segment(
      d, (EmuSegment){.space = EMU_SPACE_BUFFER, .size = t->size, .bytes = b.bytes, .id = id});
  return true;
}

/* A variable that shaders only refer to: an image, a sampler or an array of these; in kernels, a
 * constant table. */
static bool refer(EmuDecode *d, SrRef r, uint32_t id, const EmuType *t, EmuPointer *place) {
  uint32_t one = emu_type_is_array(t) ? t->element : place->type;
  if (sr_def_op(d->m, one) == SpvOpTypeAccelerationStructureKHR)
    return emu_refuse(
        d, r, "acceleration structures are not supported: run the shader on a Vulkan driver");
  if (emu_type_is_descriptor(emu_type(d, one)))
    return descriptor(d, r, id, SpvStorageClassUniformConstant, place);
  return constant_data(d, r, id, t, place);
}

/* ---- declarations of variables --------------------------------------------------------------- */

static bool place_variable(EmuDecode *d, SrRef r, uint32_t id, uint32_t storage_class,
                           EmuPointer *place) {
  const EmuType *t = emu_type(d, place->type);
  switch (storage_class) {
  case SpvStorageClassInput:
    return emu_is_graphics(d) ? port(d, r, id, storage_class, place) : input(d, r, id, t, place);
  case SpvStorageClassOutput:
    if (emu_is_graphics(d))
      return port(d, r, id, storage_class, place);
    return in_file(d, r, id, t, place);
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
    return in_file(d, r, id, t, place);
  case SpvStorageClassWorkgroup:
    return workgroup(d, r, id, t, place);
  case SpvStorageClassPushConstant:
    return push_constants(d, r, id, t, place);
  case SpvStorageClassUniformConstant:
    return refer(d, r, id, t, place);
  case SpvStorageClassStorageBuffer:
  case SpvStorageClassUniform:
    return descriptor(d, r, id, storage_class, place);
  }
  return emu_refuse(d, r, "variables of storage class %u are not supported: pass a buffer",
                    storage_class);
}

bool emu_variable_declare(EmuDecode *d, SrRef r) {
  uint32_t id = sr_inst(d->m, r)->result;
  const EmuType *pointer = emu_type(d, sr_inst(d->m, r)->type);
  uint32_t storage_class = emu_operand(d, r, 0);
  EmuPointer place = {.segment = SR_NONE,
                      .dynamic = EMU_NO_ROW,
                      .type = pointer->element,
                      .rows = emu_class_in_rows(d, storage_class)};
  if (!place_variable(d, r, id, storage_class, &place))
    return false;
  emu_set_pointer(d, id, &place);
  return true;
}

bool emu_variable_start(EmuDecode *d, SrRef r) {
  uint32_t initializer = emu_operand(d, r, 1), count;
  uint32_t storage_class = emu_operand(d, r, 0);
  if (!initializer || storage_class == SpvStorageClassUniformConstant)
    return true;
  if (storage_class == SpvStorageClassWorkgroup) {
    d->p->segments.at[emu_pointer_of(d, sr_inst(d->m, r)->result).segment].zeroed = true;
    return true;
  }
  if (sr_def_op(d->m, initializer) == SpvOpVariable)
    return emu_refuse(
        d, r, "an initializer that is a pointer is not supported: store it in the function");
  if (!emu_type_has_value(d, r, emu_type_of(d, initializer)))
    return false;
  const uint32_t *registers = emu_use(d, initializer, &count);
  return emu_store_registers(d, r, sr_inst(d->m, r)->result, registers, count);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Parameter i of a kernel is a buffer, binding i of set 0: the memory that a pointer points to, or
 * a buffer that starts with the bytes of a value. The buffer bound for a pointer to workgroup
 * memory gives only the size of that memory. */

static bool kernel_parameters(EmuDecode *d, const SrFunction *f) {
  uint32_t number = 0;
  for (SR_EACH(d->m, r, f->head)) {
    if (sr_inst(d->m, r)->op != SpvOpFunctionParameter)
      continue;
    uint32_t id = sr_inst(d->m, r)->result;
    const EmuType *t = emu_type(d, sr_inst(d->m, r)->type);
    bool pointer = t->op == SpvOpTypePointer;
    bool shared = pointer && t->storage_class == SpvStorageClassWorkgroup;
    if (pointer && !shared && t->storage_class != SpvStorageClassCrossWorkgroup &&
        t->storage_class != SpvStorageClassUniformConstant)
      return emu_refuse(d, r,
                        "a kernel's argument may not point to storage class %u, only to buffers "
                        "and workgroup memory",
                        t->storage_class);
    EmuPointer place = {.segment = SR_NONE,
                        .dynamic = EMU_NO_ROW,
                        .type = pointer ? t->element : sr_inst(d->m, r)->type};
    EmuBinding binding = {.binding = number++,
                          .id = id,
                          .count = 1,
                          .image = emu_type_is_descriptor(t),
                          .used = true,
                          .storage_class = pointer ? t->storage_class : SpvStorageClassUniform,
                          .written = pointer && t->storage_class == SpvStorageClassCrossWorkgroup};
    EmuSegment segment = {.space = shared ? EMU_SPACE_WORKGROUP : EMU_SPACE_BUFFER,
                          .writable = binding.written || shared,
                          .counted = pointer && binding.written,
                          .id = id};
    if (!bind(d, r, binding, &segment, &place))
      return false;
    if (pointer) {
      emu_set_pointer(d, id, &place);
      continue;
    }
    if (!emu_type_has_value(d, r, place.type))
      return false;
    uint32_t count;
    const uint32_t *registers = emu_value_new(d, id, EMU_REGISTER_SHARED, &count);
    if (!emu_load_from(d, r, &place, place.type, registers, count))
      return false;
  }
  return true;
}

/* ---- the start of the program ---------------------------------------------------------------- */

bool emu_variables_start(EmuDecode *d) {
  for (SR_EACH(d->m, r, d->m->globals))
    if (sr_inst(d->m, r)->op == SpvOpVariable && sr_bit(d->used, sr_inst(d->m, r)->result) &&
        !emu_variable_start(d, r))
      return false;
  return kernel_parameters(d, d->function);
}
