/* script: what an AmberScript file declares and commands, as plain data.
 *
 * amber_parse reads the text once and checks all that can be checked without a device: names are
 * resolved to indices, numbers to values of their type, sizes are bounded, initial contents are
 * bytes in their final layout. Who runs the script (Vulkan, the emulator) only walks arrays.
 *
 * Reference: docs/amber_script.md of google/amber. OpenCL kernels, HLSL, ray tracing and PNG files
 * are not read: such a file is AMBER_UNSUPPORTED with the line of the first such command. VkScript
 * files (sections in brackets) are AMBER_VKSCRIPT.
 *
 * Everything hangs on the AmberScript and dies with amber_destroy; an index that stands for nothing
 * is AMBER_NONE; `line` is the line of the file, from 1. The host is little-endian. */
#ifndef AMBER_SCRIPT_H
#define AMBER_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AMBER_NONE UINT32_MAX
#define AMBER_MAX_BUFFER_BYTES ((uint64_t)256 << 20) /* of one buffer, all mip levels included */
#define AMBER_MAX_TOTAL_BYTES ((uint64_t)512 << 20)  /* of all buffers of a script */
#define AMBER_MAX_NESTING 16                         /* REPEAT in REPEAT */

/* ---- values and layouts -------------------------------------------------------------------- */

typedef enum AmberKind {
  AMBER_UINT,
  AMBER_SINT,
  AMBER_FLOAT, /* 16, 32 or 64 bits; 10 and 11 bits: unsigned small floats */
  AMBER_UNORM, /* as written in DATA and EXPECT IDX, this and the rest are plain integers */
  AMBER_SNORM,
  AMBER_USCALED,
  AMBER_SSCALED,
  AMBER_SRGB,
} AmberKind;

/* One number inside an element: `bits` bits from bit `shift` of the little-endian word of `unit`
 * bytes at byte `offset`. Unpacked numbers have shift 0 and bits = 8 * unit. */
typedef struct AmberField {
  uint32_t offset;
  uint8_t unit, shift, bits;
  uint8_t kind;    /* AmberKind */
  uint8_t channel; /* in formats: one of R G B A D S; else 0 */
} AmberField;

/* A number of a script, to be read by the kind of the field it belongs to. */
typedef union AmberValue {
  uint64_t u; /* UINT, UNORM, USCALED, SRGB */
  int64_t i;  /* SINT, SNORM, SSCALED */
  double d;   /* FLOAT */
} AmberValue;

/* An image format, a row of the table in amber_format.c. Texels are tightly packed as Vulkan's
 * buffer copies have them, with one exception: formats with depth and stencil hold the depth
 * aspect and, right behind it, the stencil byte (D16_UNORM_S8_UINT 3 bytes, D32_SFLOAT_S8_UINT 5;
 * D24_UNORM_S8_UINT 4 bytes with the stencil in the top byte). */
typedef struct AmberFormat {
  const char *name; /* "R8G8B8A8_UNORM" */
  uint32_t vk;      /* the number of VK_FORMAT_<name> */
  uint32_t bytes;   /* of a texel */
  uint32_t field_count;
  AmberField fields[4]; /* by rising place in the texel */
} AmberFormat;

/* What one element of a buffer looks like: all its numbers, flattened, in order of offset.
 * Matrices by column. Structs and arrays inside structs are only more fields. */
typedef struct AmberLayout {
  const AmberField *fields;
  uint32_t field_count;
  uint32_t size;   /* bytes of an element without the padding behind it */
  uint32_t stride; /* bytes from one element to the next */
} AmberLayout;

const AmberFormat *amber_format_find(const char *name); /* NULL: no such format */
const AmberFormat *amber_format_numbered(uint32_t vk);  /* by the number of its VkFormat */
/* The format whose texel is `count` (1 to 4) numbers of that kind in the order red, green, blue,
 * alpha; NULL: no such format. */
const AmberFormat *amber_format_equal(AmberKind kind, uint32_t bits, uint32_t count);
bool amber_format_has(const AmberFormat *format, char channel);
/* The texel as real numbers: red, green, blue, alpha (0, 0, 0, 1 where the format has none; sRGB
 * linearised), integers as they are; of depth formats depth and stencil come in rgba[0] and
 * rgba[1]. */
void amber_pixel_unpack(const AmberFormat *format, const void *texel, double rgba[4]);
/* The other way, clamped to what the format can hold and rounded to nearest. */
void amber_pixel_pack(const AmberFormat *format, const double rgba[4], void *texel);
/* One number of an element, raw (UNORM and the like as integers), and the other way. */
AmberValue amber_field_get(const AmberField *field, const void *element);
void amber_field_set(const AmberField *field, AmberValue value, void *element);

