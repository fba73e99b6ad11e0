/* SPDX-License-Identifier: Apache-2.0 */
/* load: spv_emu_load, and queries of a program.
 *
 * All later code requires that the module is valid, except for its control flow, which may be
 * arbitrary. So a structurized copy of the module is validated. It still has all other errors of
 * the module. */
#include "passes/analysis/graph/order_list.h"
#include "passes/assembly/grammar_age.h"
#include "passes/base/text.h"
#include "passes/best/best.h"
#include "passes/driver/options.h"
#include "passes/driver/pipeline.h"
#include "passes/driver/validate.h"
#include "passes/ir/byte_order.h"
#include "passes/ir/label.h"
#include "passes/ir/reader.h"
#include "passes/source/source_message.h"
#include "passes/source/source_names.h"
#include "spv-emu/api/known.h"
#include "spv-emu/api/ports.h"
#include "spv-emu/api/source.h"
#include "spv-emu/api/spec_name.h"
#include "spv-emu/decode/decode.h"
#include "spv-emu/engine/program.h"
#include "spv-emu/native/native.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALLOT_LANES = 128 };

static void no_lap(void *user, const char *name) {
  (void)user, (void)name;
}

/* Two faults stop no run: debug information that the validator refuses (some that llvm-spirv
 * writes; nothing relies on it), and right control flow that a validator with an error refuses.
 * Changes the options so that they are passed over; false: there is another fault, or both were
 * tried. */
static bool pass_over(spvreconv_options *options, const char *message) {
  static const char restructure[] = "strip-merges,structurize";
  if (strstr(message, "DebugInfo.100") && !options->strip_debug)
    return options->strip_debug = true;
  if (!strstr(message, restructure) || strcmp(options->transform, restructure) == 0)
    return false;
  options->transform = restructure;
  return true;
}

/* `env` NULL: the environment is chosen by the module. */
static spvreconv_status validate(const uint32_t *words, size_t count, const char *env,
                                 spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "structurize";
  options.target_env = env;
  options.validate = SPVRECONV_VALIDATE_FULL; /* whatever its size */
  spvreconv_status status = spvreconv_run(&options, words, count, result);
  while (status == SPVRECONV_BAD_INPUT && pass_over(&options, spvreconv_result_message(*result))) {
    spvreconv_result_destroy(*result);
    status = spvreconv_run(&options, words, count, result);
  }
  return status;
}

/* A message of spvreconv without the place at its end. */
static char *without_place(SrArena *arena, const char *message) {
  const char *place = strstr(message, " (word ");
  return sr_strndup(arena, message, place ? (size_t)(place - message) : strlen(message));
}

/* What SPIRV-Tools says of the module. */
static const char *said_of(SrArena *arena, const spvreconv_result *result) {
  static const char before[] = "spirv-val says: ";
  const char *message = spvreconv_result_message(result), *said = strstr(message, before);
  return without_place(arena, said ? said + strlen(before) : message);
}

/* Refuses a module that cannot be validated, or is not valid. `part`: the words are not the whole
 * module, and so a message's place is not one in it. */
static SrStatus refuse(spv_emu_program *e, const uint32_t *words, size_t count, bool part,
                       const spvreconv_result *result) {
  const char *message = spvreconv_result_message(result);
  if (strstr(message, "spirv-val says: ") &&
      sr_grammar_age_is_newer(SPV_ENV_UNIVERSAL_1_6, words, count))
    return sr_fail(&e->diag, SR_BAD_INPUT, SR_NOWHERE,
                   "SPIRV-Tools %s is older than the module, which it has to check: %s",
                   spvSoftwareVersionString(), said_of(&e->arena, result));
  return sr_fail(
      &e->diag, SR_BAD_INPUT, SR_NOWHERE, "%s%s",
      strstr(message, "after transforming") ? "of the module made structured to be checked: " : "",
      part ? without_place(&e->arena, message) : message);
}

/* Leaves out the declarations that SPIRV-Tools does not know, with a notice, and validates the rest
 * of the module. */
static SrStatus check_known(spv_emu_program *e, const uint32_t *words, size_t count,
                            const spvreconv_result *whole) {
  size_t kept;
  const uint32_t *known = emu_known_words(&e->arena, words, count, &kept);
  if (kept == count)
    return refuse(e, words, count, false, whole);
  spvreconv_result *result;
  spvreconv_status status = validate(known, kept, NULL, &result);
  SrStatus done = SR_OK;
  if (status == SPVRECONV_OUT_OF_MEMORY)
    done = SR_OUT_OF_MEMORY;
  else if (status != SPVRECONV_OK)
    done = refuse(e, known, kept, true, result);
  SrText text = {.arena = &e->arena};
  sr_text_add(&text, "validated only in part, SPIRV-Tools %s is older than the module: %s",
              spvSoftwareVersionString(), said_of(&e->arena, whole));
  e->notice = sr_text_end(&text);
  spvreconv_result_destroy(result);
  return done;
}

