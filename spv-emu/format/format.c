/* SPDX-License-Identifier: Apache-2.0 */
/* format: the table of image formats.
 *
 * A macro for each shape makes its rows: plain formats have one machine word per component, in the
 * order of the name; packed ones (PACK8/16/32) name their components from the highest bit down, and
 * are one number in scripts.
 * Vulkan gives the variants of a shape consecutive numbers (UNORM, SNORM, USCALED, SSCALED, UINT,
 * SINT and SRGB or SFLOAT), which the family macros rely on. */
#include "spv-emu/format/format.h"

#include <string.h>

#define WORD(i, bits, kind, channel)                                                               \
  { (i) * (bits) / 8, (bits) / 8, 0, bits, kind, channel }
#define PART(unit, shift, bits, kind, channel)                                                     \
  { 0, unit, shift, bits, kind, channel }

#define PLAIN1(name, vk, kind, bits, a)                                                            \
  {                                                                                                \
    name, vk, (bits) / 8, 1, {                                                                     \
      WORD(0, bits, kind, a)                                                                       \
    }                                                                                              \
  }
#define PLAIN2(name, vk, kind, bits, a, b)                                                         \
  {                                                                                                \
    name, vk, 2 * (bits) / 8, 2, {                                                                 \
      WORD(0, bits, kind, a), WORD(1, bits, kind, b)                                               \
    }                                                                                              \
  }
#define PLAIN3(name, vk, kind, bits, a, b, c)                                                      \
  {                                                                                                \
    name, vk, 3 * (bits) / 8, 3, {                                                                 \
      WORD(0, bits, kind, a), WORD(1, bits, kind, b), WORD(2, bits, kind, c)                       \
    }                                                                                              \
  }
#define PLAIN4(name, vk, kind, bits, a, b, c, d)                                                   \
  {                                                                                                \
    name, vk, 4 * (bits) / 8, 4, {                                                                 \
      WORD(0, bits, kind, a), WORD(1, bits, kind, b), WORD(2, bits, kind, c),                      \
          WORD(3, bits, kind, d)                                                                   \
    }                                                                                              \
  }

#define SIX(PLAIN, name, tail, vk, ...)                                                            \
  PLAIN(name "_UNORM" tail, vk, EMU_FORMAT_UNORM, __VA_ARGS__),                                    \
      PLAIN(name "_SNORM" tail, (vk) + 1, EMU_FORMAT_SNORM, __VA_ARGS__),                          \
      PLAIN(name "_USCALED" tail, (vk) + 2, EMU_FORMAT_USCALED, __VA_ARGS__),                      \
      PLAIN(name "_SSCALED" tail, (vk) + 3, EMU_FORMAT_SSCALED, __VA_ARGS__),                      \
      PLAIN(name "_UINT" tail, (vk) + 4, EMU_FORMAT_UINT, __VA_ARGS__),                            \
      PLAIN(name "_SINT" tail, (vk) + 5, EMU_FORMAT_SINT, __VA_ARGS__)
#define SIX_SRGB(PLAIN, name, tail, vk, ...)                                                       \
  SIX(PLAIN, name, tail, vk, __VA_ARGS__),                                                         \
      PLAIN(name "_SRGB" tail, (vk) + 6, EMU_FORMAT_SRGB, __VA_ARGS__)
#define SIX_FLOAT(PLAIN, name, vk, ...)                                                            \
  SIX(PLAIN, name, "", vk, __VA_ARGS__),                                                           \
      PLAIN(name "_SFLOAT", (vk) + 6, EMU_FORMAT_FLOAT, __VA_ARGS__)
#define WIDE(PLAIN, name, vk, ...)                                                                 \
  PLAIN(name "_UINT", vk, EMU_FORMAT_UINT, __VA_ARGS__),                                           \
      PLAIN(name "_SINT", (vk) + 1, EMU_FORMAT_SINT, __VA_ARGS__),                                 \
      PLAIN(name "_SFLOAT", (vk) + 2, EMU_FORMAT_FLOAT, __VA_ARGS__)

