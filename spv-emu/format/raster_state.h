/* SPDX-License-Identifier: Apache-2.0 */
/* raster_state: the fixed-function state of samplers and of a draw. Numbers are Vulkan's. */
#ifndef EMU_RASTER_STATE_H
#define EMU_RASTER_STATE_H

#include "spv-emu/format/format.h"

typedef struct EmuSamplerState {
  const char *name;
  uint32_t mag_filter, min_filter;                         /* VkFilter */
  uint32_t address_mode_u, address_mode_v, address_mode_w; /* VkSamplerAddressMode */
  uint32_t border_color;                                   /* VkBorderColor */
  uint32_t mipmap_mode; /* VkSamplerMipmapMode; MIPMAP_MODE, an extension */
  float lod_bias;       /* LOD_BIAS, an extension */
  float min_lod, max_lod;
  bool unnormalized; /* both lods are 0 then */
  bool compare;
  uint32_t compare_op; /* VkCompareOp */
  uint32_t line;
} EmuSamplerState;

typedef struct EmuDepthState {
  bool test, write, clamp;
  uint32_t compare_op; /* VkCompareOp */
  bool bounds_test, bias;
  float min_bounds, max_bounds;
  float bias_constant, bias_clamp, bias_slope;
  bool unrestricted; /* VK_EXT_depth_range_unrestricted: depths need not be 0 to 1 */
} EmuDepthState;

typedef struct EmuStencilFace { /* numbers of VkStencilOp and VkCompareOp */
  uint32_t fail_op, pass_op, depth_fail_op, compare_op;
  uint32_t compare_mask, write_mask, reference;
} EmuStencilFace;

typedef struct EmuBlendState { /* numbers of VkBlendFactor and VkBlendOp */
  bool enabled;
  uint32_t src_color_factor, dst_color_factor, color_op;
  uint32_t src_alpha_factor, dst_alpha_factor, alpha_op;
} EmuBlendState;

typedef struct EmuViewport {
  float x, y, width, height, min_depth, max_depth;
} EmuViewport;

typedef struct EmuRect { /* of pixels */
  uint32_t x, y, width, height;
} EmuRect;

/* How a draw's primitives become samples, and what the samples do to the attachments. */
typedef struct EmuRasterState {
  uint32_t width, height;   /* of the framebuffer, in pixels */
  EmuViewport viewport;     /* in scripts, the whole framebuffer by default */
  bool negative_one_to_one; /* depths in clip coordinates are from -w to w, an extension */
  bool provoking_last;      /* flat inputs are those of a primitive's last vertex, an extension */
  bool cut;                 /* only the pixels of `scissor` are drawn; SCISSOR, an extension */
  EmuRect scissor;
  uint32_t polygon_mode;         /* VkPolygonMode */
  uint32_t patch_control_points; /* default 3; the emulator has no tessellation */
  EmuDepthState depth;
  bool stencil_test;
  EmuStencilFace front, back;
  EmuBlendState blend; /* of all colour attachments */
  /* VkScript has commands for these; AmberScript does not. */
  uint32_t color_write_mask; /* VkColorComponentFlags; default all */
  /* VkCullModeFlags and VkFrontFace; default: none, counter-clockwise. */
  uint32_t cull_mode, front_face;
  float line_width; /* default 1 */
  bool primitive_restart, rasterizer_discard;
  bool logic_op_enabled;
  uint32_t logic_op; /* VkLogicOp */
} EmuRasterState;

#endif
