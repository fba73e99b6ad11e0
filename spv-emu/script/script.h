/* SPDX-License-Identifier: Apache-2.0 */
/* script: an AmberScript or VkScript file as plain data: its declarations and commands.
 *
 * amber_parse reads the text once and checks everything that needs no device: names are resolved to
 * indices, numbers to values of their type, sizes are bounded, initial contents are bytes in their
 * final layout. What runs the script (Vulkan, the emulator) only walks arrays.
 *
 * Reference: docs/amber_script.md and docs/vk_script.md of google/amber, README.md of VkRunner.
 * HLSL and ray tracing are not supported: a script that uses one of them is
 * AMBER_UNSUPPORTED, with the line of the first such command. A VkScript has sections in brackets
 * and is read by a front end of its own (vkscript/) into the same data.
 *
 * The AmberScript owns everything, and amber_destroy frees it. AMBER_NONE is the index of nothing;
 * `line` is a line of the file, from 1. The host is little-endian. */
#ifndef AMBER_SCRIPT_H
#define AMBER_SCRIPT_H

#include "spv-emu/format/format.h"
#include "spv-emu/format/raster_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AMBER_NONE UINT32_MAX
#define AMBER_MAX_BUFFER_BYTES ((uint64_t)256 << 20) /* of one buffer, all mip levels included */
#define AMBER_MAX_TOTAL_BYTES ((uint64_t)512 << 20)  /* of all buffers of a script */
#define AMBER_MAX_NESTING 16                         /* REPEAT in REPEAT */

/* ---- what the device must have ------------------------------------------------------------- */

typedef struct AmberRequirement {
  const char *name; /* as written: "shaderInt64", "Storage16BitFeatures.storageBuffer16BitAccess" */
  uint32_t line;
  bool bare; /* the name of a feature alone, of any struct (VkScript) */
} AmberRequirement;

typedef struct AmberRequirements {
  AmberRequirement *items; /* in file order */
  uint32_t count;
} AmberRequirements;

/* Is the requirement this feature, "Struct.feature"? amber_use.c */
bool amber_requires(const AmberRequirement *requirement, const char *feature);

/* ---- shaders --------------------------------------------------------------------------------- */

typedef enum AmberStage {
  AMBER_VERTEX,
  AMBER_TESSELLATION_CONTROL,
  AMBER_TESSELLATION_EVALUATION,
  AMBER_GEOMETRY,
  AMBER_FRAGMENT,
  AMBER_COMPUTE, /* up to here 1 << stage is VkShaderStageFlagBits */
  AMBER_MULTI,   /* a module with several entry points; ATTACH names the stage */
} AmberStage;

typedef enum AmberShaderFormat {
  AMBER_GLSL,
  AMBER_SPIRV_ASM,
  AMBER_SPIRV_HEX,
  AMBER_SPIRV_BIN,
  AMBER_OPENCL_C,    /* a kernel; its pipeline's bindings are arguments */
  AMBER_PASSTHROUGH, /* vertex shader: the vec4 at location 0 becomes gl_Position */
} AmberShaderFormat;

typedef struct AmberShader {
  const char *name;
  AmberStage stage;
  AmberShaderFormat format;
  const char *target_env; /* "spv1.3", "vulkan1.1"; NULL: not given */
  const char *source; /* text, or SPIRV-BIN's bytes; ends in a zero byte; unused for PASSTHROUGH */
  size_t source_size;
  uint32_t source_line; /* line of the script where the source starts; 0: a FILE */
  const char *path;     /* of the FILE or VIRTUAL_FILE; NULL: inline */
  const char **options; /* COMPILE_OPTIONS, in order */
  uint32_t option_count;
  const struct AmberShader *linked; /* more GLSL of the stage, which is linked with this one */
  uint32_t line;
} AmberShader;

/* ---- buffers and images ---------------------------------------------------------------------- */

