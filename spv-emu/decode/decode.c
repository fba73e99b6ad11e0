/* SPDX-License-Identifier: Apache-2.0 */
/* decode: see decode.h and decoder.h. One walk over the module's globals declares types, constants
 * and variables in their order; then the functions that the entry point reaches are decoded, and
 * registers get their rows. */
#include "passes/base/text.h"
#include "passes/ir/decorations.h"
#include "passes/ir/pointer.h"
#include "passes/source/source_message.h"
#include "spv-emu/decode/decode_geometry.h"
#include "spv-emu/decode/decode_shape.h"
#include "spv-emu/decode/decode_stage.h"

/* ---- the entry point ------------------------------------------------------------------------- */

static const char *string_at(const SrModule *m, SrRef r, uint32_t word) {
  return (const char *)&sr_words(m, r)[word];
}

/* Is the entry point of the requested stage? */
static bool can_run(const EmuDecode *d, SrRef entry) {
  uint32_t model = sr_words(d->m, entry)[1];
  switch (d->options->stage) {
  case SPV_EMU_VERTEX:
    return model == SpvExecutionModelVertex;
  case SPV_EMU_GEOMETRY:
    return model == SpvExecutionModelGeometry;
  case SPV_EMU_FRAGMENT:
    return model == SpvExecutionModelFragment;
  default:
    return model == SpvExecutionModelGLCompute || model == SpvExecutionModelKernel;
  }
}

/* The requested OpEntryPoint; without a name the only one that can run, or that named "main". */
static SrRef find_entry(EmuDecode *d, const char *name) {
  SrRef found = SR_NONE;
  uint32_t count = 0;
  for (SR_EACH(d->m, r, d->m->globals)) {
    if (sr_inst(d->m, r)->op != SpvOpEntryPoint)
      continue;
    const char *this = string_at(d->m, r, 3);
    bool fits = can_run(d, r);
    if (name && strcmp(name, this) == 0 && (found == SR_NONE || fits))
      found = r;
    if (name && found == r && fits)
      return r;
    if (name || !fits)
      continue;
    if (count++ == 0 || strcmp(this, "main") == 0)
      found = r;
  }
  if (!name && count > 1 && strcmp(string_at(d->m, found, 3), "main") != 0)
    return SR_NONE;
  return found;
}

/* Names of SPIR-V's execution models, with their article. */
static const char *stage_name(uint32_t model) {
  static const char *const names[] = {"a vertex shader",
                                      "a tessellation control shader",
                                      "a tessellation evaluation shader",
                                      "a geometry shader",
                                      "a fragment shader",
                                      "a compute shader",
                                      "a kernel"};
  if (model < sizeof names / sizeof *names)
    return names[model];
  switch (model) {
  case SpvExecutionModelTaskNV:
  case SpvExecutionModelTaskEXT:
    return "a task shader";
  case SpvExecutionModelMeshNV:
  case SpvExecutionModelMeshEXT:
    return "a mesh shader";
  case SpvExecutionModelRayGenerationKHR:
    return "a ray generation shader";
  case SpvExecutionModelIntersectionKHR:
    return "an intersection shader";
  case SpvExecutionModelAnyHitKHR:
    return "an any-hit shader";
  case SpvExecutionModelClosestHitKHR:
    return "a closest-hit shader";
  case SpvExecutionModelMissKHR:
    return "a miss shader";
  case SpvExecutionModelCallableKHR:
    return "a callable shader";
  default:
    return "of another stage";
  }
}

enum { MOST_LISTED = 8 };

/* The names of all entry points, or of those that can run, separated by commas. */
static const char *list_entries(EmuDecode *d, bool runnable, uint32_t *count) {
  SrText list = {.arena = d->scratch};
  *count = 0;
  for (SR_EACH(d->m, r, d->m->globals)) {
    if (sr_inst(d->m, r)->op != SpvOpEntryPoint || (runnable && !can_run(d, r)))
      continue;
    if (++*count <= MOST_LISTED)
      sr_text_add(&list, "%s'%.40s'", *count > 1 ? ", " : "", string_at(d->m, r, 3));
  }
  if (*count > MOST_LISTED)
    sr_text_add(&list, ", ...");
  return sr_text_end(&list);
}

static uint32_t model_of(spv_emu_stage stage) {
  return stage == SPV_EMU_VERTEX     ? SpvExecutionModelVertex
         : stage == SPV_EMU_GEOMETRY ? SpvExecutionModelGeometry
                                     : SpvExecutionModelFragment;
}

static const char *other_tool(uint32_t model) {
  if (model == SpvExecutionModelGeometry)
    return ", or draw with it: spv-emu runs the draws of a case (.amber)";
  return model < SpvExecutionModelFragment
             ? ", or draw with it on a Vulkan driver, from a case for spv-harness"
             : "";
}

