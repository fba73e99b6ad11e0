/* SPDX-License-Identifier: Apache-2.0 */
/* format: numbers in memory: formats of texels, and layouts of a buffer's elements.
 *
 * The host is little-endian. */
#ifndef EMU_FORMAT_H
#define EMU_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "buffers' contents are little-endian");

typedef enum EmuFormatKind {
  EMU_FORMAT_UINT,
  EMU_FORMAT_SINT,
  EMU_FORMAT_FLOAT, /* 16, 32 or 64 bits; 10 and 11 bits: unsigned small floats */
  EMU_FORMAT_UNORM, /* this kind and the following ones: in DATA and EXPECT IDX, their numbers are
                  plain integers */
  EMU_FORMAT_SNORM,
  EMU_FORMAT_USCALED,
  EMU_FORMAT_SSCALED,
  EMU_FORMAT_SRGB,
} EmuFormatKind;

/* One number inside an element: `bits` bits from bit `shift` of the little-endian word of `unit`
 * bytes at byte `offset`. Unpacked numbers have shift 0 and bits = 8 * unit. */
typedef struct EmuField {
  uint32_t offset;
  uint8_t unit, shift, bits;
  uint8_t kind;    /* EmuFormatKind */
  uint8_t channel; /* in formats: one of R G B A D S; else 0 */
} EmuField;

/* A number of a script; the kind of its field selects the member. */
typedef union EmuNumber {
  uint64_t u; /* UINT, UNORM, USCALED, SRGB */
  int64_t i;  /* SINT, SNORM, SSCALED */
  double d;   /* FLOAT */
} EmuNumber;

/* An image format, a row of the table in format.c. Texels are tightly packed as in Vulkan's
 * buffer copies, with one exception: formats with depth and stencil hold the depth aspect, followed
 * by the stencil byte (D16_UNORM_S8_UINT 3 bytes, D32_SFLOAT_S8_UINT 5; D24_UNORM_S8_UINT 4 bytes
 * with the stencil in the top byte). */
typedef struct EmuFormat {
  const char *name; /* "R8G8B8A8_UNORM" */
  uint32_t vk;      /* the number of VK_FORMAT_<name> */
  uint32_t bytes;   /* of a texel */
  uint32_t field_count;
  EmuField fields[4]; /* by position in the texel */
} EmuFormat;

/* One element of a buffer: all its numbers in a flat list, ordered by offset, those of a matrix
 * column by column. Structs and arrays inside structs only add fields. */
typedef struct EmuElementLayout {
  const EmuField *fields;
  uint32_t field_count;
  uint32_t size;   /* bytes of an element, without trailing padding */
  uint32_t stride; /* bytes from one element to the next */
} EmuElementLayout;

const EmuFormat *emu_format_find(const char *name); /* NULL: no such format */
const char *emu_format_name(size_t index);          /* for lists; NULL: past the last */
const EmuFormat *emu_format_numbered(uint32_t vk);  /* by the number of its VkFormat */
/* The format whose texel is `count` (1 to 4) numbers of that kind in the order red, green, blue,
 * alpha; NULL: no such format. */
const EmuFormat *emu_format_equal(EmuFormatKind kind, uint32_t bits, uint32_t count);
bool emu_format_has(const EmuFormat *format, char channel);
const EmuField *emu_format_field(const EmuFormat *format, char channel); /* or NULL */
/* A texel's layout as scripts write its numbers: one for each channel, but a single one for all
 * channels of a packed format ("_PACK32"). */
EmuElementLayout emu_format_layout(const EmuFormat *format);
/* The texel as real numbers: red, green, blue, alpha (0, 0, 0, 1 for channels that the format
 * lacks; sRGB linearised), integers unchanged; for depth formats, depth and stencil in rgba[0] and
 * rgba[1]. */
void emu_pixel_unpack(const EmuFormat *format, const void *texel, double rgba[4]);
/* Encodes a linear number, 0 to 1, as sRGB formats store it (IEC 61966-2-1). */
double emu_pixel_encode(double linear);
/* The reverse of emu_pixel_unpack: clamped to the range of the format, rounded to nearest. */
void emu_pixel_pack(const EmuFormat *format, const double rgba[4], void *texel);
/* Reads or writes one number of an element, raw (normalized and scaled kinds as integers). */
EmuNumber emu_field_get(const EmuField *field, const void *element);
void emu_field_set(const EmuField *field, EmuNumber value, void *element);

#endif
