/* SPDX-License-Identifier: Apache-2.0 */
/* shot: the capture of one dispatch or draw: what is copied, where the copies are, and what each
 * descriptor names.
 *
 * If the buffers of several descriptors overlap in memory, they share one piece, so that aliases
 * remain aliases in the case. Each image view has its own piece. Each piece is copied before the
 * dispatch, and again after it if the shader may write it. */
#ifndef CP_SHOT_H
#define CP_SHOT_H

#include "harness/capture/capture_device.h"
#include "harness/capture/render_state.h"

typedef enum CpRole { CP_CONTENTS, CP_VERTICES, CP_INDICES, CP_COLOR, CP_DEPTH } CpRole;

/* Contents that become one BUFFER or IMAGE of the case. */
typedef struct CpPiece {
  const CpVariable *variable; /* the first that names it; it gives the type */
  bool image, texels, written;
  VkFormat format; /* of images and texel buffers */
  /* A part of memory. */
  uint64_t memory; /* its handle; that of the buffer if it has none */
  VkDeviceSize low, high;
  /* An image view. */
  CpView view;
  CpImage of;
  VkImageLayout layout;
  VkImageAspectFlags aspect;
  VkDeviceSize size;          /* bytes in the case */
  VkDeviceSize before, after; /* places in the copies */
  uint32_t users;             /* descriptors */
  CpRole role;
  uint32_t slot; /* the binding of vertices, the location of a colour */
} CpPiece;

/* A descriptor of the case. */
typedef struct CpUse {
  const CpVariable *variable;
  uint32_t element;
  VkDescriptorType type;
  uint32_t piece;                /* UINT32_MAX: a sampler alone */
  VkBuffer buffer;               /* of buffers */
  VkDeviceSize from;             /* first byte in the buffer */
  VkDeviceSize low, high;        /* in the memory */
  VkComponentMapping components; /* of an image's view */
  bool sampled;                  /* there is a sampler */
  VkSamplerCreateInfo sampler;
  /* The descriptor as it was recorded. */
  uint32_t set, index;
  CpDescriptor descriptor;
} CpUse;

typedef struct CpShot {
  struct CpShot *next;
  uint64_t number;
  CpPipeline *pipeline; /* shared */
  uint32_t groups[3];
  CpIndirect indirect;
  VkDeviceSize indirect_copy; /* the place of its numbers in the copies */
  uint8_t *pushed;
  uint32_t pushed_size;
  CpPiece *pieces;
  CpUse *uses;
  uint32_t piece_count, use_count;
  uint32_t bound_count;     /* of the uses: descriptors; the others are vertices and indices */
  CpDraw *draw;             /* NULL: a dispatch; owned */
  VkDescriptorSet sets[32]; /* that were bound */
  /* The copies. */
  VkBuffer copies;
  VkDeviceMemory memory;
  uint8_t *mapped;
  VkDeviceSize size;
  double seconds; /* 0: not timed */
  bool first;     /* of its pipeline */
  bool submitted; /* a submission has been seen */
  bool done;      /* the case is written, or the shot is refused */
} CpShot;

struct CpCommands;

/* shot_piece.c: the size of a level of an image's piece, and the bytes of all layers of that
 * level. */
VkExtent3D cp_piece_extent(const CpPiece *piece, uint32_t level);
VkDeviceSize cp_piece_level_bytes(const CpPiece *piece, uint32_t level);
/* The bytes that a copy of the piece takes: depth and stencil are copied one after the other. */
VkDeviceSize cp_piece_copied(const CpPiece *piece);

/* Plans the capture of a dispatch that is about to be recorded, and records the copies before it. On
 * failure the session has the reason. */
CpShot *cp_shot_begin(CpDevice *device, struct CpCommands *commands, CpPipeline *pipeline,
                      uint64_t number, const uint32_t groups[3], CpIndirect indirect);
/* Plans the capture of a draw in the render pass that is recorded. */
CpShot *cp_shot_draw(CpDevice *device, struct CpCommands *commands, CpPipeline *pipeline,
                     uint64_t number, const CpDraw *draw);
/* Records the copies after the dispatch or draw. */
void cp_shot_end(CpDevice *device, struct CpCommands *commands, CpShot *shot);
/* Are the descriptors still those that were recorded? */
bool cp_shot_is_current(CpDevice *device, const CpShot *shot);
void cp_shot_free(CpDevice *device, CpShot *shot);

/* capture_copies.c: makes the memory of the copies; false: *why says why not. */
bool cp_copies_make(CpDevice *device, CpShot *shot, const char **why);
void cp_copies_before(CpDevice *device, VkCommandBuffer commands, const CpShot *shot);
void cp_copies_after(CpDevice *device, VkCommandBuffer commands, const CpShot *shot);

/* write_case.c: writes the case of a shot whose copies are complete, and its contents. False: the folder
 * cannot be written, or out of memory. */
bool cp_case_write(CpDevice *device, CpShot *shot);

#endif
