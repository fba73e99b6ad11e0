/* SPDX-License-Identifier: Apache-2.0 */
/* record: the state of a command buffer that is being recorded, and the captures in it.
 *
 * A chosen dispatch becomes a shot when it is recorded. Before and after the dispatch, commands are
 * added that copy what the shader can reach into memory of the capture (shot.h). The contents are
 * read when the first submission of the command buffer is complete. Later submissions run the
 * copies again, so the memory must live as long as the recording. */
#ifndef CP_RECORD_H
#define CP_RECORD_H

#include "harness/capture/capture_device.h"
#include "harness/capture/render_state.h"
#include "harness/capture/shot.h"
#include "harness/capture/shot_timing.h"

enum { CP_MOST_SETS = 32, CP_MOST_PUSHED = 256 };

typedef struct CpBoundSet {
  VkDescriptorSet handle; /* VK_NULL_HANDLE: `pushed`, or nothing is bound */
  CpSet *pushed;          /* owned by the recording */
  uint32_t *dynamic;      /* offsets, in the order of the dynamic descriptors; owned */
  uint32_t dynamic_count;
} CpBoundSet;

enum { CP_COMPUTE, CP_GRAPHICS, CP_POINTS };

typedef struct CpBindPoint {
  VkPipeline pipeline;
  CpBoundSet sets[CP_MOST_SETS];
  uint8_t pushed[CP_MOST_PUSHED]; /* push constants */
} CpBindPoint;

typedef struct CpCommands {
  VkCommandBuffer handle;
  VkCommandPool pool;
  bool is_protected;
  CpBindPoint points[CP_POINTS];
  CpDrawState draw; /* of the next draw */
  CpPass pass;      /* the render pass that is recorded */
  bool conditional; /* conditional rendering */
  CpShot *shots;    /* in the order of the dispatches and draws */
  CpTiming *timings;
  VkCommandBuffer *executed; /* secondary command buffers */
  uint32_t executed_count;
} CpCommands;

typedef struct CpPool {
  uint32_t family;
  bool is_protected;
} CpPool;

/* The set that a push of descriptors changes; NULL: unknown layout, or out of memory. */
CpSet *cp_record_pushed(CpDevice *device, VkCommandBuffer commands, VkPipelineBindPoint point,
                        VkPipelineLayout layout, uint32_t set);
/* The set that is bound; NULL: none, or an unknown one. */
CpSet *cp_record_set(CpDevice *device, const CpBindPoint *point, uint32_t set);
/* The state of a bind point; NULL: of neither compute nor graphics. */
CpBindPoint *cp_record_point(CpCommands *commands, VkPipelineBindPoint point);
/* Adds a shot whose copies are recorded. */
void cp_record_add(CpCommands *commands, CpShot *shot);
/* Frees the recording; its submissions are waited for. */
void cp_record_clear(CpDevice *device, CpCommands *commands);
/* Frees a command buffer's record. */
void cp_record_free(CpDevice *device, CpCommands *commands);

/* split_pass.c: suspends a render pass, and resumes it. */
void cp_pass_pause(CpDevice *device, VkCommandBuffer commands, const CpPass *pass);
void cp_pass_resume(CpDevice *device, VkCommandBuffer commands, const CpPass *pass);
/* All attachments are loaded when it begins again. */
void cp_again_loads(CpAgain *again);
/* hook_render.c: frees a record with its render passes; accepts NULL. */
void cp_pass_free(CpDevice *device, CpRenderPass *pass);

#endif