/* Refuses the requested entry point, or the module's first one, because its stage cannot run
 * here. */
static bool refuse_stage(EmuDecode *d, SrRef entry) {
  uint32_t count;
  const char *name = string_at(d->m, entry, 3);
  uint32_t model = sr_words(d->m, entry)[1];
  const char *stage = stage_name(model), *list = list_entries(d, true, &count);
  if (d->options->stage != SPV_EMU_COMPUTE)
    return emu_refuse(d, SR_NONE, "entry point '%.60s' is %s, and not %s, which is needed here",
                      name, stage, stage_name(model_of(d->options->stage)));
  if (count)
    return emu_refuse(
        d, SR_NONE,
        "entry point '%.60s' is %s, and spv-emu runs compute, fragment and vertex shaders and "
        "kernels: name one with --entry: %s",
        name, stage, list);
  return emu_refuse(
      d, SR_NONE,
      "entry point '%.60s' is %s, and spv-emu runs compute, fragment and vertex shaders and "
      "kernels: move the code to be measured to a compute shader%s",
      name, stage, other_tool(model));
}

static bool refuse_entry(EmuDecode *d, const char *name) {
  uint32_t count;
  const char *list = list_entries(d, !name, &count);
  if (count && name)
    return emu_refuse(d, SR_NONE, "there is no entry point '%.60s'; the module has %s", name, list);
  if (count)
    return emu_refuse(d, SR_NONE, "the module has %u entry points: name one with --entry: %s",
                      count, list);
  for (SR_EACH(d->m, r, d->m->globals))
    if (sr_inst(d->m, r)->op == SpvOpEntryPoint)
      return refuse_stage(d, r);
  return emu_refuse(
      d, SR_NONE,
      "the module has no entry point, and so nothing to run: it is a library; link it "
      "to a compute shader or kernel");
}

/* ---- the size of a workgroup ----------------------------------------------------------------- */

static bool is_constant(uint16_t op) {
  return op == SpvOpUndef || (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp);
}

/* Refuses modes of arithmetic that the lane engine does not implement. */
static bool check_mode(EmuDecode *d, SrRef r) {
  uint32_t mode = sr_words(d->m, r)[2];
  if (mode == SpvExecutionModeDenormFlushToZero || mode == SpvExecutionModeRoundingModeRTZ)
    return emu_refuse(
        d, r, "%s is not supported: floats are rounded to nearest even, and denormals kept",
        mode == SpvExecutionModeRoundingModeRTZ ? "RoundingModeRTZ" : "DenormFlushToZero");
  return true;
}

static bool size_from_ids(EmuDecode *d, SrRef r, uint32_t first) {
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t value;
    if (!emu_constant_value(d, sr_words(d->m, r)[first + i], &value))
      return emu_refuse(d, r, "the size of the workgroup, %%%u, is not an integer",
                        sr_words(d->m, r)[first + i]);
    d->p->local_size[i] = (uint32_t)value;
  }
  return true;
}

/* Takes the size from the vector `r`: a composite, an OpSpecConstantOp or an OpConstantNull. */
static bool size_from_constant(EmuDecode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  if (op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite)
    return size_from_ids(d, r, 3);
  const EmuValue *value = &d->values[sr_inst(d->m, r)->result];
  for (uint32_t i = 0; i < 3; i++)
    d->p->local_size[i] = i < value->count ? (uint32_t)emu_register_bits(d, value->at[i]) : 0;
  return true;
}

/* The size that execution modes or WorkgroupSize set, if any. */
static bool find_local_size(EmuDecode *d, uint32_t function, bool *fixed) {
  for (SR_EACH(d->m, r, d->m->globals)) {
    const uint32_t *w = sr_words(d->m, r);
    uint16_t op = sr_inst(d->m, r)->op;
    bool by_id =
        op == SpvOpExecutionModeId && w[1] == function && w[2] == SpvExecutionModeLocalSizeId;
    if (op == SpvOpExecutionMode && w[1] == function && !check_mode(d, r))
      return false;
    if (op == SpvOpExecutionMode && w[1] == function && w[2] == SpvExecutionModeLocalSize) {
      memcpy(d->p->local_size, w + 3, sizeof d->p->local_size);
      *fixed = true;
    }
    if (by_id && !size_from_ids(d, r, 3))
      return false;
    *fixed = *fixed || by_id;
  }
  for (SR_EACH(d->m, r, d->m->globals)) { /* WorkgroupSize takes precedence */
    uint32_t id = sr_inst(d->m, r)->result, builtin;
    if (!is_constant(sr_inst(d->m, r)->op) ||
        !sr_decoration_value(d->m, id, SpvDecorationBuiltIn, &builtin) ||
        builtin != SpvBuiltInWorkgroupSize)
      continue;
    if (!size_from_constant(d, r))
      return false;
    *fixed = true;
  }
  return true;
}