/* ---- what the device must have ------------------------------------------------------------- */

typedef struct AmberRequirement {
  const char *name; /* as written: "shaderInt64", "Storage16BitFeatures.storageBuffer16BitAccess" */
  uint32_t line;
} AmberRequirement;

typedef struct AmberRequirements {
  AmberRequirement *items; /* in file order */
  uint32_t count;
} AmberRequirements;

/* ---- shaders --------------------------------------------------------------------------------- */

typedef enum AmberStage {
  AMBER_VERTEX,
  AMBER_TESSELLATION_CONTROL,
  AMBER_TESSELLATION_EVALUATION,
  AMBER_GEOMETRY,
  AMBER_FRAGMENT,
  AMBER_COMPUTE, /* so far 1 << stage is VkShaderStageFlagBits */
  AMBER_MULTI,   /* a module with several entry points: the stage is named where it is attached */
} AmberStage;

typedef enum AmberShaderFormat {
  AMBER_GLSL,
  AMBER_SPIRV_ASM,
  AMBER_SPIRV_HEX,
  AMBER_SPIRV_BIN,
  AMBER_PASSTHROUGH, /* vertex shader: the vec4 at location 0 becomes gl_Position */
} AmberShaderFormat;

typedef struct AmberShader {
  const char *name;
  AmberStage stage;
  AmberShaderFormat format;
  const char *target_env; /* "spv1.3", "vulkan1.1"; NULL: the default (spv1.0) */
  const char *source;     /* text, or SPIRV-BIN's bytes; ends in a zero byte; not for PASSTHROUGH */
  size_t source_size;
  uint32_t source_line; /* line of the script that the source starts on; 0: it is a FILE */
  const char *path;     /* of the FILE or VIRTUAL_FILE; NULL: inline */
  const char **options; /* COMPILE_OPTIONS, in order */
  uint32_t option_count;
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
  AMBER_USES_AS_IMAGE = AMBER_USE_SAMPLED_IMAGE | AMBER_USE_STORAGE_IMAGE | AMBER_USE_COLOR |
                        AMBER_USE_RESOLVE | AMBER_USE_DEPTH_STENCIL,
  AMBER_USES_AS_BUFFER = AMBER_USE_STORAGE | AMBER_USE_UNIFORM | AMBER_USE_UNIFORM_TEXEL |
                         AMBER_USE_STORAGE_TEXEL | AMBER_USE_VERTEX | AMBER_USE_INDEX,
};

/* A buffer of bytes, an image, or both: that depends on `uses`, and one script may use the same
 * contents both ways in different pipelines. */
typedef struct AmberBuffer {
  const char *name;
  AmberLayout layout;
  const AmberFormat *format; /* of FORMAT, of an image-format data type, or the one that a scalar
                                or vector type equals (vec3<float>: R32G32B32_SFLOAT, whatever the
                                stride); NULL: there is none */
  uint32_t element_count;    /* texels of level 0 where it is an image */
  uint8_t *bytes;            /* contents at the start: element_count * layout.stride bytes */
  size_t size;
  bool initialised; /* false: no initialiser was given, `bytes` are zeros */
  uint32_t uses;    /* over all pipelines and commands */
  /* As an image; a FORMAT attachment has its pipelines' framebuffer size. `bytes` are level 0. */
  uint32_t dimensions; /* 1, 2 or 3 */
  uint32_t width, height, depth;
  uint32_t mip_levels, samples;
  uint32_t line; /* 0: made by the parser (the default attachments) */
} AmberBuffer;

typedef struct AmberSampler {
  const char *name;
  uint32_t mag_filter, min_filter;                         /* VkFilter */
  uint32_t address_mode_u, address_mode_v, address_mode_w; /* VkSamplerAddressMode */
  uint32_t border_color;                                   /* VkBorderColor */
  float min_lod, max_lod;
  bool unnormalized; /* then both lods are 0 */
  bool compare;
  uint32_t compare_op; /* VkCompareOp */
  uint32_t line;
} AmberSampler;

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
  uint32_t sampler;        /* AMBER_NONE where there is none */
  uint32_t base_mip_level; /* images */
  uint32_t dynamic_offset; /* bytes; kinds ..._DYNAMIC */
  uint64_t offset, range;  /* bytes of the buffer; range UINT64_MAX: to its end */
} AmberDescriptor;

/* One binding; more than one descriptor for BUFFER_ARRAY and SAMPLER_ARRAY. */
typedef struct AmberBinding {
  AmberBindKind kind;
  uint32_t set, binding;
  AmberDescriptor *descriptors;
  uint32_t descriptor_count;
  uint32_t line;
} AmberBinding;

