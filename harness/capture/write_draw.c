/* SPDX-License-Identifier: Apache-2.0 */
/* write_draw: see write_draw.h. */
#include "harness/capture/write_draw.h"

#include "spv-emu/format/format.h"

#include <stdlib.h>
#include <string.h>

static const char *const compare_ops[] = {
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
    "always"};
static const char *const factors[] = {"zero",
                                      "one",
                                      "src_color",
                                      "one_minus_src_color",
                                      "dst_color",
                                      "one_minus_dst_color",
                                      "src_alpha",
                                      "one_minus_src_alpha",
                                      "dst_alpha",
                                      "one_minus_dst_alpha",
                                      "constant_color",
                                      "one_minus_constant_color",
                                      "constant_alpha",
                                      "one_minus_constant_alpha",
                                      "src_alpha_saturate",
                                      "src1_color",
                                      "one_minus_src1_color",
                                      "src1_alpha",
                                      "one_minus_src1_alpha"};

const char *cp_stage_name(VkShaderStageFlagBits stage) {
  switch (stage) {
  case VK_SHADER_STAGE_VERTEX_BIT:
    return "vertex";
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return "tessellation_control";
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return "tessellation_evaluation";
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return "geometry";
  case VK_SHADER_STAGE_FRAGMENT_BIT:
    return "fragment";
  default:
    return "compute";
  }
}

/* ---- state ----------------------------------------------------------------------------------- */

static void write_viewport(FILE *out, const CpShot *shot) {
  const CpGraphics *g = shot->pipeline->graphics;
  const VkViewport *v = g->dynamic_viewport ? &shot->draw->state.viewport : &g->viewport;
  fprintf(out, "  FRAMEBUFFER_SIZE %u %u\n", shot->draw->pass.width, shot->draw->pass.height);
  fprintf(out, "  VIEWPORT %.9g %.9g SIZE %.9g %.9g MIN_DEPTH %.9g MAX_DEPTH %.9g\n", (double)v->x,
          (double)v->y, (double)v->width, (double)v->height, (double)v->minDepth,
          (double)v->maxDepth);
}

static void write_raster(FILE *out, const CpGraphics *g) {
  static const char *const culled[] = {"none", "front", "back", "front_and_back"};
  static const char *const modes[] = {"fill", "line", "point"};
  if (g->raster.polygonMode && g->raster.polygonMode <= VK_POLYGON_MODE_POINT)
    fprintf(out, "  POLYGON_MODE %s\n", modes[g->raster.polygonMode]);
  if (g->raster.cullMode & 3)
    fprintf(out, "  CULL_MODE %s\n", culled[g->raster.cullMode & 3]);
  if (g->raster.frontFace == VK_FRONT_FACE_CLOCKWISE)
    fputs("  FRONT_FACE clockwise\n", out);
  if (g->restart)
    fputs("  PRIMITIVE_RESTART on\n", out);
  if (g->patch_points)
    fprintf(out, "  PATCH_CONTROL_POINTS %u\n", g->patch_points);
}

static void write_depth(FILE *out, const CpGraphics *g) {
  const VkPipelineDepthStencilStateCreateInfo *d = &g->depth;
  bool depth = d->depthTestEnable || g->raster.depthBiasEnable || g->raster.depthClampEnable;
  if (!depth)
    return;
  fputs("  DEPTH\n", out);
  if (d->depthTestEnable)
    fprintf(out, "    TEST on\n    WRITE %s\n    COMPARE_OP %s\n",
            d->depthWriteEnable ? "on" : "off", compare_ops[d->depthCompareOp]);
  if (g->raster.depthClampEnable)
    fputs("    CLAMP on\n", out);
  if (d->depthBoundsTestEnable)
    fprintf(out, "    BOUNDS min %.9g max %.9g\n", (double)d->minDepthBounds,
            (double)d->maxDepthBounds);
  if (g->raster.depthBiasEnable)
    fprintf(out, "    BIAS constant %.9g clamp %.9g slope %.9g\n",
            (double)g->raster.depthBiasConstantFactor, (double)g->raster.depthBiasClamp,
            (double)g->raster.depthBiasSlopeFactor);
  fputs("  END\n", out);
}

static void write_blend(FILE *out, const CpGraphics *g) {
  static const char *const ops[] = {"add", "subtract", "reverse_subtract", "min", "max"};
  const VkPipelineColorBlendAttachmentState *b = &g->blend;
  if ((b->colorWriteMask & 15) != 15)
    fprintf(out, "  COLOR_WRITE_MASK %u\n", b->colorWriteMask & 15);
  if (!b->blendEnable)
    return;
  fprintf(out,
          "  BLEND\n    SRC_COLOR_FACTOR %s\n    DST_COLOR_FACTOR %s\n    COLOR_OP %s\n"
          "    SRC_ALPHA_FACTOR %s\n    DST_ALPHA_FACTOR %s\n    ALPHA_OP %s\n  END\n",
          factors[b->srcColorBlendFactor], factors[b->dstColorBlendFactor], ops[b->colorBlendOp],
          factors[b->srcAlphaBlendFactor], factors[b->dstAlphaBlendFactor], ops[b->alphaBlendOp]);
}