/* How pipelines use a buffer, as bits. */
enum {
  AMBER_USE_STORAGE = 1 << 0, /* dynamic or not */
  AMBER_USE_UNIFORM = 1 << 1, /* dynamic or not */
  AMBER_USE_PUSH_CONSTANT = 1 << 2,
  AMBER_USE_UNIFORM_TEXEL = 1 << 3,
  AMBER_USE_STORAGE_TEXEL = 1 << 4,
  AMBER_USE_VERTEX = 1 << 5,
  AMBER_USE_INDEX = 1 << 6,
  AMBER_USE_SAMPLED_IMAGE = 1 << 7, /* combined ones too */
  AMBER_USE_STORAGE_IMAGE = 1 << 8,
  AMBER_USE_COLOR = 1 << 9,
  AMBER_USE_RESOLVE = 1 << 10,
  AMBER_USE_DEPTH_STENCIL = 1 << 11,
  AMBER_USE_COPY_SOURCE = 1 << 12,
  AMBER_USE_COPY_TARGET = 1 << 13,
  AMBER_USE_ADDRESS = 1 << 14, /* a shader gets its address */
  AMBER_USES_AS_IMAGE = AMBER_USE_SAMPLED_IMAGE | AMBER_USE_STORAGE_IMAGE | AMBER_USE_COLOR |
                        AMBER_USE_RESOLVE | AMBER_USE_DEPTH_STENCIL,
  AMBER_USES_AS_BUFFER = AMBER_USE_STORAGE | AMBER_USE_UNIFORM | AMBER_USE_UNIFORM_TEXEL |
                         AMBER_USE_STORAGE_TEXEL | AMBER_USE_VERTEX | AMBER_USE_INDEX |
                         AMBER_USE_ADDRESS,
};

/* A buffer of bytes, an image, or both: `uses` says which. One script may use the same contents
 * both ways, in different pipelines. */
/* What a shader sees of an image; the extensions DIM_1D_ARRAY, DIM_2D_ARRAY, DIM_CUBE,
 * DIM_CUBE_ARRAY. */
typedef enum AmberArray { AMBER_PLAIN, AMBER_LAYERED, AMBER_CUBE, AMBER_CUBE_ARRAY } AmberArray;

typedef struct AmberBuffer {
  const char *name;
  EmuElementLayout layout;
  /* The format given by FORMAT, or by a data type that is an image format, or the format that a
   * scalar or vector type equals (vec3<float>: R32G32B32_SFLOAT, whatever the stride); NULL:
   * none. */
  const EmuFormat *format;
  uint32_t element_count; /* for an image: texels of level 0 */
  uint8_t *bytes;         /* initial contents: element_count * layout.stride bytes */
  size_t size;
  bool initialised; /* false: no initialiser, `bytes` are zeros */
  uint32_t uses;    /* over all pipelines and commands */
  /* As an image; a FORMAT attachment has the framebuffer size of its pipelines. `bytes` are level
   * 0. */
  uint32_t dimensions; /* 1, 2 or 3 */
  uint32_t width, height, depth;
  AmberArray array;
  uint32_t layers; /* `bytes` hold one after the other; 0 means 1 */
  uint32_t mip_levels, samples;
  const uint8_t *levels; /* initial contents of the other mip levels; NULL: zeros */
  uint32_t line; /* line of what made it: default attachments have the line of a pipeline, or of
                    fbsize */
} AmberBuffer;

/* ---- pipelines ------------------------------------------------------------------------------- */

typedef struct AmberSpecialization {
  uint32_t id;
  uint32_t bits; /* the 32 bits of the value, whatever its type */
} AmberSpecialization;

typedef enum AmberSubgroupSize {
  AMBER_SUBGROUP_ANY,
  AMBER_SUBGROUP_EXACT,
  AMBER_SUBGROUP_MIN,
  AMBER_SUBGROUP_MAX,
} AmberSubgroupSize;

typedef struct AmberAttachedShader {
  uint32_t shader;  /* in script->shaders */
  AmberStage stage; /* never AMBER_MULTI */
  const char *entry_point;
  AmberSpecialization *specializations;
  uint32_t specialization_count;
  bool fully_populated, varying_size; /* SUBGROUP */
  AmberSubgroupSize required_size;
  uint32_t subgroup_size; /* for AMBER_SUBGROUP_EXACT */
  uint32_t line;
} AmberAttachedShader;

typedef enum AmberBindKind { /* in the order of VkDescriptorType, which has the same numbers */
                             AMBER_BIND_SAMPLER,
                             AMBER_BIND_COMBINED_IMAGE_SAMPLER,
                             AMBER_BIND_SAMPLED_IMAGE,
                             AMBER_BIND_STORAGE_IMAGE,
                             AMBER_BIND_UNIFORM_TEXEL_BUFFER,
                             AMBER_BIND_STORAGE_TEXEL_BUFFER,
                             AMBER_BIND_UNIFORM,
                             AMBER_BIND_STORAGE,
                             AMBER_BIND_UNIFORM_DYNAMIC,
                             AMBER_BIND_STORAGE_DYNAMIC,
} AmberBindKind;