typedef struct AmberAttachment {
  uint32_t buffer;
  uint32_t location; /* colour attachments; 0 else */
  uint32_t base_mip_level;
  uint32_t line;
} AmberAttachment;

typedef struct AmberVertexInput {
  uint32_t buffer;
  uint32_t location;
  const AmberFormat *format;
  uint32_t offset, stride;
  bool per_instance;
  uint32_t line;
} AmberVertexInput;

typedef struct AmberDepthState {
  bool test, write, clamp;
  uint32_t compare_op; /* VkCompareOp */
  bool bounds_test, bias;
  float min_bounds, max_bounds;
  float bias_constant, bias_clamp, bias_slope;
} AmberDepthState;

typedef struct AmberStencilFace { /* numbers of VkStencilOp and VkCompareOp */
  uint32_t fail_op, pass_op, depth_fail_op, compare_op;
  uint32_t compare_mask, write_mask, reference;
} AmberStencilFace;

typedef struct AmberBlendState { /* numbers of VkBlendFactor and VkBlendOp */
  bool enabled;
  uint32_t src_color_factor, dst_color_factor, color_op;
  uint32_t src_alpha_factor, dst_alpha_factor, alpha_op;
} AmberBlendState;

typedef struct AmberViewport {
  float x, y, width, height, min_depth, max_depth;
} AmberViewport;

typedef struct AmberPipeline {
  const char *name;
  bool graphics; /* else compute */
  AmberAttachedShader *shaders;
  uint32_t shader_count;
  AmberBinding *bindings; /* each (set, binding) once, in file order */
  uint32_t binding_count;
  uint32_t push_constant; /* buffer, or AMBER_NONE */
  /* Graphics only. */
  AmberAttachment *colors; /* in file order; at least one: a default B8G8R8A8_UNORM is made */
  uint32_t color_count;
  AmberAttachment *resolves; /* for the colour attachments with several samples, in their order */
  uint32_t resolve_count;
  uint32_t depth_stencil; /* buffer, or AMBER_NONE; made where a test needs one */
  AmberVertexInput *vertex_inputs;
  uint32_t vertex_input_count;
  uint32_t index_buffer;         /* buffer of 8-, 16- or 32-bit integers, or AMBER_NONE */
  uint32_t width, height;        /* FRAMEBUFFER_SIZE, default 250 x 250 */
  AmberViewport viewport;        /* the whole framebuffer by default */
  uint32_t polygon_mode;         /* VkPolygonMode */
  uint32_t patch_control_points; /* default 3 */
  AmberDepthState depth;
  bool stencil_test;
  AmberStencilFace front, back;
  AmberBlendState blend; /* of all colour attachments */
  uint32_t line;
} AmberPipeline;

/* ---- commands, in file order ----------------------------------------------------------------- */

typedef enum AmberCommandKind {
  AMBER_RUN_COMPUTE,
  AMBER_DRAW_RECT,
  AMBER_DRAW_GRID,
  AMBER_DRAW_ARRAY,
  AMBER_CLEAR,         /* clears all attachments of a pipeline to its clear values */
  AMBER_CLEAR_COLOR,   /* sets the clear colour of a pipeline (default 0 0 0 0) */
  AMBER_CLEAR_DEPTH,   /* sets its clear depth (default 1) */
  AMBER_CLEAR_STENCIL, /* sets its clear stencil value (default 0) */
  AMBER_COPY,
  AMBER_EXPECT,
  AMBER_REPEAT,
} AmberCommandKind;

typedef enum AmberComparator {
  AMBER_EQ, /* with tolerances where there are some */
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
  uint32_t other;     /* buffer, of the three ..._BUFFER comparators */
  uint32_t first;     /* EQ to GE: index of the first number to compare (element * field_count +
                         field: IDX in the file counts bytes) */
  AmberValue *values; /* EQ to GE: by the kinds of the fields from there on */
  uint32_t value_count;
  uint32_t x, y, width, height; /* EQ_RGB, EQ_RGBA: pixels */
  double rgba[4];               /* EQ_RGB, EQ_RGBA: 0 to 255 */
  AmberTolerance tolerances[4];
  uint32_t tolerance_count;
} AmberExpect;

typedef struct AmberRunCompute {
  uint32_t x, y, z; /* workgroups */
} AmberRunCompute;

typedef struct AmberDrawRect { /* DRAW_RECT, DRAW_GRID: in pixels, origin top left */
  float x, y, width, height;
  uint32_t columns, rows; /* of cells; 1, 1 for DRAW_RECT */
} AmberDrawRect;