/* Does the module only break rules of Vulkan? spvreconv takes such modules, too. `whole`: what is
 * said of it as a module for Vulkan. */
static bool is_for_others(spv_emu_program *e, const uint32_t *words, size_t count,
                          const spvreconv_result *whole) {
  char env[16];
  uint32_t minor = words[1] >> 8 & 0xff;
  snprintf(env, sizeof env, "spv1.%u", (unsigned)minor);
  spvreconv_result *result = NULL;
  bool valid = strstr(spvreconv_result_message(whole), "spirv-val says: ") &&
               validate(words, count, env, &result) == SPVRECONV_OK;
  spvreconv_result_destroy(result);
  if (!valid)
    return false;
  SrText text = {.arena = &e->arena};
  sr_text_add(&text, "valid as SPIR-V 1.%u, but not for Vulkan, spirv-val says: %s",
              (unsigned)minor, said_of(&e->arena, whole));
  e->notice = sr_text_end(&text);
  return true;
}

static SrStatus check(spv_emu_program *e, const uint32_t *words, size_t count) {
  spvreconv_result *result;
  spvreconv_status status = validate(words, count, NULL, &result);
  SrStatus done = SR_OK;
  if (status == SPVRECONV_OUT_OF_MEMORY)
    done = SR_OUT_OF_MEMORY;
  else if (status != SPVRECONV_OK && !is_for_others(e, words, count, result))
    done = check_known(e, words, count, result);
  spvreconv_result_destroy(result);
  return done;
}

/* A single order is used directly, for a better message. */
static SrStatus choose_order(spv_emu_program *e, SrArena *scratch,
                             const spv_emu_load_options *options, const char **order) {
  *order = options->order_count == 1 ? options->orders[0] : NULL;
  for (uint32_t i = 0; i < options->order_count && !*order; i++)
    if (sr_order_fits(scratch, e->m, options->orders[i]))
      *order = options->orders[i];
  return *order || !options->order_count ? SR_OK
                                         : sr_fail(&e->diag, SR_BAD_OPTION, SR_NOWHERE,
                                                   "the profile has no program with these blocks");
}

static SrStatus transform(spv_emu_program *e, SrArena *scratch,
                          const spv_emu_load_options *wanted) {
  if (!wanted->transform)
    return SR_OK;
  spvreconv_options given;
  spvreconv_options_init(&given, sizeof given);
  given.transform = wanted->transform;
  SR_CHECK(choose_order(e, scratch, wanted, &given.order));
  SrOptions options;
  SR_CHECK(sr_options_read(&given, &e->arena, &e->diag, &options));
  SrPipeline pipeline = sr_pipeline_new(&e->arena, e->m);
  pipeline.scratch = scratch;
  pipeline.steps = options.steps;
  pipeline.step_count = options.step_count;
  pipeline.options.max_growth = options.max_growth;
  pipeline.options.order = options.order;
  pipeline.choose = sr_best;
  pipeline.lap = no_lap;
  return sr_pipeline_run(&pipeline);
}

/* The name of the struct that variable `id` points to, directly or as the element of an array;
 * NULL: there is no such struct. */
static const char *block_name(const SrModule *m, const char *const *names, uint32_t id) {
  uint32_t type = sr_inst(m, sr_def(m, id))->type;
  for (;;) {
    SrRef def = sr_def(m, type);
    SpvOp op = def == SR_NONE ? SpvOpNop : (SpvOp)sr_inst(m, def)->op;
    if (op == SpvOpTypeStruct)
      return names[type];
    if (op != SpvOpTypePointer && op != SpvOpTypeArray && op != SpvOpTypeRuntimeArray)
      return NULL;
    type = sr_words(m, def)[op == SpvOpTypePointer ? 3 : 2];
  }
}

static const char *variable_name(const SrModule *m, const char *const *names, uint32_t id) {
  return names[id] ? names[id] : block_name(m, names, id);
}

static void name_segments(spv_emu_program *e, const char *const *names) {
  for (uint32_t i = 0; i < e->p->segments.count; i++) {
    EmuSegment *segment = &e->p->segments.at[i];
    if (segment->id)
      segment->name = variable_name(e->m, names, segment->id);
  }
}

static void list_bindings(spv_emu_program *e, const char *const *names) {
  const EmuProgram *p = e->p;
  e->bindings = SR_NEW(&e->arena, spv_emu_binding, p->bindings.count);
  for (uint32_t i = 0; i < p->bindings.count; i++) {
    const EmuBinding *b = &p->bindings.at[i];
    if (b->used)
      e->bindings[e->binding_count++] =
          (spv_emu_binding){.set = b->set,
                            .binding = b->binding,
                            .count = b->count,
                            .image = b->image,
                            .written = b->written,
                            .id = b->id,
                            .name = names[b->id],
                            .block = block_name(e->m, names, b->id),
                            .shape = p->shapes ? &p->shapes[i] : NULL};
  }
}