typedef struct AmberDescriptor {
  uint32_t buffer;         /* AMBER_NONE for a sampler alone */
  uint32_t sampler;        /* or AMBER_NONE */
  uint32_t base_mip_level; /* images */
  uint32_t dynamic_offset; /* bytes; kinds ..._DYNAMIC */
  uint64_t offset, range;  /* bytes of the buffer; range UINT64_MAX: to its end */
  uint8_t swizzle[4];      /* SWIZZLE: VkComponentSwizzle by component, 0: the component itself */
} AmberDescriptor;

/* One binding; more than one descriptor for BUFFER_ARRAY and SAMPLER_ARRAY. The value of SET KERNEL
 * is a buffer of one element, bound as AMBER_BIND_UNIFORM. */
typedef struct AmberBinding {
  AmberBindKind kind;
  bool computed; /* without AS: `kind` is AMBER_BIND_STORAGE, and the kernel's argument decides */
  uint32_t set, binding;
  bool kernel; /* an argument of an OpenCL kernel: `set` is 0, and `binding` is its number */
  const char *argument; /* the argument's name, if it is given by name; `binding` is then
                           AMBER_NONE */
  AmberDescriptor *descriptors;
  uint32_t descriptor_count;
  uint32_t line;
} AmberBinding;

typedef struct AmberAttachment {
  uint32_t buffer;
  uint32_t location; /* of colour attachments; else 0 */
  uint32_t base_mip_level;
  uint32_t line;
} AmberAttachment;

typedef struct AmberVertexInput {
  uint32_t buffer;
  uint32_t location;
  const EmuFormat *format;
  uint32_t offset, stride;
  bool per_instance;
  uint32_t line;
} AmberVertexInput;

/* The address of a buffer, which a run writes in another one. Only converted kernels have it. */
typedef struct AmberAddress {
  uint32_t buffer;     /* whose address it is */
  uint64_t offset;     /* bytes that are added */
  uint32_t values, at; /* the other buffer, and the byte there */
} AmberAddress;

typedef struct AmberPipeline {
  const char *name;
  bool graphics; /* else compute */
  AmberAttachedShader *shaders;
  uint32_t shader_count;  /* 0: a VkScript only clears with it */
  AmberBinding *bindings; /* each (set, binding) once, in file order */
  uint32_t binding_count;
  uint32_t push_constant; /* buffer, or AMBER_NONE */
  const AmberAddress *addresses;
  uint32_t address_count;
  /* Graphics only. */
  AmberAttachment *colors; /* in file order; at least one: by default a B8G8R8A8_UNORM is added */
  uint32_t color_count;
  AmberAttachment *resolves; /* of the multisampled colour attachments, in the same order */
  uint32_t resolve_count;
  uint32_t depth_stencil; /* buffer, or AMBER_NONE; added if a test needs one */
  AmberVertexInput *vertex_inputs;
  uint32_t vertex_input_count;
  uint32_t index_buffer; /* buffer of 8-, 16- or 32-bit integers, or AMBER_NONE */
  EmuRasterState raster; /* framebuffer: FRAMEBUFFER_SIZE, default 250 x 250 */
  uint32_t line;
} AmberPipeline;

/* ---- commands, in file order ----------------------------------------------------------------- */

typedef enum AmberCommandKind {
  AMBER_RUN_COMPUTE,
  AMBER_DRAW_RECT,
  AMBER_DRAW_GRID,
  AMBER_DRAW_ARRAY,
  AMBER_CLEAR,         /* clears all attachments of a pipeline to its clear values */
  AMBER_CLEAR_COLOR,   /* sets the pipeline's clear colour (default 0 0 0 0) */
  AMBER_CLEAR_DEPTH,   /* sets its clear depth (default 1) */
  AMBER_CLEAR_STENCIL, /* sets its clear stencil value (default 0) */
  AMBER_COPY,
  AMBER_EXPECT,
  AMBER_REPEAT,
  AMBER_WRITE, /* VkScript: values into a buffer */
} AmberCommandKind;

typedef enum AmberComparator {
  AMBER_EQ, /* with tolerances, if any */
  AMBER_NE,
  AMBER_LT,
  AMBER_LE,
  AMBER_GT,
  AMBER_GE,
  AMBER_EQ_RGB,
  AMBER_EQ_RGBA,
  AMBER_EQ_BUFFER,
  AMBER_RMSE_BUFFER,
  AMBER_EQ_HISTOGRAM_EMD_BUFFER,
} AmberComparator;

typedef struct AmberTolerance {
  double value; /* of EQ_RGB, EQ_RGBA: 1 is all of a normalised channel */
  bool percent; /* of the expected value */
} AmberTolerance;

