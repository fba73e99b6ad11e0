/* amber_type: data types and their layout in memory.
 *
 * A type is laid out as soon as it is written, in all three rule sets at once (std140, std430,
 * scalar), because a struct's members need their structs' layouts and the rule set is the
 * buffer's. Layouts are flat lists of numbers; so nothing here recurses, however deep structs
 * nest. Rules: the OpenGL specification, 7.6.2.2 "Standard Uniform Block Layout", and Vulkan's
 * scalar block layout. */
#ifndef AMBER_TYPE_H
#define AMBER_TYPE_H

#include "script/amber_lex.h"
#include "script/amber_pool.h"
#include "script/script.h"

#define AMBER_MAX_FIELDS (1u << 16) /* numbers in one element */

typedef enum AmberRules {
  AMBER_STD140,
  AMBER_STD430,
  AMBER_SCALAR,
  AMBER_RULES_COUNT,
} AmberRules;

typedef struct AmberShape {
  AmberField *fields;
  uint32_t field_count;
  uint32_t size, align; /* as a member; size without padding behind it */
} AmberShape;

typedef struct AmberType {
  AmberShape shapes[AMBER_RULES_COUNT];
  const AmberFormat *format; /* the type is, or equals, this format; else NULL */
  bool is_format;            /* written as the name of a format: tightly packed */
  bool array;                /* [N] or []: std140 rounds what repeats up to 16 bytes */
  bool unsized;              /* []: only for buffers */
  bool aggregate;            /* a struct */
  uint32_t stride;           /* of a struct that says STRIDE; 0 else */
} AmberType;

/* Strides that a struct member may dictate; 0: by the rules. */
typedef struct AmberStrides {
  uint32_t array, matrix;
} AmberStrides;

/* A type that is not a struct: "uint8", "vec3<float>", "mat2x4<double>[3]", "R8G8B8A8_UNORM",
 * "int32[]". NULL, or what is wrong. */
const char *amber_type_parse(AmberPool *pool, const char *text, size_t length, AmberStrides strides,
                             AmberType *type);
/* `element` times `count`, for arrays of structs. */
const char *amber_type_repeat(AmberPool *pool, const AmberType *element, uint32_t count,
                              uint32_t stride, AmberType *type);
/* Splits "name[3]" off its last dimension: *length becomes that of "name", *count 3 (0 for []).
 * False: there is no dimension, or *why is set because it is no number. */
bool amber_type_dimension(const char *text, size_t *length, uint32_t *count, const char **why);

/* Struct: an empty type, to which members are added in order; `offset` AMBER_NONE: by the rules. */
const char *amber_type_add(AmberPool *pool, AmberType *structure, const AmberType *member,
                           uint32_t offset);
/* After the last member: rounds the size up, or to `stride` where it is not 0. */
const char *amber_type_close(AmberType *structure, uint32_t stride);

/* What an element of a buffer of that type looks like. */
const char *amber_type_layout(const AmberType *type, AmberRules rules, AmberLayout *layout);

#endif
