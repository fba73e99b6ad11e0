/* SPDX-License-Identifier: Apache-2.0 */
/* run_setup: see run_setup.h. */
#include "spv-emu/api/run_setup.h"

#include "spv-emu/api/breaches.h"

#include "spv-emu/exec/metrics.h"
#include "spv-emu/order/program_priority.h"
#include "spv-emu/policy/table/policy_table.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SEGMENT_BYTES = 128, DEFAULT_OPT_BUDGET = 1 << 16 };
enum { SHARED_ALIGN = 16, MAX_SHARED = 1 << 20 }; /* bytes of a parameter in workgroup memory */
#define DEFAULT_MAX_ISSUES ((uint64_t)1000000000)

/* ---- bindings -------------------------------------------------------------------------------- */

/* Called for each table entry of a descriptor; there are several if several variables have its set
 * and binding. */
typedef void Place(EmuRun *r, uint32_t at, const void *descriptor);

static void for_binding(EmuRun *r, uint32_t set, uint32_t binding, uint32_t element, bool image,
                        Place *place, const void *descriptor) {
  const EmuProgram *p = r->program->p;
  for (uint32_t i = 0; i < p->bindings.count; i++) {
    const EmuBinding *b = &p->bindings.at[i];
    if (b->set == set && b->binding == binding && b->image == image && element < b->room)
      place(r, b->first + element, descriptor);
  }
}

static void place_buffer(EmuRun *r, uint32_t at, const void *descriptor) {
  const spv_emu_buffer *b = descriptor;
  EmuSegment *segment = &r->dispatch.segments[at];
  segment->size = b->size <= EMU_OFFSET_MASK ? b->size : EMU_OFFSET_MASK;
  if (segment->space == EMU_SPACE_WORKGROUP) {
    segment->at = r->dispatch.shared_bytes;
    segment->size = b->size <= MAX_SHARED ? b->size : MAX_SHARED;
    r->dispatch.shared_bytes += (uint32_t)(segment->size + SHARED_ALIGN - 1) & ~(SHARED_ALIGN - 1u);
  } else {
    segment->bytes = b->bytes;
  }
}

static void place_image(EmuRun *r, uint32_t at, const void *descriptor) {
  const spv_emu_image *i = descriptor;
  r->dispatch.images->images[at] = (EmuImage){.format = emu_format_numbered(i->format),
                                              .bytes = i->bytes,
                                              .size = i->size,
                                              .width = i->width,
                                              .height = i->height,
                                              .depth = i->depth,
                                              .layers = i->layers,
                                              .levels = i->levels,
                                              .samples = i->samples};
  memcpy(r->dispatch.images->images[at].swizzle, i->swizzle, sizeof i->swizzle);
}

enum { MIPMAP_LINEAR = 1 }; /* VK_SAMPLER_MIPMAP_MODE_LINEAR */

static void place_sampler(EmuRun *r, uint32_t at, const void *descriptor) {
  const spv_emu_sampler *s = descriptor;
  EmuSamplerState *as = SR_NEW(r->arena, EmuSamplerState, 1);
  *as = (EmuSamplerState){.mag_filter = s->mag_filter,
                          .min_filter = s->min_filter,
                          .address_mode_u = s->address_mode[0],
                          .address_mode_v = s->address_mode[1],
                          .address_mode_w = s->address_mode[2],
                          .border_color = s->border_color,
                          .min_lod = s->min_lod,
                          .max_lod = s->max_lod,
                          .unnormalized = s->unnormalized,
                          .compare = s->compare,
                          .compare_op = s->compare_op};
  r->dispatch.images->samplers[at] = (EmuSampler){
      .as = as, .linear_levels = s->mipmap_mode == MIPMAP_LINEAR, .lod_bias = s->lod_bias};
}

/* Binds the module's constant samplers, with the numbers of Vulkan. */
static void place_literals(EmuRun *r) {
  static const uint32_t modes[] = {[SpvSamplerAddressingModeNone] = 2,
                                   [SpvSamplerAddressingModeClampToEdge] = 2,
                                   [SpvSamplerAddressingModeClamp] = 3,
                                   [SpvSamplerAddressingModeRepeat] = 0,
                                   [SpvSamplerAddressingModeRepeatMirrored] = 1};
  const EmuProgram *p = r->program->p;
  for (uint32_t i = 0; i < p->literal_samplers.count; i++) {
    const EmuLiteralSampler *l = &p->literal_samplers.at[i];
    uint32_t mode = l->mode < sizeof modes / sizeof *modes ? modes[l->mode] : 2;
    const spv_emu_sampler sampler = {.mag_filter = l->linear,
                                     .min_filter = l->linear,
                                     .address_mode = {mode, mode, mode},
                                     .unnormalized = !l->normalized};
    place_sampler(r, l->index, &sampler);
    r->dispatch.images->samplers[l->index].inside = l->mode == SpvSamplerAddressingModeNone;
  }
}