/* Ten bits a colour, two of alpha; `low` is the colour in the lowest bits. */
#define TEN(name, vk, kind, low, mid, high)                                                        \
  {                                                                                                \
    name, vk, 4, 4, {                                                                              \
      PART(4, 0, 10, kind, low), PART(4, 10, 10, kind, mid), PART(4, 20, 10, kind, high),          \
          PART(4, 30, 2, kind, 'A')                                                                \
    }                                                                                              \
  }
/* Small packed UNORM: four parts from the lowest bit up. */
#define SMALL4(name, vk, n0, c0, n1, c1, n2, c2, n3, c3)                                           \
  {                                                                                                \
    name, vk, 2, 4, {                                                                              \
      PART(2, 0, n0, EMU_FORMAT_UNORM, c0), PART(2, n0, n1, EMU_FORMAT_UNORM, c1),                 \
          PART(2, (n0) + (n1), n2, EMU_FORMAT_UNORM, c2),                                          \
          PART(2, (n0) + (n1) + (n2), n3, EMU_FORMAT_UNORM, c3)                                    \
    }                                                                                              \
  }
#define SMALL3(name, vk, low, high)                                                                \
  {                                                                                                \
    name, vk, 2, 3, {                                                                              \
      PART(2, 0, 5, EMU_FORMAT_UNORM, low), PART(2, 5, 6, EMU_FORMAT_UNORM, 'G'),                  \
          PART(2, 11, 5, EMU_FORMAT_UNORM, high)                                                   \
    }                                                                                              \
  }

static const EmuFormat formats[] = {
    {"R4G4_UNORM_PACK8",
     1,
     1,
     2,
     {PART(1, 0, 4, EMU_FORMAT_UNORM, 'G'), PART(1, 4, 4, EMU_FORMAT_UNORM, 'R')}},
    SMALL4("R4G4B4A4_UNORM_PACK16", 2, 4, 'A', 4, 'B', 4, 'G', 4, 'R'),
    SMALL4("B4G4R4A4_UNORM_PACK16", 3, 4, 'A', 4, 'R', 4, 'G', 4, 'B'),
    SMALL3("R5G6B5_UNORM_PACK16", 4, 'B', 'R'),
    SMALL3("B5G6R5_UNORM_PACK16", 5, 'R', 'B'),
    SMALL4("R5G5B5A1_UNORM_PACK16", 6, 1, 'A', 5, 'B', 5, 'G', 5, 'R'),
    SMALL4("B5G5R5A1_UNORM_PACK16", 7, 1, 'A', 5, 'R', 5, 'G', 5, 'B'),
    SMALL4("A1R5G5B5_UNORM_PACK16", 8, 5, 'B', 5, 'G', 5, 'R', 1, 'A'),
    SIX_SRGB(PLAIN1, "R8", "", 9, 8, 'R'),
    SIX_SRGB(PLAIN2, "R8G8", "", 16, 8, 'R', 'G'),
    SIX_SRGB(PLAIN3, "R8G8B8", "", 23, 8, 'R', 'G', 'B'),
    SIX_SRGB(PLAIN3, "B8G8R8", "", 30, 8, 'B', 'G', 'R'),
    SIX_SRGB(PLAIN4, "R8G8B8A8", "", 37, 8, 'R', 'G', 'B', 'A'),
    SIX_SRGB(PLAIN4, "B8G8R8A8", "", 44, 8, 'B', 'G', 'R', 'A'),
    /* Packed, but in little-endian order the same as plain. */
    SIX_SRGB(PLAIN4, "A8B8G8R8", "_PACK32", 51, 8, 'R', 'G', 'B', 'A'),
    SIX(TEN, "A2R10G10B10", "_PACK32", 58, 'B', 'G', 'R'),
    SIX(TEN, "A2B10G10R10", "_PACK32", 64, 'R', 'G', 'B'),
    SIX_FLOAT(PLAIN1, "R16", 70, 16, 'R'),
    SIX_FLOAT(PLAIN2, "R16G16", 77, 16, 'R', 'G'),
    SIX_FLOAT(PLAIN3, "R16G16B16", 84, 16, 'R', 'G', 'B'),
    SIX_FLOAT(PLAIN4, "R16G16B16A16", 91, 16, 'R', 'G', 'B', 'A'),
    WIDE(PLAIN1, "R32", 98, 32, 'R'),
    WIDE(PLAIN2, "R32G32", 101, 32, 'R', 'G'),
    WIDE(PLAIN3, "R32G32B32", 104, 32, 'R', 'G', 'B'),
    WIDE(PLAIN4, "R32G32B32A32", 107, 32, 'R', 'G', 'B', 'A'),
    WIDE(PLAIN1, "R64", 110, 64, 'R'),
    WIDE(PLAIN2, "R64G64", 113, 64, 'R', 'G'),
    WIDE(PLAIN3, "R64G64B64", 116, 64, 'R', 'G', 'B'),
    WIDE(PLAIN4, "R64G64B64A64", 119, 64, 'R', 'G', 'B', 'A'),
    {"B10G11R11_UFLOAT_PACK32",
     122,
     4,
     3,
     {PART(4, 0, 11, EMU_FORMAT_FLOAT, 'R'), PART(4, 11, 11, EMU_FORMAT_FLOAT, 'G'),
      PART(4, 22, 10, EMU_FORMAT_FLOAT, 'B')}},
    PLAIN1("D16_UNORM", 124, EMU_FORMAT_UNORM, 16, 'D'),
    {"X8_D24_UNORM_PACK32", 125, 4, 1, {PART(4, 0, 24, EMU_FORMAT_UNORM, 'D')}},
    PLAIN1("D32_SFLOAT", 126, EMU_FORMAT_FLOAT, 32, 'D'),
    PLAIN1("S8_UINT", 127, EMU_FORMAT_UINT, 8, 'S'),
    {"D16_UNORM_S8_UINT",
     128,
     3,
     2,
     {{0, 2, 0, 16, EMU_FORMAT_UNORM, 'D'}, {2, 1, 0, 8, EMU_FORMAT_UINT, 'S'}}},
    {"D24_UNORM_S8_UINT",
     129,
     4,
     2,
     {PART(4, 0, 24, EMU_FORMAT_UNORM, 'D'), PART(4, 24, 8, EMU_FORMAT_UINT, 'S')}},
    {"D32_SFLOAT_S8_UINT",
     130,
     5,
     2,
     {{0, 4, 0, 32, EMU_FORMAT_FLOAT, 'D'}, {4, 1, 0, 8, EMU_FORMAT_UINT, 'S'}}},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const EmuFormat *emu_format_find(const char *name) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

const char *emu_format_name(size_t index) {
  return index < FORMAT_COUNT ? formats[index].name : NULL;
}

const EmuFormat *emu_format_numbered(uint32_t vk) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (formats[i].vk == vk)
      return &formats[i];
  return NULL;
}

