/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_state: fixed state of a pipeline: DEPTH, STENCIL, BLEND, VIEWPORT, SUBGROUP and
 * similar. */
#include "spv-emu/script/amber/amber_parse.h"
#include "spv-emu/script/amber_choice.h"

bool amber_choose_compare_op(AmberParser *parser, uint32_t *number) {
  return amber_choice(parser, &amber_compare_ops, number);
}

/* ---- DEPTH ----------------------------------------------------------------------------------- */

/* Depths are from 0 to 1, so bounds that contain both test nothing. */
static bool parse_bounds(AmberParser *parser, EmuDepthState *depth) {
  if (!amber_expect_word(parser, "min") || !amber_float(parser, "min", &depth->min_bounds) ||
      !amber_expect_word(parser, "max") || !amber_float(parser, "max", &depth->max_bounds))
    return false;
  depth->bounds_test = depth->min_bounds > 0 || depth->max_bounds < 1;
  return true;
}

static bool parse_bias(AmberParser *parser, EmuDepthState *depth) {
  depth->bias = true;
  return amber_expect_word(parser, "constant") &&
         amber_float(parser, "constant", &depth->bias_constant) &&
         amber_expect_word(parser, "clamp") && amber_float(parser, "clamp", &depth->bias_clamp) &&
         amber_expect_word(parser, "slope") && amber_float(parser, "slope", &depth->bias_slope);
}

static bool parse_depth_option(AmberParser *parser, EmuDepthState *depth) {
  return amber_accept(parser, "TEST")         ? amber_on_off(parser, &depth->test)
         : amber_accept(parser, "WRITE")      ? amber_on_off(parser, &depth->write)
         : amber_accept(parser, "CLAMP")      ? amber_on_off(parser, &depth->clamp)
         : amber_accept(parser, "COMPARE_OP") ? amber_choose_compare_op(parser, &depth->compare_op)
         : amber_accept(parser, "BOUNDS")     ? parse_bounds(parser, depth)
         : amber_accept(parser, "BIAS")
             ? parse_bias(parser, depth)
             : amber_fail(parser, &parser->token, "not an option of DEPTH");
}

bool amber_parse_depth(AmberParser *parser) {
  EmuDepthState *depth = &amber_build_pipeline(parser)->raster.depth;
  while (amber_block_word(parser, "DEPTH"))
    if (!parse_depth_option(parser, depth))
      return false;
  return parser->status == AMBER_OK;
}

/* ---- STENCIL --------------------------------------------------------------------------------- */

static bool parse_stencil_op(AmberParser *parser, uint32_t *op) {
  return amber_choice(parser, &amber_stencil_ops, op);
}

static bool parse_stencil_option(AmberParser *parser, EmuStencilFace *face, bool *test) {
  return amber_accept(parser, "TEST")            ? amber_on_off(parser, test)
         : amber_accept(parser, "FAIL_OP")       ? parse_stencil_op(parser, &face->fail_op)
         : amber_accept(parser, "PASS_OP")       ? parse_stencil_op(parser, &face->pass_op)
         : amber_accept(parser, "DEPTH_FAIL_OP") ? parse_stencil_op(parser, &face->depth_fail_op)
         : amber_accept(parser, "COMPARE_OP") ? amber_choose_compare_op(parser, &face->compare_op)
         : amber_accept(parser, "COMPARE_MASK")
             ? amber_u32(parser, "COMPARE_MASK", 0, 255, &face->compare_mask)
         : amber_accept(parser, "WRITE_MASK")
             ? amber_u32(parser, "WRITE_MASK", 0, 255, &face->write_mask)
         : amber_accept(parser, "REFERENCE")
             ? amber_u32(parser, "REFERENCE", 0, 255, &face->reference)
             : amber_fail(parser, &parser->token, "not an option of STENCIL");
}

