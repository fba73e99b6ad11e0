/* SPDX-License-Identifier: Apache-2.0 */
/* shot: see shot.h. */
#include "harness/capture/shot.h"

#include "harness/capture/record.h"
#include "spv-emu/format/format.h"
#include "spv-emu/script/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 160 };

typedef struct Plan {
  CpDevice *device;
  const CpBindPoint *point;
  CpShot *shot;
  bool attached; /* the size of the framebuffer is known */
  char why[WHY]; /* empty: it can be captured */
} Plan;

/* False, with a reason that names the descriptor. */
static bool refuse(Plan *plan, const CpVariable *v, const char *what) {
  if (v)
    snprintf(plan->why, sizeof plan->why, "%s (set %u, binding %u)", what, v->set, v->binding);
  else
    snprintf(plan->why, sizeof plan->why, "%s", what);
  return false;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static bool is_dynamic(const CpBinding *binding) {
  return binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* The dynamic offset of a descriptor: offsets are in the order of the set's dynamic descriptors. */
static uint32_t dynamic_offset(const CpBoundSet *bound, const CpSetLayout *layout,
                               const CpBinding *binding, uint32_t element) {
  uint32_t at = element;
  for (const CpBinding *b = layout->bindings; b < binding; b++)
    at += is_dynamic(b) ? b->count : 0;
  return is_dynamic(binding) && at < bound->dynamic_count ? bound->dynamic[at] : 0;
}

/* The bytes that the shader can reach: all that are bound, unless the block has a fixed size; of a
 * run-time array whole elements. */
static VkDeviceSize reach(const CpVariable *v, VkDeviceSize range) {
  const CpBlock *b = &v->block;
  if (!b->stride)
    return b->size && b->size < range ? b->size : range;
  if (range <= b->tail_offset)
    return range;
  VkDeviceSize elements = (range - b->tail_offset) / b->stride;
  return elements ? b->tail_offset + elements * b->stride : range;
}

/* What all shaders reach through the descriptor of a variable: several variables of other types may name it. */
static VkDeviceSize reach_of_all(const CpPipeline *pipeline, const CpVariable *v,
                                 VkDeviceSize range) {
  VkDeviceSize most = 0;
  for (const CpPipeline *p = pipeline; p; p = p->next)
    for (uint32_t i = 0; i < p->face->count; i++) {
      const CpVariable *other = &p->face->variables[i];
      bool same = other->set == v->set && other->binding == v->binding;
      VkDeviceSize bytes = same ? reach(other, range) : 0;
      most = bytes > most ? bytes : most;
    }
  return most;
}

static bool place_in_memory(Plan *plan, CpUse *use, const CpBuffer *buffer, VkDeviceSize from,
                            VkDeviceSize size) {
  if (from >= buffer->size || size > buffer->size - from || !size)
    return refuse(plan, use->variable, "a descriptor beyond the end of its buffer");
  use->buffer = buffer->handle;
  use->from = from;
  use->low = buffer->at + from;
  use->high = use->low + size;
  return true;
}

static const CpBuffer *usable_buffer(Plan *plan, const CpUse *use, VkBuffer handle) {
  const CpBuffer *buffer = cp_handles_find(&plan->device->buffers, CP_HANDLE(handle));
  if (!buffer)
    refuse(plan, use->variable, "an unknown buffer");
  else if (buffer->refusal)
    refuse(plan, use->variable, buffer->refusal);
  return *plan->why ? NULL : buffer;
}

static bool use_buffer(Plan *plan, CpUse *use, uint32_t dynamic) {
  const CpDescriptor *descriptor = &use->descriptor;
  const CpBuffer *buffer = usable_buffer(plan, use, descriptor->buffer);
  if (!buffer)
    return false;
  VkDeviceSize from = descriptor->offset + dynamic;
  VkDeviceSize range = descriptor->range;
  if (range == VK_WHOLE_SIZE)
    range = from < buffer->size ? buffer->size - from : 0;
  return place_in_memory(plan, use, buffer, from,
                         reach_of_all(plan->shot->pipeline, use->variable, range));
}

static bool use_texels(Plan *plan, CpUse *use, CpPiece *piece) {
  const CpTexelView *view =
      cp_handles_find(&plan->device->texel_views, CP_HANDLE(use->descriptor.texels));
  const CpBuffer *buffer = view ? usable_buffer(plan, use, view->buffer) : NULL;
  if (!buffer)
    return view ? false : refuse(plan, use->variable, "an unknown buffer view");
  const EmuFormat *format = emu_format_numbered(view->format);
  if (!format)
    return refuse(plan, use->variable, "a texel buffer in a format that cases do not have");
  VkDeviceSize range = view->range == VK_WHOLE_SIZE ? buffer->size - view->offset : view->range;
  piece->texels = true;
  piece->format = view->format;
  return place_in_memory(plan, use, buffer, view->offset, range / format->bytes * format->bytes);
}

/* ---- images ---------------------------------------------------------------------------------- */

static const char *image_obstacle(const CpView *view, const CpImage *image) {
  const EmuFormat *format = emu_format_numbered(view->format);
  const EmuFormat *own = emu_format_numbered(image->format);
  if (image->refusal || view->refusal)
    return image->refusal ? image->refusal : view->refusal;
  if (!format || !own || format->bytes != own->bytes)
    return "an image in a format that cases do not have";
  if (image->type == VK_IMAGE_TYPE_3D && view->type != VK_IMAGE_VIEW_TYPE_3D)
    return "a slice of a 3D image";
  return NULL;
}

/* Sets the piece to an image view in that layout; `v`: for messages, or NULL. */
static bool image_piece(Plan *plan, const CpVariable *v, VkImageView handle, VkImageLayout layout,
                        CpPiece *piece) {
  const CpView *view = cp_handles_find(&plan->device->views, CP_HANDLE(handle));
  const CpImage *image =
      view ? cp_handles_find(&plan->device->images, CP_HANDLE(view->image)) : NULL;
  if (!image)
    return refuse(plan, v, "an unknown image");
  const char *why = image_obstacle(view, image);
  if (why)
    return refuse(plan, v, why);
  const EmuFormat *format = emu_format_numbered(view->format);
  bool depth = emu_format_has(format, 'D'), stencil = emu_format_has(format, 'S');
  piece->image = true;
  piece->format = view->format;
  piece->view = *view;
  piece->of = *image;
  piece->layout = layout;
  piece->aspect =
      (depth ? VK_IMAGE_ASPECT_DEPTH_BIT : 0u) | (stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
  if (!piece->aspect)
    piece->aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  for (uint32_t level = 0; level < view->range.levelCount; level++)
    piece->size += cp_piece_level_bytes(piece, level);
  return true;
}

static bool use_image(Plan *plan, CpUse *use, CpPiece *piece) {
  if (!image_piece(plan, use->variable, use->descriptor.view, use->descriptor.layout, piece))
    return false;
  use->components = piece->view.components;
  return !(piece->aspect & VK_IMAGE_ASPECT_STENCIL_BIT) ||
         refuse(plan, use->variable, "an image with a stencil");
}

static bool use_sampler(Plan *plan, CpUse *use, const CpBinding *binding, uint32_t element) {
  const CpSampler *sampler =
      binding->immutable
          ? &binding->immutable[element]
          : cp_handles_find(&plan->device->samplers, CP_HANDLE(use->descriptor.sampler));
  if (!sampler || sampler->refusal)
    return refuse(plan, use->variable, sampler ? sampler->refusal : "an unknown sampler");
  use->sampled = true;
  use->sampler = sampler->info;
  return true;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool same_view(const CpPiece *a, const CpPiece *b) {
  const VkImageSubresourceRange *x = &a->view.range, *y = &b->view.range;
  return a->format == b->format && a->view.type == b->view.type &&
         x->baseMipLevel == y->baseMipLevel && x->levelCount == y->levelCount &&
         x->baseArrayLayer == y->baseArrayLayer && x->layerCount == y->layerCount;
}

static bool overlap(const CpPiece *a, const CpPiece *b) {
  const VkImageSubresourceRange *x = &a->view.range, *y = &b->view.range;
  return x->baseMipLevel < y->baseMipLevel + y->levelCount &&
         y->baseMipLevel < x->baseMipLevel + x->levelCount &&
         x->baseArrayLayer < y->baseArrayLayer + y->layerCount &&
         y->baseArrayLayer < x->baseArrayLayer + x->layerCount;
}

/* Adds an image, or finds the piece of the same view. */
static bool add_image(Plan *plan, CpUse *use, const CpPiece *piece) {
  CpShot *shot = plan->shot;
  for (uint32_t i = 0; i < shot->piece_count; i++) {
    CpPiece *other = &shot->pieces[i];
    if (!other->image || other->role != CP_CONTENTS || other->view.image != piece->view.image)
      continue;
    if (same_view(other, piece)) {
      other->written = other->written || piece->written;
      other->users++;
      use->piece = i;
      return true;
    }
    if (overlap(other, piece) && (other->written || piece->written))
      return refuse(plan, use->variable, "an image that is written and has another view");
  }
  use->piece = shot->piece_count;
  shot->pieces[shot->piece_count++] = *piece;
  return true;
}

/* Adds a part of memory; a later step joins those that overlap. */
static void add_memory(Plan *plan, CpUse *use, CpPiece *piece) {
  const CpBuffer *buffer = cp_handles_find(&plan->device->buffers, CP_HANDLE(use->buffer));
  piece->memory = buffer->memory ? CP_HANDLE(buffer->memory) : CP_HANDLE(buffer->handle);
  piece->low = use->low;
  piece->high = use->high;
  use->piece = plan->shot->piece_count;
  plan->shot->pieces[plan->shot->piece_count++] = *piece;
}

static bool add_use(Plan *plan, CpUse *use, const CpBinding *binding, uint32_t element,
                    uint32_t dynamic) {
  CpPiece piece = {.variable = use->variable, .written = use->variable->may_write, .users = 1};
  switch (binding->type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return use_sampler(plan, use, binding, element);
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return use_sampler(plan, use, binding, element) && use_image(plan, use, &piece) &&
           add_image(plan, use, &piece);
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return use_image(plan, use, &piece) && add_image(plan, use, &piece);
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    if (!use_texels(plan, use, &piece))
      return false;
    add_memory(plan, use, &piece);
    return true;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    if (!use_buffer(plan, use, dynamic))
      return false;
    add_memory(plan, use, &piece);
    return true;
  case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
    return refuse(plan, use->variable, "an inline uniform block");
  default:
    return refuse(plan, use->variable, "a descriptor of a kind that cases do not have");
  }
}

/* Adds the descriptors of a variable that are bound. A shader may declare more than it uses: a variable
 * to which nothing is bound is left out. */
static bool add_variable(Plan *plan, const CpVariable *v) {
  const CpSet *set = cp_record_set(plan->device, plan->point, v->set);
  const CpBinding *binding = set ? cp_layout_find(set->layout, v->binding) : NULL;
  if (!binding)
    return true;
  if (set->layout->refusal)
    return refuse(plan, v, set->layout->refusal);
  const CpBoundSet *bound = &plan->point->sets[v->set];
  for (uint32_t i = 0; i < v->count && i < binding->count; i++) {
    const CpDescriptor *descriptor = &set->descriptors[binding->first + i];
    bool sampler = binding->type == VK_DESCRIPTOR_TYPE_SAMPLER && binding->immutable;
    if (!descriptor->written && !sampler &&
        binding->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
      continue;
    CpUse *use = &plan->shot->uses[plan->shot->use_count];
    *use = (CpUse){.variable = v,
                   .element = i,
                   .type = binding->type,
                   .piece = UINT32_MAX,
                   .set = v->set,
                   .index = binding->first + i,
                   .descriptor = *descriptor};
    if (!add_use(plan, use, binding, i, dynamic_offset(bound, set->layout, binding, i)))
      return false;
    plan->shot->use_count++;
  }
  return true;
}

/* ---- joining --------------------------------------------------------------------------------- */

static void redirect(CpShot *shot, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < shot->use_count; i++)
    if (shot->uses[i].piece == from)
      shot->uses[i].piece = to;
}

/* Joins piece `b` to piece `a`; the last piece takes the place of `b`. */
static void join(CpShot *shot, uint32_t a, uint32_t b) {
  CpPiece *to = &shot->pieces[a], *from = &shot->pieces[b];
  to->low = to->low < from->low ? to->low : from->low;
  to->high = to->high > from->high ? to->high : from->high;
  to->written = to->written || from->written;
  to->users += from->users;
  /* The type of what is written matters most: its contents are compared. */
  if (!to->variable->may_write && from->variable->may_write)
    to->variable = from->variable;
  to->texels = to->texels || from->texels;
  to->format = to->texels && from->texels ? from->format : to->format;
  redirect(shot, b, a);
  uint32_t last = --shot->piece_count;
  *from = shot->pieces[last];
  redirect(shot, last, b);
}

static bool touch(const CpPiece *a, const CpPiece *b) {
  return a->role == CP_CONTENTS && b->role == CP_CONTENTS && !a->image && !b->image &&
         a->memory == b->memory && a->low < b->high && b->low < a->high;
}

/* Joins pieces until none overlap; each step leaves one piece less. */
static void join_all(CpShot *shot) {
  bool joined = true;
  while (joined) {
    joined = false;
    for (uint32_t a = 0; a < shot->piece_count; a++)
      for (uint32_t b = a + 1; b < shot->piece_count; b++)
        if (touch(&shot->pieces[a], &shot->pieces[b])) {
          join(shot, a, b);
          joined = true;
          b--;
        }
  }
}

/* A texel buffer has no offset in a case. */
static bool check_texels(Plan *plan) {
  for (uint32_t i = 0; i < plan->shot->use_count; i++) {
    const CpUse *use = &plan->shot->uses[i];
    const CpPiece *piece = use->piece == UINT32_MAX ? NULL : &plan->shot->pieces[use->piece];
    if (piece && piece->texels && (use->low != piece->low || use->high != piece->high))
      return refuse(plan, use->variable,
                    "a texel buffer that shares bytes with another descriptor");
  }
  return true;
}

/* ---- the whole shot -------------------------------------------------------------------------- */

static bool allocate(CpShot *shot) {
  size_t count = 2 + CP_MOST_VERTEX_BUFFERS + CP_MOST_COLORS;
  for (const CpPipeline *p = shot->pipeline; p; p = p->next)
    for (uint32_t i = 0; i < p->face->count; i++)
      count += p->face->variables[i].count;
  shot->pieces = calloc(count, sizeof *shot->pieces);
  shot->uses = calloc(count, sizeof *shot->uses);
  return shot->pieces && shot->uses;
}

/* The push constants that the shaders declare. */
static bool copy_pushed(Plan *plan) {
  CpShot *shot = plan->shot;
  uint32_t size = 0;
  for (const CpPipeline *p = shot->pipeline; p; p = p->next)
    if (p->face->has_push && p->face->push.size > size)
      size = p->face->push.size;
  size = size < shot->pipeline->push_bytes ? size : shot->pipeline->push_bytes;
  if (!size)
    return true;
  if (size > CP_MOST_PUSHED) {
    snprintf(plan->why, sizeof plan->why, "more than %d bytes of push constants", CP_MOST_PUSHED);
    return false;
  }
  shot->pushed = malloc(size + 1);
  if (!shot->pushed)
    return false;
  memcpy(shot->pushed, plan->point->pushed, size);
  shot->pushed_size = size;
  return true;
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* Adds a part of a buffer that is read as vertices or indices, which stays a piece of its own. */
static bool add_input(Plan *plan, CpRole role, uint32_t slot, VkBuffer handle, VkDeviceSize from,
                      VkDeviceSize size) {
  CpShot *shot = plan->shot;
  CpUse *use = &shot->uses[shot->use_count];
  CpPiece piece = {.role = role, .slot = slot, .users = 1};
  *use = (CpUse){0};
  const CpBuffer *buffer = usable_buffer(plan, use, handle);
  if (!buffer || !place_in_memory(plan, use, buffer, from, size))
    return false;
  add_memory(plan, use, &piece);
  shot->use_count++;
  return true;
}

/* The bytes of `count` vertices; 0: all that the buffer has. */
static VkDeviceSize vertex_bytes(const CpFixed *f, const VkVertexInputBindingDescription *b,
                                 VkDeviceSize count) {
  VkDeviceSize one = b->stride;
  for (uint32_t i = 0; i < f->attribute_count; i++) {
    const EmuFormat *format = emu_format_numbered(f->attributes[i].format);
    VkDeviceSize end = f->attributes[i].offset + (format ? format->bytes : 0u);
    if (f->attributes[i].binding == b->binding && end > one)
      one = end;
  }
  return count ? (count - 1) * b->stride + one : 0;
}

static bool add_vertex_buffer(Plan *plan, const VkVertexInputBindingDescription *b) {
  const CpDraw *draw = plan->shot->draw;
  const CpBuffer *buffer =
      b->binding < CP_MOST_VERTEX_BUFFERS
          ? cp_handles_find(&plan->device->buffers, CP_HANDLE(draw->state.vertices[b->binding]))
          : NULL;
  if (!buffer)
    return refuse(plan, NULL, "an unknown vertex buffer");
  VkDeviceSize from = draw->state.vertex_at[b->binding];
  if (from >= buffer->size)
    return refuse(plan, NULL, "vertices beyond the end of their buffer");
  VkDeviceSize rest = buffer->size - from;
  bool instances = b->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  bool unknown = draw->indirect.buffer || (draw->indexed && !instances);
  VkDeviceSize count = instances ? draw->first_instance + (VkDeviceSize)draw->instances
                                 : draw->first + (VkDeviceSize)draw->count;
  VkDeviceSize needed = unknown ? 0 : vertex_bytes(&draw->state.fixed, b, count);
  return add_input(plan, CP_VERTICES, b->binding, buffer->handle, from,
                   needed && needed < rest ? needed : rest);
}

static bool add_vertices(Plan *plan) {
  const CpFixed *f = &plan->shot->draw->state.fixed;
  bool good = true;
  for (uint32_t i = 0; good && i < f->binding_count; i++)
    good = add_vertex_buffer(plan, &f->bindings[i]);
  for (uint32_t i = 0; good && i < f->attribute_count; i++)
    if (!emu_format_numbered(f->attributes[i].format))
      good = refuse(plan, NULL, "vertices in a format that cases do not have");
  return good;
}

static uint32_t index_bytes(VkIndexType type) {
  return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

/* The indices of the draw; of an indirect one all that the buffer has. */
static bool add_indices(Plan *plan) {
  const CpDraw *draw = plan->shot->draw;
  const CpBuffer *buffer = cp_handles_find(&plan->device->buffers, CP_HANDLE(draw->state.indices));
  VkDeviceSize bytes = index_bytes(draw->state.index_type);
  VkDeviceSize from = draw->state.index_at + draw->first * bytes;
  if (!draw->indexed)
    return true;
  if (!buffer)
    return refuse(plan, NULL, "an unknown index buffer");
  VkDeviceSize rest = buffer->size > from ? (buffer->size - from) / bytes * bytes : 0;
  return add_input(plan, CP_INDICES, 0, draw->state.indices, from,
                   draw->indirect.buffer ? rest : draw->count * bytes);
}

/* The first attachment gives the size of the framebuffer; draws reach a part of it. */
static bool add_attachment(Plan *plan, CpRole role, uint32_t slot, const CpAttachment *attachment) {
  CpPiece piece = {.role = role, .slot = slot, .written = true};
  CpPass *pass = &plan->shot->draw->pass;
  if (!attachment->used)
    return true;
  if (!image_piece(plan, NULL, attachment->view, attachment->layout, &piece))
    return false;
  if (piece.view.range.layerCount != 1 || piece.view.range.levelCount != 1 ||
      (piece.view.type != VK_IMAGE_VIEW_TYPE_2D && piece.view.type != VK_IMAGE_VIEW_TYPE_2D_ARRAY))
    return refuse(plan, NULL, "an attachment with layers");
  piece.view.type = VK_IMAGE_VIEW_TYPE_2D;
  VkExtent3D extent = cp_piece_extent(&piece, 0);
  if (!plan->attached) {
    pass->width = extent.width;
    pass->height = extent.height;
  }
  plan->attached = true;
  if (extent.width != pass->width || extent.height != pass->height)
    return refuse(plan, NULL, "attachments of different sizes");
  plan->shot->pieces[plan->shot->piece_count++] = piece;
  return true;
}

/* Can the draw see or change its depths or stencils? Those of others would only keep drivers from replaying the case
 * that lack their format. */
static bool tests_depth(const CpDraw *draw) {
  const CpAttachment *attachment = &draw->pass.depth;
  const VkPipelineDepthStencilStateCreateInfo *state = &draw->state.fixed.depth;
  return (attachment->depth && (state->depthTestEnable || state->depthBoundsTestEnable)) ||
         (attachment->stencil && state->stencilTestEnable);
}

/* Without attachments, the framebuffer is the area of the pass. */
static bool add_attachments(Plan *plan) {
  CpPass *pass = &plan->shot->draw->pass;
  if (!pass->width || !pass->height) {
    pass->width = pass->area.extent.width;
    pass->height = pass->area.extent.height;
  }
  for (uint32_t i = 0; i < pass->color_count; i++)
    if (!add_attachment(plan, CP_COLOR, i, &pass->colors[i]))
      return false;
  return (plan->attached && !tests_depth(plan->shot->draw)) ||
         add_attachment(plan, CP_DEPTH, 0, &pass->depth);
}

static bool add_draw(Plan *plan) {
  CpShot *shot = plan->shot;
  shot->bound_count = shot->use_count;
  return !shot->draw || (add_vertices(plan) && add_indices(plan) && add_attachments(plan));
}

/* The harness reads cases up to a size. */
static bool check_size(Plan *plan) {
  VkDeviceSize all = 0;
  for (uint32_t i = 0; i < plan->shot->piece_count; i++) {
    const CpPiece *piece = &plan->shot->pieces[i];
    all += piece->size * (piece->written ? 2 : 1);
    if (piece->size > AMBER_MAX_BUFFER_BYTES)
      return refuse(plan, piece->variable, "contents of more than 256 MiB");
  }
  if (all > AMBER_MAX_TOTAL_BYTES)
    snprintf(plan->why, sizeof plan->why, "contents of more than 512 MiB in all");
  return all <= AMBER_MAX_TOTAL_BYTES;
}

static bool plan_all(Plan *plan) {
  CpShot *shot = plan->shot;
  if (!allocate(shot) || !copy_pushed(plan))
    return false;
  for (uint32_t i = 0; i < CP_MOST_SETS; i++)
    shot->sets[i] = plan->point->sets[i].handle;
  for (const CpPipeline *p = shot->pipeline; p; p = p->next)
    for (uint32_t i = 0; i < p->face->count; i++)
      if (!add_variable(plan, &p->face->variables[i]))
        return false;
  if (!add_draw(plan))
    return false;
  join_all(shot);
  for (uint32_t i = 0; i < shot->piece_count; i++)
    if (!shot->pieces[i].image)
      shot->pieces[i].size = shot->pieces[i].high - shot->pieces[i].low;
  if (!check_texels(plan) || !check_size(plan))
    return false;
  const char *why = "out of memory";
  if (cp_copies_make(plan->device, shot, &why))
    return true;
  snprintf(plan->why, sizeof plan->why, "%s", why);
  return false;
}

static CpShot *new_shot(CpPipeline *pipeline, uint64_t number) {
  CpShot *shot = calloc(1, sizeof *shot);
  if (!shot)
    return NULL;
  shot->number = number;
  shot->pipeline = pipeline;
  pipeline->shares++;
  return shot;
}

/* Takes the shot; NULL: it is refused, and freed. */
static CpShot *finish_plan(CpDevice *d, const CpBindPoint *point, CpShot *shot, uint32_t row,
                           uint64_t number) {
  Plan plan = {.device = d, .point = point, .shot = shot};
  if (shot && plan_all(&plan))
    return shot;
  cp_session_refuse(d->session, row, number, *plan.why ? plan.why : "out of memory");
  cp_shot_free(d, shot);
  return NULL;
}

CpShot *cp_shot_begin(CpDevice *d, CpCommands *commands, CpPipeline *pipeline, uint64_t number,
                      const uint32_t groups[3], CpIndirect indirect) {
  CpShot *shot = new_shot(pipeline, number);
  if (shot) {
    memcpy(shot->groups, groups, sizeof shot->groups);
    shot->indirect = indirect;
  }
  shot = finish_plan(d, &commands->points[CP_COMPUTE], shot, pipeline->row, number);
  if (shot)
    cp_copies_before(d, commands->handle, shot);
  return shot;
}

CpShot *cp_shot_draw(CpDevice *d, CpCommands *commands, CpPipeline *pipeline, uint64_t number,
                     const CpDraw *draw) {
  CpShot *shot = new_shot(pipeline, number);
  CpDraw *copy = shot ? malloc(sizeof *copy) : NULL;
  if (copy) {
    *copy = *draw;
    shot->draw = copy;
    shot->indirect = draw->indirect;
    shot->groups[0] = draw->count;
    shot->groups[1] = draw->instances;
    shot->groups[2] = 1;
  } else {
    cp_shot_free(d, shot);
    shot = NULL;
  }
  return finish_plan(d, &commands->points[CP_GRAPHICS], shot, pipeline->row, number);
}

void cp_shot_end(CpDevice *d, CpCommands *commands, CpShot *shot) {
  cp_copies_after(d, commands->handle, shot);
}

static bool same_descriptor(const CpDescriptor *a, const CpDescriptor *b) {
  return a->buffer == b->buffer && a->offset == b->offset && a->range == b->range &&
         a->view == b->view && a->layout == b->layout && a->sampler == b->sampler &&
         a->texels == b->texels;
}

bool cp_shot_is_current(CpDevice *d, const CpShot *shot) {
  for (uint32_t i = 0; i < shot->bound_count; i++) {
    const CpUse *use = &shot->uses[i];
    if (!shot->sets[use->set])
      continue; /* pushed */
    const CpSet *set = cp_handles_find(&d->sets, CP_HANDLE(shot->sets[use->set]));
    if (!set || use->index >= set->layout->descriptor_count ||
        !same_descriptor(&set->descriptors[use->index], &use->descriptor))
      return false;
  }
  return true;
}

void cp_shot_free(CpDevice *d, CpShot *shot) {
  if (!shot)
    return;
  d->next.DestroyBuffer(d->handle, shot->copies, NULL);
  d->next.FreeMemory(d->handle, shot->memory, NULL);
  cp_session_release(d->session, shot->size);
  cp_pipeline_release(shot->pipeline);
  free(shot->pushed);
  free(shot->draw);
  free(shot->pieces);
  free(shot->uses);
  free(shot);
}
