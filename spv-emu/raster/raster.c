/* SPDX-License-Identifier: Apache-2.0 */
/* raster: see raster.h. */
#include "spv-emu/raster/raster.h"

#include <math.h>
#include <stdio.h>

EmuRaster emu_raster_of(const EmuRasterState *state, const EmuFormat *depth_format) {
  return (EmuRaster){
      .width = state->width,
      .height = state->height,
      .samples = 1,
      .subpixel_bits = 8,
      .viewport = state->viewport,
      .negative_one_to_one = state->negative_one_to_one,
      .scissor = state->cut ? state->scissor : (EmuRect){0, 0, state->width, state->height},
      .polygon_mode = state->polygon_mode,
      .cull_mode = state->cull_mode,
      .front_face = state->front_face,
      .line_width = state->line_width,
      .depth = state->depth,
      .depth_format = depth_format,
  };
}

EmuDepthRange emu_raster_depths(const EmuRaster *raster) {
  const EmuViewport *view = &raster->viewport;
  if (raster->depth.clamp)
    return (EmuDepthRange){fminf(view->min_depth, view->max_depth),
                           fmaxf(view->min_depth, view->max_depth)};
  return raster->depth.unrestricted ? (EmuDepthRange){-INFINITY, INFINITY} : (EmuDepthRange){0, 1};
}

/* Is the viewport within twice the largest framebuffer (Vulkan's viewportBoundsRange)? */
static bool viewport_is_bounded(const EmuViewport *v) {
  const float most = 2 * EMU_MAX_FRAMEBUFFER;
  return fabsf(v->x) <= most && fabsf(v->y) <= most && fabsf(v->width) <= most &&
         fabsf(v->height) <= most;
}

static bool depth_is_possible(const EmuRaster *r, float depth) {
  return r->depth.unrestricted ? isfinite(depth) : depth >= 0 && depth <= 1;
}

static bool viewport_is_possible(const EmuRaster *r) {
  return viewport_is_bounded(&r->viewport) && depth_is_possible(r, r->viewport.min_depth) &&
         depth_is_possible(r, r->viewport.max_depth);
}

bool emu_raster_check(const EmuRaster *r, char *text, size_t text_size) {
  if (!r->width || !r->height || r->width > EMU_MAX_FRAMEBUFFER || r->height > EMU_MAX_FRAMEBUFFER)
    snprintf(text, text_size, "a framebuffer of %ux%u pixels; 1x1 to %ux%u are possible", r->width,
             r->height, EMU_MAX_FRAMEBUFFER, EMU_MAX_FRAMEBUFFER);
  else if (!emu_sample_spots(r->samples))
    snprintf(text, text_size, "%u samples a pixel; 1, 2, 4, 8 and 16 are possible", r->samples);
  else if (r->subpixel_bits != 4 && r->subpixel_bits != 8)
    snprintf(text, text_size, "%u bits of sub-pixel precision; 4 and 8 are possible",
             r->subpixel_bits);
  else if (!viewport_is_possible(r))
    snprintf(text, text_size,
             "a viewport of %gx%g pixels at (%g, %g), depths %g to %g; at most %u "
             "pixels and depths of 0 to 1 are possible",
             (double)r->viewport.width, (double)r->viewport.height, (double)r->viewport.x,
             (double)r->viewport.y, (double)r->viewport.min_depth, (double)r->viewport.max_depth,
             2 * EMU_MAX_FRAMEBUFFER);
  else
    return true;
  return false;
}