bool amber_parse_stencil(AmberParser *parser) {
  enum { FRONT = 1, BACK = 2 };
  static const AmberChoice faces[] = {
      {"front", FRONT}, {"back", BACK}, {"front_and_back", FRONT | BACK}};
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  uint32_t which = 0;
  if (!amber_choose(parser, faces, AMBER_COUNT(faces), "face", &which))
    return false;
  EmuStencilFace face = which == BACK ? pipeline->raster.back : pipeline->raster.front;
  while (amber_block_word(parser, "STENCIL"))
    if (!parse_stencil_option(parser, &face, &pipeline->raster.stencil_test))
      return false;
  if (which & FRONT)
    pipeline->raster.front = face;
  if (which & BACK)
    pipeline->raster.back = face;
  return parser->status == AMBER_OK;
}

/* ---- BLEND ----------------------------------------------------------------------------------- */

static bool parse_factor(AmberParser *parser, uint32_t *factor) {
  return amber_choice(parser, &amber_blend_factors, factor);
}

static bool parse_blend_op(AmberParser *parser, uint32_t *op) {
  return amber_choice(parser, &amber_blend_ops, op);
}

bool amber_parse_blend(AmberParser *parser) {
  EmuBlendState *blend = &amber_build_pipeline(parser)->raster.blend;
  *blend = (EmuBlendState){.enabled = true, .src_color_factor = 1, .src_alpha_factor = 1};
  while (amber_block_word(parser, "BLEND")) {
    bool read =
        amber_accept(parser, "SRC_COLOR_FACTOR")   ? parse_factor(parser, &blend->src_color_factor)
        : amber_accept(parser, "DST_COLOR_FACTOR") ? parse_factor(parser, &blend->dst_color_factor)
        : amber_accept(parser, "SRC_ALPHA_FACTOR") ? parse_factor(parser, &blend->src_alpha_factor)
        : amber_accept(parser, "DST_ALPHA_FACTOR") ? parse_factor(parser, &blend->dst_alpha_factor)
        : amber_accept(parser, "COLOR_OP")         ? parse_blend_op(parser, &blend->color_op)
        : amber_accept(parser, "ALPHA_OP")
            ? parse_blend_op(parser, &blend->alpha_op)
            : amber_fail(parser, &parser->token, "not an option of BLEND");
    if (!read)
      return false;
  }
  return parser->status == AMBER_OK;
}

/* ---- VIEWPORT and similar ------------------------------------------------------------------- */

bool amber_parse_framebuffer_size(AmberParser *parser) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  return amber_u32(parser, "the width", 1, 1 << 16, &pipeline->raster.width) &&
         amber_u32(parser, "the height", 1, 1 << 16, &pipeline->raster.height);
}

bool amber_parse_viewport(AmberParser *parser) {
  EmuRasterState *raster = &amber_build_pipeline(parser)->raster;
  EmuViewport *viewport = &raster->viewport;
  if (!amber_float(parser, "x", &viewport->x) || !amber_float(parser, "y", &viewport->y) ||
      !amber_expect_word(parser, "SIZE") || !amber_float(parser, "the width", &viewport->width) ||
      !amber_float(parser, "the height", &viewport->height))
    return false;
  if (!(viewport->width > 0 && viewport->height != 0))
    return amber_fail(parser, NULL, "the size of a VIEWPORT must be positive");
  if (amber_accept(parser, "MIN_DEPTH") && !amber_float(parser, "MIN_DEPTH", &viewport->min_depth))
    return false;
  if (amber_accept(parser, "MAX_DEPTH") && !amber_float(parser, "MAX_DEPTH", &viewport->max_depth))
    return false;
  raster->negative_one_to_one = amber_accept(parser, "NEGATIVE_ONE_TO_ONE"); /* an extension */
  return true;
}

bool amber_parse_polygon_mode(AmberParser *parser) {
  return amber_choice(parser, &amber_polygon_modes,
                      &amber_build_pipeline(parser)->raster.polygon_mode);
}

