/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript: the second front end. It reads VkScript, the format of VkRunner's tests and of
 * google/amber's older ones, into an AmberScript.
 *
 *     [require]           features, extensions, formats and size of the framebuffer
 *     [vertex shader]     or any other stage; "spirv", "spirv hex" or "passthrough" may follow
 *     [vertex data]       a row of column heads, then rows of numbers
 *     [indices]
 *     [test]              commands: set state and buffers, draw, compute, probe
 *
 * An AmberScript declares pipelines; the commands of a [test] instead change one state. Each draw
 * gets the pipeline of the state at that point: a new pipeline if the state has changed since the
 * last draw. Buffers are bytes: commands write values of any type into them (AMBER_WRITE), and a
 * buffer is as large as these need. All pipelines with shaders see all buffers.
 *
 * Reference: docs/vk_script.md of google/amber and README.md of VkRunner, which differ in details;
 * what either of them allows is accepted. */
#ifndef AMBER_VKSCRIPT_H
#define AMBER_VKSCRIPT_H

#include "spv-emu/script/amber_build.h"

enum { VK_STAGES = AMBER_COMPUTE + 1 };

/* How arrays and matrices are laid out in one kind of buffer. */
typedef struct VkLayout {
  AmberRules rules;
  bool row_major;
} VkLayout;

typedef enum VkBufferKind {
  VK_BUFFER_PUSH,
  VK_BUFFER_UBO,
  VK_BUFFER_SSBO,
  VK_BUFFER_KINDS,
} VkBufferKind;

/* A buffer that commands have named. */
typedef struct VkBuffer {
  VkBufferKind kind;
  uint32_t set, binding; /* unless VK_BUFFER_PUSH */
  uint32_t index;        /* in script->buffers */
  uint64_t size;         /* as large as its commands need so far */
  uint32_t line;
  AmberToken type;  /* type of the first values */
  bool mixed_types; /* later values have other types */
  bool vkrunner;    /* some command exists only in VkRunner */
} VkBuffer;

typedef struct VkScript {
  /* [require] */
  const EmuFormat *color_format, *depth_format; /* NULL: the default format; no depth buffer */
  uint32_t size_line;                           /* line of fbsize; 0: none */
  /* Shader sections, by stage. */
  uint32_t shaders[VK_STAGES]; /* in script->shaders, or AMBER_NONE */
  const char *entry_points[VK_STAGES];
  /* [vertex data], [indices] */
  AmberVertexInput *vertex_inputs;
  uint32_t vertex_input_count;
  uint32_t index_buffer;
  /* [test] */
  AmberPipeline state;        /* state of the next draw */
  uint32_t graphics, compute; /* the pipelines of the current state, or AMBER_NONE */
  uint32_t color, depth;      /* the attachments' buffers, or AMBER_NONE */
  bool tests_depth;           /* some draw tests depth or stencil */
  float clear_color[4], clear_depth;
  uint32_t clear_stencil;
  AmberTolerance tolerances[4];
  uint32_t tolerance_count;
  VkLayout layouts[VK_BUFFER_KINDS];
  bool says_ubo_layout; /* "ubo layout" has been read */
  VkBuffer *buffers;
  uint32_t buffer_count;
  uint32_t push; /* in `buffers`, or AMBER_NONE */
} VkScript;

/* ---- vkscript.c: the whole file ---- */

/* Does the first word of the text begin a section? */
bool vkscript_is(const char *text, size_t size);
bool vkscript_parse(AmberParser *parser, const char *text, size_t size);

/* ---- sections ---- */

bool vkscript_require(AmberParser *parser);
bool vkscript_vertex_data(AmberParser *parser);
bool vkscript_indices(AmberParser *parser);
bool vkscript_test(AmberParser *parser);

/* ---- vkscript_draw.c: pipelines, and the commands that run or clear them ---- */

/* The graphics pipeline of the current state, with the framebuffer; it is made if there is none
 * yet. */
bool vkscript_graphics(AmberParser *parser, uint32_t *pipeline);
bool vkscript_draw(AmberParser *parser);
bool vkscript_compute(AmberParser *parser);
bool vkscript_clear(AmberParser *parser);
bool vkscript_entry_point(AmberParser *parser, AmberStage stage);
/* At the end: gives all pipelines the bindings and push constants, and, if a draw tests depth or
 * stencil, one attachment for these. */
bool vkscript_draw_finish(AmberParser *parser, AmberBinding *bindings, uint32_t count);

/* ---- vkscript_state.c ---- */

/* *found: the next word was a property of the state, and the property has been read. */
bool vkscript_property(AmberParser *parser, bool *found);
bool vkscript_patch(AmberParser *parser);

/* ---- vkscript_probe.c ---- */

bool vkscript_tolerance(AmberParser *parser);
bool vkscript_probe(AmberParser *parser);
bool vkscript_relative_probe(AmberParser *parser);

/* ---- vkscript_buffer.c ---- */

bool vkscript_ssbo(AmberParser *parser);
bool vkscript_ubo(AmberParser *parser);
bool vkscript_push(AmberParser *parser);
bool vkscript_uniform(AmberParser *parser);
bool vkscript_probe_ssbo(AmberParser *parser);
/* At the end: sets the sizes of the buffers, and returns the bindings that all pipelines share. */
bool vkscript_buffer_finish(AmberParser *parser, AmberBinding **bindings, uint32_t *count);

/* ---- vkscript_type.c ---- */

/* Reads the name of a type: "vec3", "uint16_t", "dmat2x3". The layout is that of an array of it. */
bool vkscript_type(AmberParser *parser, VkLayout how, EmuElementLayout *layout, uint32_t *rows);

#endif