typedef struct AmberExpect {
  AmberComparator comparator;
  uint32_t buffer;
  uint32_t other; /* buffer, of the three ..._BUFFER comparators */
  uint32_t first; /* EQ to GE: index of the first number to compare (element * field_count +
                     field: IDX in the file counts bytes) */
  const EmuElementLayout *layout; /* EQ to GE: the type of the values; NULL: the buffer's */
  uint32_t offset;                /* the byte of the buffer where element 0 of `layout` begins */
  EmuNumber *values;              /* EQ to GE: by the kinds of the fields, beginning with `first` */
  uint32_t value_count;
  uint32_t x, y, width, height; /* EQ_RGB, EQ_RGBA: pixels */
  double rgba[4];               /* EQ_RGB, EQ_RGBA: 0 to `full` */
  double full;                  /* 255; VkScript: 1 */
  AmberTolerance tolerances[4];
  uint32_t tolerance_count;
  uint32_t rows; /* value i has tolerance i % rows; 4, or in VkScript the rows of a column */
} AmberExpect;

typedef struct AmberRunCompute {
  uint32_t x, y, z; /* workgroups */
} AmberRunCompute;

typedef struct AmberDrawRect { /* DRAW_RECT, DRAW_GRID: in pixels, origin top left */
  float x, y, width, height;
  bool clip;              /* VkScript: in clip coordinates instead */
  bool patch;             /* VkScript: one patch of the four corners */
  uint32_t columns, rows; /* of cells; 1, 1 for DRAW_RECT */
} AmberDrawRect;

typedef struct AmberDrawArray {
  uint32_t topology; /* VkPrimitiveTopology */
  bool indexed;
  uint32_t first, count; /* vertices, or indices; count is always set */
  uint32_t first_instance, instance_count;
  uint32_t vertex_offset; /* added to the indices */
} AmberDrawArray;

/* Values of a type, one after the other from byte `offset` of the buffer on. */
typedef struct AmberWrite {
  uint32_t buffer;
  uint32_t offset;
  const EmuElementLayout *layout;
  EmuNumber *values;
  uint32_t value_count; /* a multiple of layout->field_count */
} AmberWrite;

typedef struct AmberCommand {
  AmberCommandKind kind;
  uint32_t line;
  uint32_t pipeline; /* RUN, DRAW, CLEAR; else AMBER_NONE */
  union {
    AmberRunCompute run;
    AmberDrawRect rect;
    AmberDrawArray array;
    float color[4]; /* CLEAR_COLOR: 0 to 1 */
    float depth;
    uint32_t stencil;
    struct {
      uint32_t from, to; /* buffers; the target gets the size of the source */
    } copy;
    AmberExpect expect;
    AmberWrite write;
    struct {
      uint32_t times;
      uint32_t length; /* number of commands that follow as the body, nested bodies included */
    } repeat;
  };
} AmberCommand;

/* ---- the script ------------------------------------------------------------------------------ */

typedef struct AmberScript {
  AmberRequirements features, properties; /* DEVICE_FEATURE, DEVICE_PROPERTY */
  AmberRequirements device_extensions, instance_extensions;
  uint32_t fence_timeout_ms; /* SET ENGINE_DATA; 0: not set */
  uint32_t vulkan_version;   /* VkScript: as VK_MAKE_API_VERSION; 0: any */
  AmberShader *shaders;
  uint32_t shader_count;
  AmberBuffer *buffers;
  uint32_t buffer_count;
  EmuSamplerState *samplers;
  uint32_t sampler_count;
  AmberPipeline *pipelines;
  uint32_t pipeline_count;
  AmberCommand *commands;
  uint32_t command_count;
  struct AmberPool *pool; /* owns all of the above */
} AmberScript;

typedef enum AmberStatus {
  AMBER_OK,
  AMBER_BAD,         /* the file is wrong, or out of memory */
  AMBER_UNSUPPORTED, /* a command outside the subset: skip the case */
} AmberStatus;

/* Why a script was refused. */
typedef struct AmberMessage {
  uint32_t line;
  char token[64]; /* printable, shortened if long; empty: no word */
  char text[320]; /* one line, "line 12: BUFFER: SIZE must be a number (at 'x')" */
} AmberMessage;

/* Reads the whole file that a script names (FILE). The bytes are malloc'd, and the parser frees
 * them. False: the file cannot be read, or is larger than `limit` bytes. */
typedef bool AmberReadFile(void *user, const char *path, size_t limit, uint8_t **bytes,
                           size_t *size);

