/* SPDX-License-Identifier: Apache-2.0 */
/* amber_bind: the descriptors of a script's pipelines, which are views of its buffers; amber_run.h
 * describes their layout in memory. */
#ifndef EMU_AMBER_BIND_H
#define EMU_AMBER_BIND_H

#include "harness/shader/kernel_parameters.h"
#include "spv-emu/report/report_row.h"

#include <spv-emu/spv_emu_render.h>

typedef struct EmuAmberBuffer {
  uint8_t *bytes; /* owned */
  uint64_t size;  /* all levels and samples of an image; else declared->size */
} EmuAmberBuffer;

/* The bindings of a pipeline. */
typedef struct EmuAmberBindings {
  spv_emu_buffer *buffers;
  spv_emu_image *images;
  spv_emu_sampler *samplers;
  EmuOutput *outputs; /* descriptors of buffers and images */
  uint32_t buffer_count, image_count, sampler_count, output_count;
} EmuAmberBindings;

/* Zeroed memory for a buffer of the script. False: out of memory. */
bool emu_amber_buffer_create(const AmberBuffer *declared, EmuAmberBuffer *buffer);
/* Resets the buffer to the script's contents. */
void emu_amber_buffer_reset(const AmberBuffer *declared, EmuAmberBuffer *buffer);

/* A level of a buffer as an attachment. The buffer's image must have that level. */
spv_emu_attachment emu_amber_attachment(const AmberBuffer *declared, const EmuAmberBuffer *buffer,
                                        uint32_t level, uint32_t location);

/* `bound`: the pipeline's bindings (shader/kernel_parameters.h); NULL: as declared. `buffers`:
 * by index in the script. Unless SPV_EMU_OK, the message is one line. Free the bindings in any
 * case. */
spv_emu_status emu_amber_bind(const AmberScript *script, const AmberPipeline *pipeline,
                              const HnBound *bound, const EmuAmberBuffer *buffers,
                              EmuAmberBindings *bindings, char *message, size_t message_size);
void emu_amber_unbind(EmuAmberBindings *bindings);

#endif
