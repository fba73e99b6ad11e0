/* SPDX-License-Identifier: Apache-2.0 */
/* render_state: what a capture knows about render passes, and the state of draws.
 *
 * If a draw of a render pass may be captured, the pass stores all its attachments. It is split at a
 * captured draw: one part ends before the draw, one holds the draw, and one begins after it. Each
 * part begins with what the attachments then hold, and the copies run between the parts. The parts
 * are compatible with the render pass that the program made, so its pipelines remain valid. */
#ifndef CP_RENDER_H
#define CP_RENDER_H

#include "harness/capture/objects.h"

enum {
  CP_MOST_COLORS = 8,
  CP_MOST_ATTACHMENTS = 2 * CP_MOST_COLORS + 1,
  CP_MOST_VERTEX_BUFFERS = 32
};

/* ---- render passes --------------------------------------------------------------------------- */

/* An attachment of a render pass, as a draw sees it. */
typedef struct CpAttachment {
  bool used;
  bool depth, stencil; /* which aspects draws can test and write; of colours neither */
  VkImageView view;
  VkImageLayout layout; /* between the parts of a split pass */
} CpAttachment;

typedef struct CpRenderPass { /* without its views */
  CpAttachment colors[CP_MOST_COLORS], depth;
  uint32_t color_index[CP_MOST_COLORS], depth_index; /* in the framebuffer */
  uint32_t color_count;
  VkRenderPass stored; /* the same pass, but all attachments are stored */
  VkRenderPass again;  /* the same pass, which goes on with what the attachments hold */
  const char
      *refusal; /* why its draws cannot be captured; without one, there are both passes above */
} CpRenderPass;

typedef struct CpFramebuffer {
  VkImageView views[CP_MOST_ATTACHMENTS];
  uint32_t view_count, width, height;
  bool imageless;
  uint32_t layers;
} CpFramebuffer;

/* How a split render pass begins again. */
typedef struct CpAgain {
  VkRenderPass pass; /* VK_NULL_HANDLE: dynamic rendering */
  VkFramebuffer framebuffer;
  VkImageView views[CP_MOST_ATTACHMENTS]; /* of a framebuffer without images */
  uint32_t view_count;
  VkRect2D area;
  bool second; /* the commands of the second version of render passes */
  VkRenderingAttachmentInfo colors[CP_MOST_COLORS], depth, stencil;
  bool has_depth, has_stencil;
} CpAgain;

/* A render pass that is recorded. */
typedef struct CpPass {
  bool active;
  CpAttachment colors[CP_MOST_COLORS], depth;
  uint32_t color_count, width, height;
  VkRect2D area;       /* that draws may change */
  uint32_t open;       /* queries and the like that began in it and have not ended */
  CpAgain again;       /* how it begins again */
  const char *refusal; /* why it cannot be split */
} CpPass;

/* ---- the state of draws ---------------------------------------------------------------------- */

/* The fixed-function state of draws. Some of it may be dynamic: set by the command buffer (dynamic.def). */
typedef struct CpFixed {
  VkPrimitiveTopology topology;
  VkBool32 restart;
  uint32_t patch_points;
  VkVertexInputBindingDescription bindings[CP_MOST_VERTEX_BUFFERS];
  VkVertexInputAttributeDescription attributes[CP_MOST_VERTEX_BUFFERS];
  VkBool32 divided; /* an input has another divisor than 1 */
  uint32_t binding_count, attribute_count;
  uint32_t
      strides[CP_MOST_VERTEX_BUFFERS]; /* by binding; if dynamic, instead of those of `bindings` */
  VkPipelineRasterizationStateCreateInfo raster;
  VkPipelineDepthStencilStateCreateInfo depth;
  VkBool32 depth_clip, clip_follows; /* clip_follows: depth is clipped unless it is clamped */
  VkBool32 negative_one_to_one;      /* depths in clip coordinates are from -w to w */
  VkProvokingVertexModeEXT provoking;
  VkLineRasterizationModeEXT line_mode;
  VkBool32 line_stipple;
  VkSampleCountFlagBits samples;
  VkSampleMask sample_mask; /* of the first samples */
  VkBool32 alpha_to_coverage, alpha_to_one, logic;
  /* By colour. */
  VkBool32 blends[CP_MOST_COLORS];
  VkColorBlendEquationEXT equations[CP_MOST_COLORS];
  VkColorComponentFlags write_masks[CP_MOST_COLORS];
  VkBool32 writes[CP_MOST_COLORS]; /* false: no component is written */
  VkViewport viewport;
  uint32_t viewport_count;
  VkRect2D scissor;
} CpFixed;

/* The state of a graphics pipeline. */
typedef struct CpGraphics {
  CpFixed fixed;
  uint64_t dynamic; /* the rows of dynamic.def that the command buffer sets */
} CpGraphics;

/* The state that a draw takes from the command buffer. */
typedef struct CpDrawState {
  VkBuffer vertices[CP_MOST_VERTEX_BUFFERS];
  VkDeviceSize vertex_at[CP_MOST_VERTEX_BUFFERS];
  VkBuffer indices;
  VkDeviceSize index_at;
  VkIndexType index_type;
  CpFixed fixed; /* what is dynamic */
} CpDrawState;

/* Where the numbers of an indirect command are. */
typedef struct CpIndirect {
  VkBuffer buffer; /* VK_NULL_HANDLE: the command is not indirect */
  VkDeviceSize at, size;
} CpIndirect;

typedef struct CpDraw { /* a draw of a shot */
  bool indexed;
  CpIndirect indirect; /* the numbers below are 0 until it was read */
  uint32_t first, count, first_instance, instances;
  int32_t vertex_offset;
  CpDrawState state; /* `fixed`: all of it */
  CpPass pass;
} CpDraw;

/* NULL: out of memory. *refusal: why draws with it cannot be captured, or unchanged. */
CpGraphics *cp_graphics_new(const VkGraphicsPipelineCreateInfo *info, const char **refusal);
/* The parts of `fixed` that are not dynamic become those of the pipeline. Returns why a case cannot have the state for
 * a draw in this pass; NULL: it can. */
const char *cp_graphics_settle(const CpGraphics *graphics, const CpPass *pass, CpFixed *fixed);

#endif