static SrStatus load(spv_emu_program *e, const uint32_t *words, size_t count,
                     const spv_emu_load_options *options) {
  SrArena scratch = sr_arena_new(&e->heap);
  uint32_t *read = SR_NEW_RAW(&e->arena, uint32_t, count);
  memcpy(read, words, count * sizeof *read);
  if (sr_is_swapped(words, count))
    sr_swap(read, words, count);
  if (!options->known)
    SR_CHECK(check(e, read, count));
  SR_CHECK(sr_read(&e->arena, &e->diag, read, count, &e->m));
  sr_source_name_functions(e->m);
  sr_source_explain(e->m, NULL);
  SR_CHECK(transform(e, &scratch, options));
  uint32_t lanes = options->subgroup_size;
  spv_emu_load_options how = *options;
  spv_emu_spec *specs;
  SR_CHECK(emu_specs_resolve(&scratch, &e->diag, e->m, options->specs, options->spec_count, &specs,
                             &how.spec_count));
  how.specs = specs;
  e->constants = emu_specs_list(&e->arena, e->m, specs, how.spec_count, &e->constant_count);
  SR_CHECK(emu_decode(&e->arena, e->m, &how, &lanes, &e->p));
  sr_arena_free(&scratch);
  if (e->p->ballots && lanes > BALLOT_LANES)
    return sr_fail(&e->diag, SR_BAD_INPUT, SR_NOWHERE,
                   "the module uses ballots, which hold %u lanes: a subgroup of %u is too large",
                   (unsigned)BALLOT_LANES, lanes);
  const uint32_t *size = e->p->local_size;
  if (e->p->whole_groups && size[0] * size[1] * size[2] > lanes)
    return sr_fail(
        &e->diag, SR_BAD_INPUT, SR_NOWHERE,
        "the module has group operations over the workgroup: its subgroups must have all "
        "of its %u lanes, as with --subgroup-size=workgroup",
        size[0] * size[1] * size[2]);
  e->check_uniform = options->check_uniform;
  const char **names = sr_source_names(&e->arena, e->m);
  name_segments(e, names);
  list_bindings(e, names);
  emu_ports_list(e, names);
  emu_source_make(e);
  return SR_OK;
}

/* What `e` points to survives the jump, since it is no local variable. The decoder also jumps after
 * a refusal (emu_register_missing). */
static SrStatus load_guarded(spv_emu_program *e, const uint32_t *words, size_t count,
                             const spv_emu_load_options *options) {
  if (setjmp(e->heap.out_of_memory))
    return e->diag.status != SR_OK ? e->diag.status : SR_OUT_OF_MEMORY;
  return load(e, words, count, options);
}

spv_emu_status spv_emu_load(const uint32_t *words, size_t count,
                            const spv_emu_load_options *options, spv_emu_program **program,
                            char *message, size_t message_size) {
  *program = NULL;
  spv_emu_program *e = calloc(1, sizeof *e);
  SrStatus status = SR_OUT_OF_MEMORY;
  if (e) {
    sr_heap_init(&e->heap);
    e->arena = sr_arena_new(&e->heap);
    status = load_guarded(e, words, count, options);
  }
  if (status == SR_OK) {
    e->native = emu_native_new(e->p);
    *program = e;
    return SPV_EMU_OK;
  }
  snprintf(message, message_size, "%s",
           status == SR_OUT_OF_MEMORY ? "out of memory" : e->diag.text);
  spv_emu_free(e);
  return status == SR_OUT_OF_MEMORY ? SPV_EMU_NO_MEMORY : SPV_EMU_BAD_INPUT;
}

void spv_emu_free(spv_emu_program *program) {
  if (!program)
    return;
  emu_native_free(program->native);
  sr_heap_free_all(&program->heap);
  free(program);
}

const spv_emu_binding *spv_emu_bindings(const spv_emu_program *program, uint32_t *count) {
  *count = program->binding_count;
  return program->bindings;
}

const spv_emu_constant *spv_emu_constants(const spv_emu_program *program, uint32_t *count) {
  *count = program->constant_count;
  return program->constants;
}

const char *spv_emu_notice(const spv_emu_program *program) {
  return program->notice;
}

uint32_t spv_emu_push_constant_bytes(const spv_emu_program *program) {
  return program->p->push_bytes;
}

const spv_emu_shape *spv_emu_push_constant_shape(const spv_emu_program *program) {
  return program->p->push_shape;
}

const uint32_t *spv_emu_local_size(const spv_emu_program *program) {
  return program->p->local_size;
}