static void bind_all(EmuRun *r) {
  const spv_emu_run_options *o = r->options;
  const EmuProgram *p = r->program->p;
  EmuSegment *segments = SR_NEW(r->arena, EmuSegment, p->segments.count);
  memcpy(segments, p->segments.at, p->segments.count * sizeof *segments);
  EmuImages *images = SR_NEW(r->arena, EmuImages, 1);
  images->image_count = images->sampler_count = p->image_count;
  images->images = SR_NEW(r->arena, EmuImage, p->image_count);
  images->samplers = SR_NEW(r->arena, EmuSampler, p->image_count);
  r->dispatch.segments = segments;
  r->dispatch.shared_bytes = (p->shared_bytes + SHARED_ALIGN - 1) & ~(SHARED_ALIGN - 1u);
  r->dispatch.images = images;
  for (uint32_t i = 0; i < o->buffer_count; i++)
    for_binding(r, o->buffers[i].set, o->buffers[i].binding, o->buffers[i].element, false,
                place_buffer, &o->buffers[i]);
  for (uint32_t i = 0; i < o->image_count; i++)
    for_binding(r, o->images[i].set, o->images[i].binding, o->images[i].element, true, place_image,
                &o->images[i]);
  for (uint32_t i = 0; i < o->sampler_count; i++)
    for_binding(r, o->samplers[i].set, o->samplers[i].binding, o->samplers[i].element, true,
                place_sampler, &o->samplers[i]);
  place_literals(r);
  if (p->push_segment) {
    segments[p->push_segment].bytes = (uint8_t *)o->push_constants;
    segments[p->push_segment].size = o->push_constant_bytes;
  }
}

/* ---- the policy ------------------------------------------------------------------------------ */

/* Lanes that are packed into other subgroups than SPIR-V's communicate with the wrong ones. */
static const char *refuse_regrouping(EmuRun *r) {
  const EmuProgram *p = r->program->p;
  if (p->model != SpvExecutionModelGLCompute && p->model != SpvExecutionModelKernel)
    return "the policy regroups the lanes of a workgroup, and stages of a draw have none";
  if (!p->lane_op)
    return NULL;
  SrText text = {.arena = r->arena};
  sr_text_add(&text,
              "the policy regroups the lanes of a workgroup, but Op%s is defined by SPIR-V's "
              "subgroups",
              spvOpcodeString(p->lane_op));
  return sr_text_end(&text);
}

static const char *refusal(EmuRun *r, const EmuPolicy *policy) {
  const char *regrouping = policy->packed ? refuse_regrouping(r) : NULL;
  if (regrouping)
    return regrouping;
  return policy->refuses ? policy->refuses(r->arena, &r->table) : NULL;
}

/* Gives the table the values of the policy's options, as the caller has chosen them. */
static SrStatus choose(EmuRun *r, const EmuPolicy *policy) {
  uint32_t count = 0;
  while (policy->options && policy->options[count].flag)
    count++;
  const char **choices = SR_NEW(r->arena, const char *, count + 1);
  for (uint32_t i = 0; i < r->options->choice_count; i++)
    for (uint32_t o = 0; o < count; o++)
      if (strcmp(r->options->choices[i].flag, policy->options[o].flag) == 0)
        choices[o] = r->options->choices[i].value;
  for (uint32_t o = 0; o < count; o++)
    SR_CHECK(emu_policy_option_check(r->arena, &r->diag, &policy->options[o], choices[o]));
  r->table.choices = choices;
  return SR_OK;
}

static SrStatus list_program(EmuRun *r, const EmuPolicyProgram *program) {
  if (!r->table.program || !r->options->list || !program->print)
    return SR_OK;
  SrText text = {.arena = r->arena};
  program->print(r->table.program, &r->table, &text);
  r->result->listing = strdup(sr_text_end(&text));
  return r->result->listing ? SR_OK : SR_OUT_OF_MEMORY;
}