const EmuFormat *emu_format_equal(EmuFormatKind kind, uint32_t bits, uint32_t count) {
  static const char rgba[] = "RGBA";
  for (size_t i = 0; i < FORMAT_COUNT; i++) {
    const EmuFormat *format = &formats[i];
    bool same = format->field_count == count;
    for (uint32_t k = 0; same && k < count; k++) {
      const EmuField *field = &format->fields[k];
      same = field->kind == kind && field->bits == bits && field->channel == (uint8_t)rgba[k];
    }
    if (same)
      return format;
  }
  return NULL;
}

const EmuField *emu_format_field(const EmuFormat *format, char channel) {
  for (uint32_t i = 0; i < format->field_count; i++)
    if (format->fields[i].channel == (uint8_t)channel)
      return &format->fields[i];
  return NULL;
}

bool emu_format_has(const EmuFormat *format, char channel) {
  return emu_format_field(format, channel) != NULL;
}

/* The word of a packed format; NULL: the format is not packed. */
static const EmuField *packed_word(const EmuFormat *format) {
  static const EmuField words[] = {PART(1, 0, 8, EMU_FORMAT_UINT, 0),
                                   PART(2, 0, 16, EMU_FORMAT_UINT, 0),
                                   PART(4, 0, 32, EMU_FORMAT_UINT, 0)};
  return strstr(format->name, "_PACK") ? &words[format->bytes / 2] : NULL;
}

EmuElementLayout emu_format_layout(const EmuFormat *format) {
  const EmuField *word = packed_word(format);
  return (EmuElementLayout){.fields = word ? word : format->fields,
                            .field_count = word ? 1 : format->field_count,
                            .size = format->bytes,
                            .stride = format->bytes};
}
