/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse: the groups of commands of an AmberScript, one file for each.
 *
 * Each command has a small function, which the table of its group lists by keyword. Whatever needs
 * the whole file (sizes of attachments, bounds of EXPECTs) is resolved and checked at the file's
 * end. */
#ifndef AMBER_PARSE_H
#define AMBER_PARSE_H

#include "spv-emu/script/amber_build.h"

/* ---- the groups of commands ---- */

bool amber_parse_feature(AmberParser *parser);
bool amber_parse_property(AmberParser *parser);
bool amber_parse_device_extension(AmberParser *parser);
bool amber_parse_instance_extension(AmberParser *parser);
bool amber_parse_set(AmberParser *parser);

bool amber_parse_shader(AmberParser *parser);
bool amber_parse_virtual_file(AmberParser *parser);
bool amber_parse_compile_options(AmberParser *parser);
bool amber_parse_stage(AmberParser *parser, AmberStage *stage);

bool amber_parse_struct(AmberParser *parser);
bool amber_parse_buffer(AmberParser *parser);
bool amber_parse_image(AmberParser *parser);
bool amber_parse_type(AmberParser *parser, AmberStrides strides, AmberType *type);

/* Reads DATA, FILL, SERIES_FROM, FILE: the contents of the buffer, whose layout is known, and with
 * `counted` also its number of elements. *found: the next word was one of these. */
bool amber_parse_initializer(AmberParser *parser, AmberBuffer *buffer, bool counted, bool *found);

bool amber_parse_sampler(AmberParser *parser);

bool amber_parse_pipeline(AmberParser *parser);
bool amber_parse_derive(AmberParser *parser);
bool amber_parse_bind(AmberParser *parser);
/* Reads what follows KERNEL: ARG_NAME name or ARG_NUMBER number. */
bool amber_parse_kernel_slot(AmberParser *parser, AmberBinding *binding);
bool amber_parse_set_kernel(AmberParser *parser);
bool amber_parse_vertex_data(AmberParser *parser);
bool amber_parse_index_data(AmberParser *parser);
bool amber_parse_depth(AmberParser *parser);
bool amber_parse_stencil(AmberParser *parser);
bool amber_parse_blend(AmberParser *parser);
bool amber_parse_viewport(AmberParser *parser);
bool amber_parse_subgroup(AmberParser *parser);
bool amber_parse_polygon_mode(AmberParser *parser);
bool amber_parse_patch_control_points(AmberParser *parser);
bool amber_parse_cull_mode(AmberParser *parser);
bool amber_parse_front_face(AmberParser *parser);
bool amber_parse_provoking_vertex(AmberParser *parser);
bool amber_parse_scissor(AmberParser *parser);
bool amber_parse_color_write_mask(AmberParser *parser);
bool amber_parse_primitive_restart(AmberParser *parser);
bool amber_parse_framebuffer_size(AmberParser *parser);
bool amber_choose_compare_op(AmberParser *parser, uint32_t *number);

bool amber_parse_run(AmberParser *parser);
bool amber_parse_clear(AmberParser *parser);
bool amber_parse_clear_color(AmberParser *parser);
bool amber_parse_clear_depth(AmberParser *parser);
bool amber_parse_clear_stencil(AmberParser *parser);
bool amber_parse_copy(AmberParser *parser);
bool amber_parse_repeat(AmberParser *parser);
bool amber_parse_repeat_end(AmberParser *parser);
bool amber_parse_expect(AmberParser *parser);

#endif