/* Makes or reads the program that the policy runs, if it runs one. */
static SrStatus place_program(EmuRun *r, const EmuPolicy *policy) {
  SR_CHECK(choose(r, policy));
  const EmuPolicyProgram *program = policy->program;
  if (!program)
    return SR_OK;
  const EmuPlacing from = {r->arena, &r->diag, r->program->p, &r->table};
  bool listed = program->listing != SR_NONE && !r->unlisted;
  const char *listing = listed ? emu_policy_value(&r->table, program->listing) : NULL;
  SR_CHECK(listing ? program->read(&from, listing, &r->table.program)
                   : program->place(&from, &r->table.program, &r->table.no_program));
  return list_program(r, program);
}

/* Wraps the policy in the tracing policy. */
static void attach_trace(EmuRun *r) {
  EmuDispatch *d = &r->dispatch;
  spv_emu_trace *to = r->options->trace;
  if (!to || d->optimum || !(d->policy->stacked || to->group))
    return;
  r->trace = (EmuTrace){d->policy, to};
  r->table.trace = &r->trace;
  r->traced = emu_policy_trace(d->policy);
  d->policy = &r->traced;
  d->threads = 1;
}

/* `opt` has no schedule to stop in. */
static SrStatus attach_debugger(EmuRun *r) {
  const spv_emu_debug *to = r->options->debug;
  EmuDispatch *d = &r->dispatch;
  if (!to || d->optimum)
    return SR_OK;
  if (!r->program->p->debug)
    return sr_fail(&r->diag, SR_BAD_OPTION, SR_NOWHERE,
                   "the program was not loaded to be debugged (spv_emu_load_options.debug)");
  const EmuPolicy *policy = d->policy == &r->traced ? r->trace.policy : d->policy;
  const EmuDebugged what = {r->program, &r->table, policy};
  d->debug = emu_debugger_hook(emu_debugger_new(r->arena, &what, to));
  d->threads = 1;
  return SR_OK;
}

/* `opt` has no schedule in which lanes run together. */
static void attach_tangles(EmuRun *r) {
  EmuDispatch *d = &r->dispatch;
  if (!r->options->tangles || d->optimum || !r->program->p->subgroup_ops.count)
    return;
  d->tangles = r->options->tangles;
  d->threads = 1;
}

static void attach_schedule(EmuRun *r) {
  const spv_emu_schedule *to = r->options->schedule;
  if (!to || r->dispatch.optimum)
    return;
  r->dispatch.schedule = to;
  to->begun(to->user, r->program, r->dispatch.lanes);
}

static bool has_calls(const EmuProgram *p) {
  for (uint32_t b = 0; b < p->blocks.count; b++)
    if (p->blocks.at[b].end == EMU_END_CALL)
      return true;
  return false;
}

/* Lanes of a subgroup that are packed into others have no calls and loops in common. */
static void attach_detail(EmuRun *r) {
  const spv_emu_run_options *o = r->options;
  EmuDispatch *d = &r->dispatch;
  if ((!o->causes && !o->calls) || d->optimum || d->policy->packed)
    return;
  if (o->causes || has_calls(r->program->p))
    d->detail = emu_detail_build(r->arena, r->program->p, &r->table, o->causes);
}

/* `opt` runs as `maximal` and records the lanes' paths. */
static SrStatus choose_policy(EmuRun *r) {
  const char *name = r->options->policy;
  EmuDispatch *d = &r->dispatch;
  d->optimum = name && strcmp(name, "opt") == 0;
  if (!name)
    d->policy = refusal(r, &emu_policy_structured) ? &emu_policy_maximal : &emu_policy_structured;
  else
    d->policy = d->optimum ? &emu_policy_maximal : emu_policy_find(name);
  if (!d->policy)
    return sr_fail(&r->diag, SR_BAD_OPTION, SR_NOWHERE, "unknown policy '%.60s'", name);
  SR_CHECK(place_program(r, d->policy));
  r->result->policy = d->optimum ? "opt" : d->policy->name;
  d->lanes = d->policy == &emu_policy_scalar ? 1 : r->program->p->lanes;
  r->skip = refusal(r, d->policy);
  if (d->lanes == 1 && r->program->p->whole_groups && r->program->p->lanes > 1)
    r->skip = "the module has group operations over the workgroup";
  if (d->lanes == 1 && r->program->p->facts.quads)
    r->skip = "the fragment shader has derivatives or quad operations, which need 4 lanes";
  if (!r->skip)
    r->skip = emu_dispatch_refuses(d);
  if (!r->skip && d->policy->code)
    r->result->added_code = d->policy->code(r->arena, &r->table);
  return SR_OK;
}

