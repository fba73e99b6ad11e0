/* SPDX-License-Identifier: Apache-2.0 */
/* render: spv_emu_render. Both programs are set up like any run (run_setup.h); draw/draw.h does the
 * drawing. */
#include "spv-emu/api/run_setup.h"
#include "spv-emu/draw/draw.h"

#include <spv-emu/spv_emu_render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which they run. */
enum { VERTEX, GEOMETRY, FRAGMENT, STAGES };

typedef struct Render {
  const spv_emu_scene *scene;
  spv_emu_run_options plain; /* of the shaders that are not the last */
  EmuRun runs[STAGES];       /* program NULL: none */
  EmuDraw draw;
  EmuPrimitives primitives;
  SrArena *arena;
  char *message;
  size_t message_size;
} Render;

/* ---- the caller's words ---------------------------------------------------------------------- */

static EmuAttachment attachment_of(const spv_emu_attachment *from) {
  return (EmuAttachment){.format = from->format,
                         .bytes = from->bytes,
                         .width = from->width,
                         .height = from->height,
                         .samples = from->samples};
}

static const EmuDrawInput *inputs_of(Render *r) {
  EmuDrawInput *inputs = SR_NEW(r->arena, EmuDrawInput, r->scene->input_count);
  for (uint32_t i = 0; i < r->scene->input_count; i++) {
    const spv_emu_vertex_input *from = &r->scene->inputs[i];
    inputs[i] = (EmuDrawInput){.location = from->location,
                               .per_instance = from->per_instance,
                               .from = {.format = from->format,
                                        .bytes = from->bytes,
                                        .size = from->size,
                                        .stride = from->stride}};
  }
  return inputs;
}

static const EmuDrawColor *colors_of(Render *r) {
  const EmuRasterState *state = r->scene->state;
  EmuDrawColor *colors = SR_NEW(r->arena, EmuDrawColor, r->scene->color_count);
  for (uint32_t i = 0; i < r->scene->color_count; i++)
    colors[i] = (EmuDrawColor){.location = r->scene->colors[i].location,
                               .target = {.attachment = attachment_of(&r->scene->colors[i]),
                                          .blend = state->blend,
                                          .write_mask = state->color_write_mask,
                                          .logic_op_enabled = state->logic_op_enabled,
                                          .logic_op = state->logic_op}};
  return colors;
}

static uint32_t samples_of(const spv_emu_scene *scene) {
  if (scene->color_count)
    return scene->colors[0].samples;
  return scene->depth_stencil.format ? scene->depth_stencil.samples : 1;
}

static void describe(Render *r) {
  const spv_emu_scene *scene = r->scene;
  const EmuRasterState *state = scene->state;
  EmuDraw *d = &r->draw;
  d->assembly = (EmuAssembly){.topology = scene->topology,
                              .first = scene->first,
                              .count = scene->count,
                              .indices = scene->indices,
                              .index_size = scene->index_bytes,
                              .index_bits = scene->index_bits,
                              .vertex_offset = scene->vertex_offset,
                              .provoking_last = state->provoking_last,
                              .restart = state->primitive_restart};
  d->first_instance = scene->first_instance;
  d->instances = scene->instance_count;
  d->inputs = inputs_of(r);
  d->input_count = scene->input_count;
  d->discard = state->rasterizer_discard;
  d->raster = emu_raster_of(state, scene->depth_stencil.format);
  d->raster.samples = samples_of(scene);
  if (scene->subpixel_bits)
    d->raster.subpixel_bits = scene->subpixel_bits;
  d->depth_stencil = (EmuDepthStencil){.attachment = attachment_of(&scene->depth_stencil),
                                       .depth = state->depth,
                                       .range = emu_raster_depths(&d->raster),
                                       .stencil_test = state->stencil_test,
                                       .front = state->front,
                                       .back = state->back};
  d->colors = colors_of(r);
  d->color_count = scene->color_count;
  d->mixed = scene->mixed;
}