void cp_draw_state(FILE *out, const CpShot *shot) {
  const CpGraphics *g = shot->pipeline->graphics;
  write_viewport(out, shot);
  write_raster(out, g);
  write_depth(out, g);
  write_blend(out, g);
}

/* ---- vertices and indices -------------------------------------------------------------------- */

static void write_attribute(FILE *out, const CpGraphics *g, uint32_t binding,
                            const VkVertexInputAttributeDescription *a, const char *name) {
  const EmuFormat *format = emu_format_numbered(a->format);
  for (uint32_t i = 0; i < g->binding_count; i++)
    if (g->bindings[i].binding == binding && a->binding == binding && format)
      fprintf(out, "  VERTEX_DATA %s LOCATION %u RATE %s FORMAT %s OFFSET %u STRIDE %u\n", name,
              a->location,
              g->bindings[i].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE ? "instance" : "vertex",
              format->name, a->offset, g->bindings[i].stride);
}

void cp_draw_vertices(FILE *out, const CpShot *shot, const CpPiece *piece, const char *name) {
  const CpGraphics *g = shot->pipeline->graphics;
  if (piece->role == CP_INDICES)
    fprintf(out, "  INDEX_DATA %s\n", name);
  for (uint32_t i = 0; piece->role == CP_VERTICES && i < g->attribute_count; i++)
    write_attribute(out, g, piece->slot, &g->attributes[i], name);
}

void cp_draw_run(FILE *out, const CpShot *shot) {
  static const char *const topologies[] = {"point_list",
                                           "line_list",
                                           "line_strip",
                                           "triangle_list",
                                           "triangle_strip",
                                           "triangle_fan",
                                           "line_list_with_adjacency",
                                           "line_strip_with_adjacency",
                                           "triangle_list_with_adjacency",
                                           "triangle_strip_with_adjacency",
                                           "patch_list"};
  static const VkPrimitiveTopology numbers[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                                VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                                VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                                                VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY,
                                                VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
  const CpDraw *draw = shot->draw;
  uint32_t topology = 0;
  while (topology + 1 < sizeof numbers / sizeof *numbers &&
         numbers[topology] != shot->pipeline->graphics->topology)
    topology++;
  fprintf(out, "RUN pipeline DRAW_ARRAY AS %s%s START_IDX %u COUNT %u", topologies[topology],
          draw->indexed ? " INDEXED" : "", draw->indexed ? 0 : draw->first, draw->count);
  if (draw->first_instance || draw->instances != 1)
    fprintf(out, " START_INSTANCE %u INSTANCE_COUNT %u", draw->first_instance, draw->instances);
  fputs("\n\n", out);
}

/* ---- attachments ----------------------------------------------------------------------------- */

const uint8_t *cp_draw_loaded(const CpShot *shot, const CpPiece *piece) {
  const CpShot *loaded = shot->draw->pass.loaded;
  for (uint32_t i = 0; loaded && i < loaded->piece_count; i++)
    if (loaded->pieces[i].role == piece->role && loaded->pieces[i].slot == piece->slot)
      return loaded->mapped + loaded->pieces[i].before;
  return NULL;
}

/* A texel with the clear value: integers as they are, everything else as real numbers. */
static void clear_texel(const EmuFormat *format, const CpAttachment *attachment, uint8_t *texel) {
  const VkClearColorValue *color = &attachment->clear.color;
  double rgba[4] = {(double)attachment->clear.depthStencil.depth, 0, 0, 0};
  for (int i = 0; i < 4 && emu_format_has(format, 'R'); i++)
    rgba[i] = format->fields[0].kind == EMU_FORMAT_UINT   ? color->uint32[i]
              : format->fields[0].kind == EMU_FORMAT_SINT ? color->int32[i]
                                                          : (double)color->float32[i];
  emu_pixel_pack(format, rgba, texel);
}

uint8_t *cp_draw_cleared(const CpShot *shot, const CpPiece *piece) {
  const CpPass *pass = &shot->draw->pass;
  const CpAttachment *attachment =
      piece->role == CP_DEPTH ? &pass->depth : &pass->colors[piece->slot];
  const EmuFormat *format = emu_format_numbered(piece->format);
  uint8_t *bytes = calloc(piece->size + 1, 1);
  if (!bytes || attachment->load != VK_ATTACHMENT_LOAD_OP_CLEAR)
    return bytes;
  clear_texel(format, attachment, bytes);
  for (VkDeviceSize at = format->bytes; at < piece->size; at += format->bytes)
    memcpy(bytes + at, bytes, format->bytes);
  return bytes;
}