/* A debugger stops between instructions, and machine code cannot stop there. */
static SrStatus attach_native(EmuRun *r) {
  spv_emu_native mode = r->options->native;
  const char *name = mode == SPV_EMU_NATIVE_DEFAULT ? getenv("SPV_EMU_NATIVE") : NULL;
  if (name && !spv_emu_native_mode(name, &mode))
    return sr_fail(&r->diag, SR_BAD_OPTION, SR_NOWHERE,
                   "SPV_EMU_NATIVE=%.20s: it must be auto, on, off or check", name);
  bool wanted = mode == SPV_EMU_NATIVE_ON || mode == SPV_EMU_NATIVE_CHECK;
  const char *refused = wanted ? spv_emu_native_refuses() : NULL;
  if (refused)
    return sr_fail(&r->diag, SR_BAD_OPTION, SR_NOWHERE, "no machine code: %s", refused);
  if ((!wanted && mode != SPV_EMU_NATIVE_AUTO) || r->options->debug)
    return SR_OK;
  r->dispatch.native = r->program->native;
  r->dispatch.mode = mode;
  return SR_OK;
}

/* ---- before and after the run ---------------------------------------------------------------- */

static SrStatus read_segment(EmuRun *r) {
  uint32_t bytes = r->options->segment_bytes ? r->options->segment_bytes : DEFAULT_SEGMENT_BYTES;
  if (bytes & (bytes - 1))
    return sr_fail(&r->diag, SR_BAD_OPTION, SR_NOWHERE,
                   "a memory segment of %u bytes: it must be a power of two", bytes);
  r->dispatch.segment_shift = (uint32_t)__builtin_ctz(bytes);
  return SR_OK;
}

/* The model that applies if none is given, for a clock. */
static const spv_emu_cost *default_cost(SrArena *arena) {
  const char *purpose;
  spv_emu_cost *model = SR_NEW(arena, spv_emu_cost, 1);
  spv_emu_cost_find(spv_emu_cost_model(0, &purpose), model);
  return model;
}

static SrStatus apply_cost(EmuRun *r) {
  const spv_emu_cost *model = r->options->cost;
  if (!model && r->program->p->reads_clock)
    model = default_cost(r->arena);
  if (!model)
    return SR_OK;
  r->dispatch.cost = &r->cost;
  return emu_cost_build(r->arena, &r->diag, model, r->program->p, &r->cost);
}

SrStatus emu_run_prepare(EmuRun *r) {
  const spv_emu_run_options *o = r->options;
  r->dispatch = (EmuDispatch){.program = r->program->p,
                              .table = &r->table,
                              .max_issues = o->max_issues ? o->max_issues : DEFAULT_MAX_ISSUES,
                              .threads = o->threads ? o->threads : 1,
                              .opt_budget = DEFAULT_OPT_BUDGET,
                              .strict = o->strict,
                              .progress = o->progress,
                              .backwards = o->backwards,
                              .garbage = o->garbage,
                              .races = o->races,
                              .check_uniform = r->program->check_uniform};
  if (o->opt_budget)
    r->dispatch.opt_budget = o->opt_budget < UINT32_MAX ? (uint32_t)o->opt_budget : UINT32_MAX;
  memcpy(r->dispatch.groups, o->groups, sizeof o->groups);
  const EmuPriority priority = {o->priority, o->orders, o->order_count};
  SR_CHECK(emu_block_table_build(r->arena, &r->diag, r->program->p, &r->table));
  SR_CHECK(emu_priority_set(r->arena, &r->diag, r->program->p, &priority, &r->table));
  SR_CHECK(read_segment(r));
  SR_CHECK(apply_cost(r));
  SR_CHECK(choose_policy(r));
  if (r->skip) {
    r->result->outcome = SPV_EMU_SKIP;
    snprintf(r->result->message, sizeof r->result->message, "%s", r->skip);
    return SR_OK;
  }
  r->dispatch.mixes = r->dispatch.check_uniform && r->dispatch.policy->mixes &&
                      r->dispatch.policy->mixes(r->arena, &r->table);
  bind_all(r);
  SR_CHECK(attach_native(r));
  attach_detail(r);
  attach_trace(r);
  attach_schedule(r);
  attach_tangles(r);
  return attach_debugger(r);
}

SrStatus emu_run_finish(EmuRun *r, EmuTotals *totals) {
  if (totals)
    totals->area = emu_block_table_expansion_area(r->arena, &r->table);
  if (!emu_metrics_fill(r->result, r->program->p, &r->table, &r->dispatch, totals))
    return SR_OUT_OF_MEMORY;
  if (totals && !emu_breaches_fill(r->result, r->program->p, totals))
    return SR_OUT_OF_MEMORY;
  const spv_emu_schedule *to = r->dispatch.schedule;
  if (to && to->ended)
    to->ended(to->user, r->result);
  return SR_OK;
}