/* ---- running --------------------------------------------------------------------------------- */

static SrStatus refuse(Render *r) {
  return sr_fail(&r->runs[VERTEX].diag, SR_BAD_INPUT, SR_NOWHERE, "%s", r->message);
}

/* A heat that is still empty gets the framebuffer's size. */
static SrStatus prepare_heat(Render *r) {
  const EmuRasterState *state = r->scene->state;
  const EmuRun *fragment = &r->runs[FRAGMENT];
  spv_emu_heat *heat = fragment->program ? fragment->options->heat : NULL;
  bool skip = fragment->dispatch.optimum;
  for (uint32_t i = 0; i < STAGES; i++)
    skip = skip || r->runs[i].skip;
  if (!heat || skip)
    return SR_OK;
  size_t pixels = (size_t)state->width * state->height;
  if (!heat->issues) {
    *heat = (spv_emu_heat){.width = state->width,
                           .height = state->height,
                           .issues = calloc(pixels, sizeof *heat->issues),
                           .lost = calloc(pixels, sizeof *heat->lost),
                           .subgroup = calloc(pixels, sizeof *heat->subgroup)};
    if (!heat->issues || !heat->lost || !heat->subgroup) {
      spv_emu_heat_free(heat);
      return SR_OUT_OF_MEMORY;
    }
  }
  if (heat->width == state->width && heat->height == state->height)
    r->draw.heat = heat;
  return SR_OK;
}

void spv_emu_heat_free(spv_emu_heat *heat) {
  free(heat->issues);
  free(heat->lost);
  free(heat->subgroup);
  *heat = (spv_emu_heat){0};
}

static SrStatus prepare(Render *r) {
  for (uint32_t i = 0; i < STAGES; i++)
    if (r->runs[i].program)
      SR_CHECK(emu_run_prepare(&r->runs[i]));
  describe(r);
  r->draw.vertex = r->runs[VERTEX].dispatch;
  r->draw.geometry = r->runs[GEOMETRY].dispatch;
  r->draw.fragment = r->runs[FRAGMENT].dispatch;
  SR_CHECK(prepare_heat(r));
  if (!emu_draw_check(&r->draw, r->message, r->message_size) ||
      !emu_primitives_assemble(&r->draw.assembly, &r->primitives, r->message, r->message_size) ||
      !emu_draw_check_shape(&r->draw, r->primitives.shape, r->message, r->message_size))
    return refuse(r);
  return SR_OK;
}

/* The first stage that is skipped; NULL: none is. */
static const EmuRun *skipped(const Render *r) {
  for (uint32_t i = 0; i < STAGES; i++)
    if (r->runs[i].program && r->runs[i].skip)
      return &r->runs[i];
  return NULL;
}

/* If one of the stages is skipped, so are the others. */
static void skip_all(Render *r, const EmuRun *from) {
  for (uint32_t i = 0; i < STAGES; i++) {
    EmuRun *to = &r->runs[i];
    if (!to->program || to == from)
      continue;
    to->skip = from->skip;
    to->result->outcome = SPV_EMU_SKIP;
    memcpy(to->result->message, from->result->message, sizeof to->result->message);
  }
}

static SrStatus render(Render *r) {
  EmuTotals totals[STAGES] = {0};
  SR_CHECK(prepare(r));
  const EmuRun *skip = skipped(r);
  if (skip)
    skip_all(r, skip);
  else
    emu_draw(r->arena, &r->draw, &r->primitives, &totals[VERTEX], &totals[GEOMETRY],
             &totals[FRAGMENT]);
  for (uint32_t i = 0; i < STAGES; i++)
    if (r->runs[i].program)
      SR_CHECK(emu_run_finish(&r->runs[i], skip ? NULL : &totals[i]));
  return SR_OK;
}

static SrStatus render_guarded(Render *r) {
  if (setjmp(r->arena->heap->out_of_memory))
    return SR_OUT_OF_MEMORY;
  return render(r);
}