/* The same for FILE BINARY; the bytes are a private copy that `unmap` frees, at last with the script. */
typedef void AmberUnmapFile(void *bytes, size_t size);

typedef struct AmberFiles {
  AmberReadFile *read; /* NULL: a script that names a file is bad */
  void *user;
  AmberReadFile *map; /* NULL: `read` reads binary files too */
  AmberUnmapFile *unmap;
} AmberFiles;

/* Parses the text of a script; `text` need not end in a zero byte and is not kept. On anything but
 * AMBER_OK *script is NULL and *message says why. */
AmberStatus amber_parse(const char *text, size_t size, const AmberFiles *files,
                        AmberScript **script, AmberMessage *message);
void amber_destroy(AmberScript *script);

/* ---- running: amber_use.c -------------------------------------------------------------------- */

/* An open REPEAT: commands [begin, end), and the number of times that they still run. */
typedef struct AmberLoop {
  uint32_t begin, end, left;
} AmberLoop;

/* The position of a run in the script. */
typedef struct AmberWalk {
  const AmberScript *script;
  uint32_t at; /* the next command */
  AmberLoop loops[AMBER_MAX_NESTING];
  uint32_t depth; /* open loops */
} AmberWalk;

void amber_walk_start(AmberWalk *walk, const AmberScript *script);
/* The next command to run; REPEATs are unrolled, never returned. NULL: the end. */
const AmberCommand *amber_walk_next(AmberWalk *walk);

/* amber_rect.c: the vertices of a DRAW_RECT or DRAW_GRID, two floats each, in clip coordinates: a
 * triangle strip of four, or a list of triangles. False: there are more than
 * AMBER_MOST_RECT_VERTICES. */
#define AMBER_MOST_RECT_VERTICES (1u << 24)
bool amber_rect_count(const AmberCommand *command, uint32_t *count);
void amber_rect_vertices(const AmberCommand *command, const AmberPipeline *pipeline, float *xy);

/* Writes the values of an AMBER_WRITE into the contents of its buffer. */
void amber_write_apply(const AmberWrite *write, void *bytes);

/* The second buffer of an EXPECT; AMBER_NONE: it has only one. */
uint32_t amber_expect_other(const AmberExpect *expect);

/* The first byte that a shader sees through a descriptor, and the number of bytes. */
uint64_t amber_descriptor_start(const AmberDescriptor *descriptor);
uint64_t amber_descriptor_size(const AmberBuffer *buffer, const AmberDescriptor *descriptor);
/* Is there an OpenCL kernel among the shaders? */
bool amber_has_kernels(const AmberScript *script);
/* Does the shader see an image? Texel buffers are not images. */
bool amber_bind_is_image(AmberBindKind kind);
/* The layers of an image. */
uint32_t amber_buffer_layers(const AmberBuffer *buffer);
/* The bytes of all layers of a mip level, for one sample. */
uint64_t amber_buffer_level_bytes(const AmberBuffer *buffer, uint32_t level);
/* Are the bytes tightly packed texels, from which an image can be filled? */
bool amber_buffer_is_texels(const AmberBuffer *buffer);

/* ---- judging an EXPECT: amber_expect.c ------------------------------------------------------- */

typedef struct AmberContents {
  const void *bytes; /* as many as the script's buffer has */
  size_t size;
} AmberContents;

/* Do the contents (by index in script->buffers) meet the EXPECT? If not, `text` is one line with
 * the first difference (buffer, index, both values), cut to its size, and says so if no command
 * before the EXPECT runs, clears, copies or writes anything. Comparisons are those of google/amber;
 * see amber_expect.c. */
bool amber_expect_check(const AmberScript *script, const AmberCommand *expect,
                        const AmberContents *contents, char *text, size_t text_size);
/* Computes what the EXPECT expects its buffer to contain: wherever `expected`, a copy of the
 * buffer's contents, does not meet the EXPECT, changes it to the expected values (for NE, LT…: to
 * the value compared with), or to those of the other buffer. */
void amber_expect_correct(const AmberScript *script, const AmberCommand *expect,
                          const AmberContents *contents, uint8_t *expected);

/* The first byte in which two contents differ, and the numbers there (in padding: the bytes). */
typedef struct AmberDifference {
  size_t byte;
  char left[64], right[64];
} AmberDifference;

/* The contents, of `size` bytes each, must differ. */
AmberDifference amber_difference(const EmuElementLayout *layout, const void *x, const void *y,
                                 size_t size);

#endif
