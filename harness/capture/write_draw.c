/* SPDX-License-Identifier: Apache-2.0 */
/* write_draw: see write_draw.h. */
#include "harness/capture/write_draw.h"

#include "spv-emu/format/format.h"

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

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

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

/* The pixels that the draw can reach: those of the scissor in the area of the pass. */
static void write_scissor(FILE *out, const CpShot *shot) {
  const CpPass *pass = &shot->draw->pass;
  const VkRect2D *s = &shot->draw->state.fixed.scissor, *a = &pass->area;
  int64_t left = most(most(s->offset.x, a->offset.x), 0);
  int64_t top = most(most(s->offset.y, a->offset.y), 0);
  int64_t right =
      least(least(s->offset.x + (int64_t)s->extent.width, a->offset.x + (int64_t)a->extent.width),
            pass->width);
  int64_t bottom =
      least(least(s->offset.y + (int64_t)s->extent.height, a->offset.y + (int64_t)a->extent.height),
            pass->height);
  if (left || top || right < pass->width || bottom < pass->height)
    fprintf(out, "  SCISSOR %lld %lld SIZE %lld %lld\n", (long long)left, (long long)top,
            (long long)most(right - left, 0), (long long)most(bottom - top, 0));
}

static void write_viewport(FILE *out, const CpShot *shot) {
  const VkViewport *v = &shot->draw->state.fixed.viewport;
  fprintf(out, "  FRAMEBUFFER_SIZE %u %u\n", shot->draw->pass.width, shot->draw->pass.height);
  fprintf(out, "  VIEWPORT %.9g %.9g SIZE %.9g %.9g MIN_DEPTH %.9g MAX_DEPTH %.9g%s\n",
          (double)v->x, (double)v->y, (double)v->width, (double)v->height, (double)v->minDepth,
          (double)v->maxDepth,
          shot->draw->state.fixed.negative_one_to_one ? " NEGATIVE_ONE_TO_ONE" : "");
  write_scissor(out, shot);
}

static void write_raster(FILE *out, const CpFixed *g) {
  static const char *const culled[] = {"none", "front", "back", "front_and_back"};
  static const char *const modes[] = {"fill", "line", "point"};
  if (g->raster.polygonMode && g->raster.polygonMode <= VK_POLYGON_MODE_POINT)
    fprintf(out, "  POLYGON_MODE %s\n", modes[g->raster.polygonMode]);
  if (g->raster.cullMode & 3)
    fprintf(out, "  CULL_MODE %s\n", culled[g->raster.cullMode & 3]);
  if (g->raster.frontFace == VK_FRONT_FACE_CLOCKWISE)
    fputs("  FRONT_FACE clockwise\n", out);
  if (g->provoking == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT)
    fputs("  PROVOKING_VERTEX last\n", out);
  if (g->restart)
    fputs("  PRIMITIVE_RESTART on\n", out);
  if (g->patch_points)
    fprintf(out, "  PATCH_CONTROL_POINTS %u\n", g->patch_points);
}

static void write_depth(FILE *out, const CpFixed *f, const CpAttachment *attachment) {
  const VkPipelineDepthStencilStateCreateInfo *d = &f->depth;
  bool test = attachment->depth && d->depthTestEnable;
  bool bounds = attachment->depth && d->depthBoundsTestEnable;
  if (!test && !bounds && !f->raster.depthBiasEnable && !f->raster.depthClampEnable)
    return;
  fputs("  DEPTH\n", out);
  if (test)
    fprintf(out, "    TEST on\n    WRITE %s\n    COMPARE_OP %s\n",
            d->depthWriteEnable ? "on" : "off", compare_ops[d->depthCompareOp]);
  if (f->raster.depthClampEnable)
    fputs("    CLAMP on\n", out);
  if (bounds)
    fprintf(out, "    BOUNDS min %.9g max %.9g\n", (double)d->minDepthBounds,
            (double)d->maxDepthBounds);
  if (f->raster.depthBiasEnable)
    fprintf(out, "    BIAS constant %.9g clamp %.9g slope %.9g\n",
            (double)f->raster.depthBiasConstantFactor, (double)f->raster.depthBiasClamp,
            (double)f->raster.depthBiasSlopeFactor);
  fputs("  END\n", out);
}

static void write_face(FILE *out, const char *name, const VkStencilOpState *s) {
  static const char *const ops[] = {"keep",
                                    "zero",
                                    "replace",
                                    "increment_and_clamp",
                                    "decrement_and_clamp",
                                    "invert",
                                    "increment_and_wrap",
                                    "decrement_and_wrap"};
  fprintf(out,
          "  STENCIL %s\n    TEST on\n    FAIL_OP %s\n    PASS_OP %s\n    DEPTH_FAIL_OP %s\n"
          "    COMPARE_OP %s\n    COMPARE_MASK %u\n    WRITE_MASK %u\n    REFERENCE %u\n  END\n",
          name, ops[s->failOp], ops[s->passOp], ops[s->depthFailOp], compare_ops[s->compareOp],
          s->compareMask & 255, s->writeMask & 255, s->reference & 255);
}

static void write_stencil(FILE *out, const CpFixed *f, const CpAttachment *attachment) {
  if (!attachment->stencil || !f->depth.stencilTestEnable)
    return;
  write_face(out, "front", &f->depth.front);
  write_face(out, "back", &f->depth.back);
}

static void write_blend(FILE *out, const CpFixed *f) {
  static const char *const ops[] = {"add", "subtract", "reverse_subtract", "min", "max"};
  const VkColorBlendEquationEXT *e = &f->equations[0];
  if ((f->write_masks[0] & 15) != 15)
    fprintf(out, "  COLOR_WRITE_MASK %u\n", f->write_masks[0] & 15);
  if (!f->blends[0])
    return;
  fprintf(out,
          "  BLEND\n    SRC_COLOR_FACTOR %s\n    DST_COLOR_FACTOR %s\n    COLOR_OP %s\n"
          "    SRC_ALPHA_FACTOR %s\n    DST_ALPHA_FACTOR %s\n    ALPHA_OP %s\n  END\n",
          factors[e->srcColorBlendFactor], factors[e->dstColorBlendFactor], ops[e->colorBlendOp],
          factors[e->srcAlphaBlendFactor], factors[e->dstAlphaBlendFactor], ops[e->alphaBlendOp]);
}

void cp_draw_state(FILE *out, const CpShot *shot) {
  const CpFixed *fixed = &shot->draw->state.fixed;
  const CpAttachment *attachment = &shot->draw->pass.depth;
  write_viewport(out, shot);
  write_raster(out, fixed);
  write_depth(out, fixed, attachment);
  write_stencil(out, fixed, attachment);
  write_blend(out, fixed);
}

/* ---- vertices and indices -------------------------------------------------------------------- */

static void write_attribute(FILE *out, const CpFixed *g, uint32_t binding,
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
  const CpFixed *g = &shot->draw->state.fixed;
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
         numbers[topology] != draw->state.fixed.topology)
    topology++;
  fprintf(out, "RUN pipeline DRAW_ARRAY AS %s%s START_IDX %u COUNT %u", topologies[topology],
          draw->indexed ? " INDEXED" : "",
          draw->indexed && !draw->indirect.buffer ? 0 : draw->first, draw->count);
  if (draw->vertex_offset)
    fprintf(out, " VERTEX_OFFSET %d", draw->vertex_offset);
  if (draw->first_instance || draw->instances != 1)
    fprintf(out, " START_INSTANCE %u INSTANCE_COUNT %u", draw->first_instance, draw->instances);
  fputs("\n\n", out);
}
