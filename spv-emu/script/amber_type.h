/* SPDX-License-Identifier: Apache-2.0 */
/* amber_type: data types and their layout in memory.
 *
 * A type is laid out as soon as it is read, by all three rule sets (std140, std430, scalar): a
 * struct needs the layouts of its members, and only the buffer tells which rule set applies.
 * Layouts are flat lists of numbers, so nothing here recurses, however deep structs nest. Rules:
 * the OpenGL specification, 7.6.2.2 "Standard Uniform Block Layout", and Vulkan's scalar block
 * layout. */
#ifndef AMBER_TYPE_H
#define AMBER_TYPE_H

#include "spv-emu/script/amber_lex.h"
#include "spv-emu/script/amber_pool.h"
#include "spv-emu/script/script.h"

#define AMBER_MAX_FIELDS (1u << 16) /* numbers in one element */

typedef enum AmberRules {
  AMBER_STD140,
  AMBER_STD430,
  AMBER_SCALAR,
  AMBER_RULES_COUNT,
} AmberRules;

typedef struct AmberShape {
  EmuField *fields;
  uint32_t field_count;
  uint32_t size, align; /* as a member; the size excludes trailing padding */
} AmberShape;

typedef struct AmberType {
  AmberShape shapes[AMBER_RULES_COUNT];
  const EmuFormat *format; /* the type is, or equals, this format; else NULL */
  bool is_format;          /* written as the name of a format: tightly packed */
  bool array;              /* [N] or []: std140 rounds its stride up to 16 bytes */
  bool unsized;            /* []: only for buffers */
  uint32_t stride;         /* of a struct with STRIDE; else 0 */
} AmberType;

/* Strides that a struct member may set; 0: the layout's rules decide. */
typedef struct AmberStrides {
  uint32_t array, matrix;
} AmberStrides;

/* A type that is not a struct: "uint8", "vec3<float>", "mat2x4<double>[3]", "R8G8B8A8_UNORM",
 * "int32[]". Returns NULL, or what is wrong. */
const char *amber_type_parse(AmberPool *pool, const char *text, size_t length, AmberStrides strides,
                             AmberType *type);
/* Makes the type of an array of `count` structs. Returns as above. */
const char *amber_type_repeat(AmberPool *pool, const AmberType *element, uint32_t count,
                              uint32_t stride, AmberType *type);
/* Splits the last dimension off "name[3]": *length becomes the length of "name", *count becomes 3
 * (0 for []). False: there is no dimension; or it is not a number, and *why is set. */
bool amber_type_dimension(const char *text, size_t *length, uint32_t *count, const char **why);

/* Adds a member to a struct, which starts as an empty type; `offset` AMBER_NONE: by the rules. */
const char *amber_type_add(AmberPool *pool, AmberType *structure, const AmberType *member,
                           uint32_t offset);
/* After the last member: rounds the size up, or sets it to `stride` if not 0. */
const char *amber_type_close(AmberType *structure, uint32_t stride);

/* The layout of an element of a buffer of this type. */
const char *amber_type_layout(const AmberType *type, AmberRules rules, EmuElementLayout *layout);

#endif