/* Kernels, which rarely set a size, have a subgroup of the usual size in a workgroup. */
enum { KERNEL_SIZE = 32 };

static bool read_local_size(EmuDecode *d, uint32_t function) {
  const uint32_t *wanted = d->options->local_size, *size = d->p->local_size;
  bool fixed = false;
  for (uint32_t i = 0; i < 3; i++)
    d->p->local_size[i] = wanted[i] ? wanted[i] : 1;
  if (!wanted[0] && d->p->model == SpvExecutionModelKernel)
    d->p->local_size[0] = KERNEL_SIZE;
  if (!find_local_size(d, function, &fixed))
    return false;
  for (uint32_t i = 0; i < 3 && fixed; i++)
    if (wanted[i] && wanted[i] != size[i])
      return emu_refuse(d, SR_NONE,
                        "the module sets a local size of %u x %u x %u: --local-size, which is for "
                        "kernels that set none, must be left out; if the size is made of "
                        "specialization constants, use --spec",
                        size[0], size[1], size[2]);
  if (size[0] == 0 || size[1] == 0 || size[2] == 0 ||
      (uint64_t)size[0] * size[1] > EMU_MAX_INVOCATIONS ||
      (uint64_t)size[0] * size[1] * size[2] > EMU_MAX_INVOCATIONS)
    return emu_refuse(d, SR_NONE, "a workgroup of %u x %u x %u invocations; 1 to %u are possible",
                      size[0], size[1], size[2], EMU_MAX_INVOCATIONS);
  return true;
}

enum { STAGE_LANES = 32, QUAD = 4 };

static bool choose_lanes(EmuDecode *d, uint32_t *lanes) {
  uint32_t *size = d->p->local_size;
  if (*lanes == 0)
    *lanes = emu_is_graphics(d) ? STAGE_LANES : size[0] * size[1] * size[2];
  if (*lanes > EMU_MAX_LANES)
    return emu_refuse(d, SR_NONE, "subgroups of %u lanes; 1 to %u are possible", *lanes,
                      EMU_MAX_LANES);
  if (d->p->model == SpvExecutionModelFragment && *lanes % QUAD)
    return emu_refuse(d, SR_NONE,
                      "fragments in subgroups of %u lanes: they must be a multiple of 4, quads",
                      *lanes);
  if (emu_is_graphics(d))
    size[0] = *lanes;
  d->p->lanes = *lanes;
  d->p->width = (*lanes + EMU_CHUNK - 1) / EMU_CHUNK * EMU_CHUNK;
  return true;
}

/* ---- globals --------------------------------------------------------------------------------- */

static void note_extended_set(EmuDecode *d, SrRef r) {
  const char *name = string_at(d->m, r, 2);
  uint32_t id = sr_inst(d->m, r)->result;
  if (strcmp(name, "GLSL.std.450") == 0)
    d->extended_glsl = id;
  else if (strcmp(name, "OpenCL.std") == 0)
    d->extended_opencl = id;
}

static bool addressing(EmuDecode *d, SrRef r) {
  uint32_t model = sr_words(d->m, r)[1];
  d->physical = model == SpvAddressingModelPhysical64;
  if (model == SpvAddressingModelPhysical32)
    return emu_refuse(
        d, r, "addresses of 32 bits are not supported: compile for 64, as with --target=spirv64");
  return true;
}

/* Declares types and constants first, because the size of a row depends on the size of the
 * workgroup, which may be a constant. */
static bool declare_types(EmuDecode *d) {
  for (SR_EACH(d->m, r, d->m->globals)) {
    uint16_t op = sr_inst(d->m, r)->op;
    if (op == SpvOpMemoryModel && !addressing(d, r))
      return false;
    if (op == SpvOpExtInstImport)
      note_extended_set(d, r);
    if (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer && !emu_type_declare(d, r))
      return false;
    if (op == SpvOpSpecConstantOp && !emu_spec_op_evaluate(d, r))
      return false;
    if (is_constant(op) && sr_bit(d->used, sr_inst(d->m, r)->result) &&
        !emu_type_has_value(d, r, sr_inst(d->m, r)->type))
      return false;
  }
  if (!emu_types_finish(d))
    return false;
  emu_workgroup_layout(d);
  return true;
}

static bool declare_variables(EmuDecode *d) {
  for (SR_EACH(d->m, r, d->m->globals))
    if (sr_inst(d->m, r)->op == SpvOpVariable && sr_bit(d->used, sr_inst(d->m, r)->result) &&
        !emu_variable_declare(d, r))
      return false;
  return true;
}