bool amber_parse_patch_control_points(AmberParser *parser) {
  return amber_u32(parser, "PATCH_CONTROL_POINTS", 1, 1024,
                   &amber_build_pipeline(parser)->raster.patch_control_points);
}

/* ---- extensions: what VkScript can say, too -------------------------------------------------- */

bool amber_parse_cull_mode(AmberParser *parser) {
  static const AmberChoice modes[] = {
      {"none", 0}, {"front", 1}, {"back", 2}, {"front_and_back", 3}};
  return amber_choose(parser, modes, AMBER_COUNT(modes), "cull mode",
                      &amber_build_pipeline(parser)->raster.cull_mode);
}

bool amber_parse_front_face(AmberParser *parser) {
  static const AmberChoice faces[] = {{"counter_clockwise", 0}, {"clockwise", 1}};
  return amber_choose(parser, faces, AMBER_COUNT(faces), "front face",
                      &amber_build_pipeline(parser)->raster.front_face);
}

bool amber_parse_provoking_vertex(AmberParser *parser) {
  static const AmberChoice vertices[] = {{"first", 0}, {"last", 1}};
  uint32_t last = 0;
  if (!amber_choose(parser, vertices, AMBER_COUNT(vertices), "provoking vertex", &last))
    return false;
  amber_build_pipeline(parser)->raster.provoking_last = last;
  return true;
}

bool amber_parse_scissor(AmberParser *parser) {
  EmuRasterState *raster = &amber_build_pipeline(parser)->raster;
  EmuRect *scissor = &raster->scissor;
  raster->cut = true;
  return amber_u32(parser, "x", 0, 1 << 16, &scissor->x) &&
         amber_u32(parser, "y", 0, 1 << 16, &scissor->y) && amber_expect_word(parser, "SIZE") &&
         amber_u32(parser, "the width", 0, 1 << 16, &scissor->width) &&
         amber_u32(parser, "the height", 0, 1 << 16, &scissor->height);
}

/* The sum of 1 for red, 2 for green, 4 for blue and 8 for alpha. */
bool amber_parse_color_write_mask(AmberParser *parser) {
  return amber_u32(parser, "COLOR_WRITE_MASK", 0, 15,
                   &amber_build_pipeline(parser)->raster.color_write_mask);
}

bool amber_parse_primitive_restart(AmberParser *parser) {
  return amber_on_off(parser, &amber_build_pipeline(parser)->raster.primitive_restart);
}

/* ---- SUBGROUP -------------------------------------------------------------------------------- */

static bool parse_required_size(AmberParser *parser, AmberAttachedShader *attached) {
  if (amber_accept(parser, "MIN")) {
    attached->required_size = AMBER_SUBGROUP_MIN;
    return true;
  }
  if (amber_accept(parser, "MAX")) {
    attached->required_size = AMBER_SUBGROUP_MAX;
    return true;
  }
  AmberToken word = parser->token;
  attached->required_size = AMBER_SUBGROUP_EXACT;
  if (!amber_u32(parser, "REQUIRED_SIZE", 1, 128, &attached->subgroup_size))
    return false;
  return (attached->subgroup_size & (attached->subgroup_size - 1)) == 0 ||
         amber_fail(parser, &word, "REQUIRED_SIZE must be a power of two, MIN or MAX");
}

bool amber_parse_subgroup(AmberParser *parser) {
  AmberAttachedShader *attached = amber_build_attached(parser);
  while (attached && amber_block_word(parser, "SUBGROUP")) {
    bool read =
        amber_accept(parser, "FULLY_POPULATED") ? amber_on_off(parser, &attached->fully_populated)
        : amber_accept(parser, "VARYING_SIZE")  ? amber_on_off(parser, &attached->varying_size)
        : amber_accept(parser, "REQUIRED_SIZE")
            ? parse_required_size(parser, attached)
            : amber_fail(parser, &parser->token, "not an option of SUBGROUP");
    if (!read)
      return false;
  }
  return parser->status == AMBER_OK;
}
