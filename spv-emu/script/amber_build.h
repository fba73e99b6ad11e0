/* SPDX-License-Identifier: Apache-2.0 */
/* amber_build: the parts of a script that several groups of commands add to or look up. */
#ifndef AMBER_BUILD_H
#define AMBER_BUILD_H

#include "spv-emu/script/amber_word.h"

/* Allocates the contents, zeroed; counts them against the limits. */
bool amber_build_allocate(AmberParser *parser, AmberBuffer *buffer);
/* Adds a declared buffer; `sized`: the declaration gives the size. */
bool amber_build_buffer(AmberParser *parser, const AmberBuffer *buffer, bool sized);
/* Adds a buffer that consists only of bytes; `size` 0: it will be allocated later. */
bool amber_build_bytes(AmberParser *parser, const char *name, const uint8_t *bytes, size_t size,
                       uint32_t line, uint32_t *index);
/* Gives the buffer the size of an image with these extents, and zeroed contents. */
bool amber_build_image_size(AmberParser *parser, uint32_t index, uint32_t width, uint32_t height,
                            uint32_t depth);

bool amber_build_shader(AmberParser *parser, const AmberShader *shader);

/* The state of a pipeline whose declaration is empty. */
AmberPipeline amber_build_plain(uint32_t line);
bool amber_build_add_pipeline(AmberParser *parser, const AmberPipeline *pipeline);
/* The pipeline that is being parsed, the last one. */
AmberPipeline *amber_build_pipeline(AmberParser *parser);
/* Adds a descriptor of a buffer, a sampler or both, AMBER_NONE for none. */
bool amber_build_descriptor(AmberParser *parser, AmberBinding *binding, uint32_t buffer,
                            uint32_t sampler);
/* Adds the binding to the pipeline. In a pipeline derived from another, it replaces an inherited
 * binding of the same place. */
bool amber_build_binding(AmberParser *parser, const AmberBinding *binding);
/* Takes the name of a shader that this pipeline has; NULL with a message: there is no such
 * shader. */
AmberAttachedShader *amber_build_attached(AmberParser *parser);
/* Adds a command; NULL: out of memory. */
AmberCommand *amber_build_command(AmberParser *parser, AmberCommandKind kind);

/* Takes the name of a format. */
bool amber_take_format(AmberParser *parser, const EmuFormat **format);

/* ---- at the end of the file ---- */

/* amber_resolve.c: default attachments, sizes of attachments, uses of buffers. */
bool amber_resolve(AmberParser *parser);
/* amber_check.c: compares the commands with the sizes of the buffers that they name. */
bool amber_check_commands(AmberParser *parser);
#endif