/* Marks all ids that the function's instructions use in d->used. */
static void mark_operands(EmuDecode *d, const SrFunction *f) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(d->m, r, f->blocks[b].list))
      for (uint32_t i = sr_inst(d->m, r)->first; i < sr_word_count(d->m, r); i++)
        if (sr_word_is_id(d->m, r, i))
          sr_bit_set(d->used, sr_words(d->m, r)[i]);
}

/* Finds the module variables that functions use; others may be of kinds that are not supported. */
static void find_used(EmuDecode *d) {
  d->used = sr_bits_new(d->scratch, sr_bound(d->m));
  for (uint32_t f = 0; f < d->m->function_count; f++)
    mark_operands(d, &d->m->functions[f]);
}

/* Each entry point may have a variable of push constants of its own: takes the one that is used. */
static void choose_push_constants(EmuDecode *d) {
  for (uint32_t i = 1; i < d->p->segments.count; i++) {
    uint32_t id = d->p->segments.at[i].id;
    if (!id || sr_pointer_class(d->m, id) != SpvStorageClassPushConstant || !sr_bit(d->used, id))
      continue;
    uint32_t type = emu_type(d, sr_inst(d->m, sr_def(d->m, id))->type)->element;
    d->p->push_segment = i;
    d->p->push_bytes = (uint32_t)emu_type(d, type)->size;
  }
}

/* Marks the bindings that the functions reached from the entry point use. */
static void mark_bindings(EmuDecode *d) {
  memset(d->used, 0, (sr_bound(d->m) + 63) / 64 * sizeof *d->used);
  for (uint32_t i = 0; i < d->reached.count; i++)
    mark_operands(d, &d->m->functions[d->reached.at[i]]);
  for (uint32_t i = 0; i < d->p->bindings.count; i++)
    if (sr_bit(d->used, d->p->bindings.at[i].id))
      d->p->bindings.at[i].used = true;
  choose_push_constants(d);
}

/* ---- the whole module ------------------------------------------------------------------------ */

static void make_tables(EmuDecode *d) {
  uint32_t bound = sr_bound(d->m);
  d->types = SR_NEW(d->scratch, EmuType, bound);
  d->values = SR_NEW(d->scratch, EmuValue, bound);
  d->pointers = sr_new_none(d->scratch, bound);
  d->block_of = sr_new_none(d->scratch, bound);
  d->alias_loads = sr_bits_new(d->scratch, bound);
  d->escapes = sr_bits_new(d->scratch, bound);
  d->last_use = SR_NEW(d->scratch, uint32_t, bound);
  d->constant_buckets = sr_new_none(d->scratch, (size_t)1 << EMU_CONSTANT_BITS);
  d->fixed.arena = d->scratch;
  d->block = SR_NONE;
  SR_PUSH(d->arena, &d->p->segments, (EmuSegment){.space = EMU_SPACE_NONE});
}

static bool place(EmuDecode *d) {
  emu_hoist(d);
  emu_coalesce(d);
  emu_fuse(d);
  return emu_registers_place(d);
}

static bool decode(EmuDecode *d, uint32_t *lanes) {
  SrRef entry = find_entry(d, d->options->entry);
  if (entry == SR_NONE)
    return refuse_entry(d, d->options->entry);
  if (!can_run(d, entry))
    return refuse_stage(d, entry);
  uint32_t id = sr_words(d->m, entry)[2];
  d->p->model = sr_words(d->m, entry)[1];
  if (emu_is_graphics(d) && !emu_stage_modes(d, id))
    return false;
  find_used(d);
  if (!declare_types(d) || !read_local_size(d, id) || !choose_lanes(d, lanes) ||
      !declare_variables(d) || !emu_geometry_room(d))
    return false;
  for (uint32_t i = 0; i < d->m->function_count; i++)
    if (d->m->functions[i].id == id && d->m->functions[i].block_count) {
      if (!emu_decode_functions(d, i))
        return false;
      mark_bindings(d);
      if (d->options->shapes)
        emu_shapes_describe(d);
      return d->options->debug ? emu_debug_describe(d) : place(d);
    }
  return emu_refuse(d, entry, "the entry point's function %%%u has no body", id);
}

SrStatus emu_decode(SrArena *arena, SrModule *m, const spv_emu_load_options *options,
                    uint32_t *lanes, EmuProgram **program) {
  SrArena scratch = sr_arena_new(arena->heap);
  EmuDecode d = {.m = m, .arena = arena, .scratch = &scratch, .options = options};
  d.isa = emu_isa();
  d.p = *program = SR_NEW(arena, EmuProgram, 1);
  *d.p = (EmuProgram){.arena = arena, .module = m, .source = sr_source_new(arena, m)};
  sr_source_read_all(d.p->source);
  sr_source_explain(m, d.p->source);
  d.uniform = sr_uniform_build(&scratch, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  make_tables(&d);
  bool done = decode(&d, lanes);
  sr_arena_free(&scratch);
  return done ? SR_OK : m->diag->status;
}