static bool start(Render *r, EmuRun *run, const spv_emu_program *program,
                  const spv_emu_run_options *options, bool unlisted) {
  *run = (EmuRun){.program = program, .options = options, .unlisted = unlisted, .arena = r->arena};
  if (!program)
    return true;
  run->diag = (SrDiag){.locate = program->diag.locate, .locate_user = program->diag.locate_user};
  run->result = calloc(1, sizeof *run->result);
  return run->result != NULL;
}

static spv_emu_status conclude(Render *r, SrStatus status) {
  const SrDiag *diag = &r->runs[VERTEX].diag;
  for (uint32_t i = GEOMETRY; i < STAGES; i++)
    if (r->runs[i].diag.text[0])
      diag = &r->runs[i].diag;
  if (status == SR_OK)
    return SPV_EMU_OK;
  if (status == SR_OUT_OF_MEMORY)
    snprintf(r->message, r->message_size, "out of memory");
  else
    snprintf(r->message, r->message_size, "%s", diag->text);
  for (uint32_t i = 0; i < STAGES; i++)
    spv_emu_result_free(r->runs[i].result);
  return status == SR_OUT_OF_MEMORY ? SPV_EMU_NO_MEMORY : SPV_EMU_BAD_INPUT;
}

/* The options of the vertex and geometry shaders: if there is no fragment shader (`only`), the
 * caller's; else the caller's without those that are meant for the fragment shader. */
static spv_emu_run_options plain_options(const spv_emu_run_options *options, bool only) {
  spv_emu_run_options plain = *options;
  if (only)
    return plain;
  plain.priority = NULL;
  plain.order_count = 0;
  plain.trace = NULL;
  plain.debug = NULL;
  plain.schedule = NULL;
  return plain;
}

spv_emu_status spv_emu_render(const spv_emu_program *vertex, const spv_emu_program *fragment,
                              const spv_emu_run_options *options, const spv_emu_scene *scene,
                              spv_emu_result **vertex_result, spv_emu_result **fragment_result,
                              char *message, size_t message_size) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  Render r = {.scene = scene,
              .plain = plain_options(options, !fragment),
              .arena = &arena,
              .message = message,
              .message_size = message_size};
  bool started = start(&r, &r.runs[VERTEX], vertex, &r.plain, fragment != NULL);
  started = start(&r, &r.runs[GEOMETRY], scene->geometry, &r.plain, fragment != NULL) && started;
  started = start(&r, &r.runs[FRAGMENT], fragment, options, false) && started;
  SrStatus status = started ? render_guarded(&r) : SR_OUT_OF_MEMORY;
  emu_primitives_free(&r.primitives);
  sr_heap_free_all(&heap);
  spv_emu_status done = conclude(&r, status);
  *vertex_result = done == SPV_EMU_OK ? r.runs[VERTEX].result : NULL;
  if (scene->geometry_result)
    *scene->geometry_result = done == SPV_EMU_OK ? r.runs[GEOMETRY].result : NULL;
  if (fragment_result)
    *fragment_result = done == SPV_EMU_OK ? r.runs[FRAGMENT].result : NULL;
  return done;
}

/* ---- attachments ----------------------------------------------------------------------------- */

void spv_emu_clear_color(const spv_emu_attachment *attachment, const float rgba[4]) {
  EmuAttachment to = attachment_of(attachment);
  emu_clear_color(&to, rgba);
}

void spv_emu_clear_depth_stencil(const spv_emu_attachment *attachment, float depth,
                                 uint32_t stencil) {
  EmuAttachment to = attachment_of(attachment);
  emu_clear_depth_stencil(&to, depth, stencil);
}

void spv_emu_resolve(const spv_emu_attachment *from, const spv_emu_attachment *to) {
  EmuAttachment a = attachment_of(from), b = attachment_of(to);
  emu_resolve(&a, &b);
}
