/* SPDX-License-Identifier: Apache-2.0 */
/* render: spv_emu_render. Both programs are set up like any run (run_setup.h); the draw itself is
 * draw/draw.h's. */
#include "api/run_setup.h"
#include "draw/draw.h"

#include <spv-emu/spv_emu_render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Render {
  const spv_emu_scene *scene;
  spv_emu_run_options plain; /* of the vertex shader */
  EmuRun vertex, fragment;   /* fragment.program NULL: none */
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
  const AmberPipeline *state = r->scene->state;
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
  const AmberPipeline *state = scene->state;
  EmuDraw *d = &r->draw;
  d->assembly = (EmuAssembly){.topology = scene->topology,
                              .first = scene->first,
                              .count = scene->count,
                              .indices = scene->indices,
                              .index_size = scene->index_bytes,
                              .index_bits = scene->index_bits,
                              .vertex_offset = scene->vertex_offset,
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
                                       .stencil_test = state->stencil_test,
                                       .front = state->front,
                                       .back = state->back};
  d->colors = colors_of(r);
  d->color_count = scene->color_count;
  d->mixed = scene->mixed;
}

/* ---- running --------------------------------------------------------------------------------- */

static SrStatus refuse(Render *r) {
  return sr_fail(&r->vertex.diag, SR_BAD_INPUT, SR_NOWHERE, "%s", r->message);
}

static SrStatus prepare(Render *r) {
  SR_CHECK(emu_run_prepare(&r->vertex));
  if (r->fragment.program)
    SR_CHECK(emu_run_prepare(&r->fragment));
  describe(r);
  r->draw.vertex = r->vertex.dispatch;
  r->draw.fragment = r->fragment.dispatch;
  if (!emu_draw_check(&r->draw, r->message, r->message_size) ||
      !emu_primitives_assemble(&r->draw.assembly, &r->primitives, r->message, r->message_size))
    return refuse(r);
  return SR_OK;
}

/* If one of the stages is skipped, so is the other. */
static void skip_both(Render *r) {
  EmuRun *from = r->vertex.skip ? &r->vertex : &r->fragment;
  EmuRun *to = r->vertex.skip ? &r->fragment : &r->vertex;
  if (!to->program)
    return;
  to->skip = from->skip;
  to->result->outcome = SPV_EMU_SKIP;
  memcpy(to->result->message, from->result->message, sizeof to->result->message);
}

static SrStatus render(Render *r) {
  EmuTotals vertex = {0}, fragment = {0};
  SR_CHECK(prepare(r));
  bool skip = r->vertex.skip || r->fragment.skip;
  if (skip)
    skip_both(r);
  else
    emu_draw(r->arena, &r->draw, &r->primitives, &vertex, &fragment);
  SR_CHECK(emu_run_finish(&r->vertex, skip ? NULL : &vertex));
  return r->fragment.program ? emu_run_finish(&r->fragment, skip ? NULL : &fragment) : SR_OK;
}

static SrStatus render_guarded(Render *r) {
  if (setjmp(r->arena->heap->out_of_memory))
    return SR_OUT_OF_MEMORY;
  return render(r);
}

static bool start(Render *r, EmuRun *run, const spv_emu_program *program,
                  const spv_emu_run_options *options) {
  *run = (EmuRun){.program = program, .options = options, .arena = r->arena};
  if (!program)
    return true;
  run->diag = (SrDiag){.locate = program->diag.locate, .locate_user = program->diag.locate_user};
  run->result = calloc(1, sizeof *run->result);
  return run->result != NULL;
}

static spv_emu_status conclude(Render *r, SrStatus status) {
  const SrDiag *diag = r->fragment.diag.text[0] ? &r->fragment.diag : &r->vertex.diag;
  if (status == SR_OK)
    return SPV_EMU_OK;
  if (status == SR_OUT_OF_MEMORY)
    snprintf(r->message, r->message_size, "out of memory");
  else
    snprintf(r->message, r->message_size, "%s", diag->text);
  spv_emu_result_free(r->vertex.result);
  spv_emu_result_free(r->fragment.result);
  return status == SR_OUT_OF_MEMORY ? SPV_EMU_NO_MEMORY : SPV_EMU_BAD_INPUT;
}

/* The options of the vertex shader; unless it is the `only` one, without those that are meant for
 * the fragment shader. */
static spv_emu_run_options plain_options(const spv_emu_run_options *options, bool only) {
  spv_emu_run_options plain = *options;
  if (only)
    return plain;
  plain.priority = NULL;
  plain.order_count = 0;
  plain.trace = NULL;
  plain.schedule = NULL;
  plain.wave = NULL;
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
  bool started = start(&r, &r.vertex, vertex, &r.plain);
  started = start(&r, &r.fragment, fragment, options) && started;
  SrStatus status = started ? render_guarded(&r) : SR_OUT_OF_MEMORY;
  emu_primitives_free(&r.primitives);
  sr_heap_free_all(&heap);
  spv_emu_status done = conclude(&r, status);
  *vertex_result = done == SPV_EMU_OK ? r.vertex.result : NULL;
  if (fragment_result)
    *fragment_result = done == SPV_EMU_OK ? r.fragment.result : NULL;
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