typedef struct AmberDrawArray {
  uint32_t topology; /* VkPrimitiveTopology */
  bool indexed;
  uint32_t first, count; /* vertices, or indices; count is never left open */
  uint32_t first_instance, instance_count;
} AmberDrawArray;

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
      uint32_t from, to; /* buffers of one size: the target's is made that of the source */
    } copy;
    AmberExpect expect;
    struct {
      uint32_t times;
      uint32_t length; /* this many commands behind this one are the body, nested bodies included */
    } repeat;
  };
} AmberCommand;

/* ---- the script ------------------------------------------------------------------------------ */

typedef struct AmberScript {
  AmberRequirements features, properties; /* DEVICE_FEATURE, DEVICE_PROPERTY */
  AmberRequirements device_extensions, instance_extensions;
  uint32_t fence_timeout_ms; /* SET ENGINE_DATA; 0: not set */
  AmberShader *shaders;
  uint32_t shader_count;
  AmberBuffer *buffers;
  uint32_t buffer_count;
  AmberSampler *samplers;
  uint32_t sampler_count;
  AmberPipeline *pipelines;
  uint32_t pipeline_count;
  AmberCommand *commands;
  uint32_t command_count;
  struct AmberPool *pool; /* owns all of the above */
} AmberScript;

typedef enum AmberStatus {
  AMBER_OK,
  AMBER_BAD,         /* the file is wrong, or cannot be held in memory */
  AMBER_UNSUPPORTED, /* a command outside the subset: skip the case */
  AMBER_VKSCRIPT,    /* another format: skip the case */
} AmberStatus;

/* Why a script was not taken. */
typedef struct AmberMessage {
  uint32_t line;
  char token[64]; /* printable, shortened where it is long; empty where there is none */
  char text[320]; /* one line, "line 12: BUFFER: SIZE must be a number (at 'x')" */
} AmberMessage;

/* Reads the file that a script names (FILE), whole. The bytes are malloc'd, the parser frees them.
 * Returns false where it cannot be read, or is larger than `limit` bytes. */
typedef bool AmberReadFile(void *user, const char *path, size_t limit, uint8_t **bytes,
                           size_t *size);

typedef struct AmberFiles {
  AmberReadFile *read; /* NULL: a script that names a file is bad */
  void *user;
} AmberFiles;

/* Parses the text of a script; `text` need not end in a zero byte and is not kept. On AMBER_OK
 * *script is to be destroyed, else it is NULL and *message says why. */
AmberStatus amber_parse(const char *text, size_t size, const AmberFiles *files,
                        AmberScript **script, AmberMessage *message);
void amber_destroy(AmberScript *script);

/* ---- running: amber_use.c -------------------------------------------------------------------- */

/* A REPEAT under way: commands [begin, end) and how many more times. */
typedef struct AmberLoop {
  uint32_t begin, end, left;
} AmberLoop;

/* Where a run of the script stands. */
typedef struct AmberWalk {
  const AmberScript *script;
  uint32_t at; /* the next command */
  AmberLoop loops[AMBER_MAX_NESTING];
  uint32_t depth; /* of loops */
} AmberWalk;

void amber_walk_start(AmberWalk *walk, const AmberScript *script);
/* The next command to run, REPEATs unrolled and never returned themselves; NULL: the end. */
const AmberCommand *amber_walk_next(AmberWalk *walk);

/* The second buffer that an EXPECT looks at; AMBER_NONE: it looks at one. */
uint32_t amber_expect_other(const AmberExpect *expect);

/* Of a descriptor of a buffer: the first byte that a shader sees, and how many from there on. */
uint64_t amber_descriptor_start(const AmberDescriptor *descriptor);
uint64_t amber_descriptor_size(const AmberBuffer *buffer, const AmberDescriptor *descriptor);
/* Whether the shader sees an image there (texel buffers are none). */
bool amber_bind_is_image(AmberBindKind kind);
/* Whether the bytes are what an image is filled from: its texels, tightly packed. */
bool amber_buffer_is_texels(const AmberBuffer *buffer);

/* ---- judging an EXPECT: amber_expect.c ------------------------------------------------------- */

typedef struct AmberContents {
  const void *bytes; /* of the size that the script's buffer has */
  size_t size;
} AmberContents;

/* Whether the contents (by index in script->buffers) meet the EXPECT; where not, writes one line
 * with the first difference (buffer, index, both values) to text, cut to its size. Comparisons are
 * those of google/amber; see amber_expect.c. */
bool amber_expect_check(const AmberScript *script, const AmberCommand *expect,
                        const AmberContents *contents, char *text, size_t text_size);

/* A number of a buffer in words, for messages of one's own. */
void amber_value_print(const AmberField *field, AmberValue value, char *text, size_t size);

#endif
