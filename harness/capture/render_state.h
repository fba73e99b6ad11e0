/* SPDX-License-Identifier: Apache-2.0 */
/* render_state: what a capture knows about render passes, and the state of draws. A render pass with a single draw
 * can be captured: its attachments begin with their clear values, and are copied when the pass has ended. */
#ifndef CP_RENDER_H
#define CP_RENDER_H

#include "harness/capture/objects.h"

enum {
  CP_MOST_COLORS = 8,
  CP_MOST_ATTACHMENTS = 2 * CP_MOST_COLORS + 1,
  CP_MOST_VERTEX_BUFFERS = 32
};

/* An attachment of a render pass, as a draw sees it. */
typedef struct CpAttachment {
  bool used, stored;
  VkAttachmentLoadOp load;
  VkClearValue clear;
  VkImageView view;
  VkImageLayout layout; /* after the pass */
  VkImageLayout before; /* if it is loaded: its layout before the pass */
} CpAttachment;

typedef struct CpRenderPass { /* without its views */
  CpAttachment colors[CP_MOST_COLORS], depth;
  uint32_t color_index[CP_MOST_COLORS], depth_index; /* in the framebuffer */
  uint32_t color_count;
  const char *refusal;
} CpRenderPass;

typedef struct CpFramebuffer {
  VkImageView views[CP_MOST_ATTACHMENTS];
  uint32_t view_count, width, height;
  bool imageless;
  uint32_t layers;
} CpFramebuffer;

/* A render pass that is recorded. */
typedef struct CpPass {
  bool active;
  CpAttachment colors[CP_MOST_COLORS], depth;
  uint32_t color_count, width, height, draws;
  const char *refusal;
  struct CpShot *shot;   /* of its draw */
  struct CpShot *loaded; /* the attachments that it loads, copied before it; NULL: none */
} CpPass;

/* The state that a draw takes from the command buffer. */
typedef struct CpDrawState {
  VkBuffer vertices[CP_MOST_VERTEX_BUFFERS];
  VkDeviceSize vertex_at[CP_MOST_VERTEX_BUFFERS];
  VkBuffer indices;
  VkDeviceSize index_at;
  VkIndexType index_type;
  VkViewport viewport;
  VkRect2D scissor;
} CpDrawState;

typedef struct CpDraw { /* a draw of a shot */
  bool indexed;
  uint32_t first, count, first_instance, instances;
  CpDrawState state;
  CpPass pass;
} CpDraw;

/* The fixed-function state of a graphics pipeline. */
typedef struct CpGraphics {
  VkPrimitiveTopology topology;
  bool restart;
  uint32_t patch_points;
  VkVertexInputBindingDescription *bindings;
  VkVertexInputAttributeDescription *attributes;
  uint32_t binding_count, attribute_count;
  VkPipelineRasterizationStateCreateInfo raster;
  VkPipelineDepthStencilStateCreateInfo depth;
  VkPipelineColorBlendAttachmentState blend; /* of all attachments */
  bool dynamic_viewport, dynamic_scissor;
  VkViewport viewport;
  VkRect2D scissor;
} CpGraphics;

/* NULL: out of memory. *refusal: why draws with it cannot be captured, or unchanged. */
CpGraphics *cp_graphics_new(const VkGraphicsPipelineCreateInfo *info, const char **refusal);
void cp_graphics_free(CpGraphics *graphics);

#endif
