/* SPDX-License-Identifier: Apache-2.0 */
/* bare_value: contents of buffers and constants in the syntax of the command line.
 *
 *   buffer  = PLACE[:ELEMENT]:values            ELEMENT of an array of descriptors, else 0
 *   PLACE   = SET:BINDING | NAME                the OpName of the variable or of its block
 *   values  = part{+part}                       one after the other
 *   part    = TYPE[N]=init                      N may be omitted if init implies it
 *   TYPE    = number | number{,number}          the latter: a record
 *   number  = scalar[xTIMES]                    f32x3: three of them
 *   scalar  = u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64
 *   init    = 7            every number
 *           | 1,2,3        the first numbers, then zeros
 *           | 5..          5, 6, 7, …; the numbers of a record are equal
 *           | random[:SEED[:BELOW]]             integers below BELOW (64), floats below it (1)
 *           | @FILE        the file's bytes; must be the only part
 *   image   = PLACE[:ELEMENT]:FORMAT[WxHxD]=init    D: depth, layers, or 6 faces
 *           | PLACE[:ELEMENT][:FORMAT[[WxH]]]=@FILE.png
 *                          a picture, which gives the size; without FORMAT that of the image in
 *                          the module
 *   FORMAT  = the name of a VkFormat without its prefix
 *   sampler = SET:BINDING[:ELEMENT]=word{,word}
 *   word    = linear nearest repeat mirror clamp border compare
 *   spec    = ID=VALUE | ID=TYPE:VALUE          ID: SpecId, OpName or result id; without TYPE the
 *                                               value must be one of the constant's type
 *
 * Numbers are as in AmberScript: decimal or hexadecimal, floats also inf and nan. */
#ifndef EMU_BARE_VALUE_H
#define EMU_BARE_VALUE_H

#include "spv-emu/script/script.h"

#include <spv-emu/spv_emu.h>

#define EMU_VALUES_MOST ((uint64_t)1 << 30) /* bytes of one buffer */

typedef struct EmuValues {
  EmuElementLayout layout; /* of an element; if there are several parts of different types, u32 */
  EmuField *fields;        /* owned: the fields of the layout; NULL: a table has them */
  const char *type;
  const EmuFormat *format; /* of an image; NULL: a buffer */
  uint32_t extent[3];      /* of an image */
  uint64_t count;          /* elements */
  bool counted;            /* N was given */
  const char *file; /* the file to read the bytes from; points into the text; NULL: they are in
                       `bytes` */
  bool picture;     /* it is a PNG file; `format` may be missing until it is read */
  bool plain;       /* it is the contents of a buffer: `format` is dropped when it is read */
  uint8_t *bytes;   /* owned; NULL until the file is read */
  uint64_t size;
} EmuValues;

/* A descriptor, or an array of them. */
typedef struct EmuDescriptorPlace {
  uint32_t set, binding;
  const char *name; /* in the text, not terminated; NULL: the place is given by set and binding */
  uint32_t name_length;
} EmuDescriptorPlace;

typedef struct EmuBareBuffer {
  EmuDescriptorPlace place;
  uint32_t element;
  EmuValues values;
} EmuBareBuffer;

/* These functions return false, with one line in `message`, if the text is wrong. */
bool emu_values_parse(const char *text, EmuValues *values, char *message, size_t message_size);
bool emu_buffer_parse(const char *text, EmuBareBuffer *buffer, char *message, size_t message_size);
bool emu_sampler_parse(const char *text, spv_emu_sampler *sampler, char *message,
                       size_t message_size);
/* The spec owns a copy of the text if it was parsed. */
bool emu_spec_parse(const char *text, spv_emu_spec *spec, char *message, size_t message_size);
void emu_spec_free(spv_emu_spec *spec);
/* Reads SET:BINDING or a name at the start of *text, and moves it past that. `ends`: the characters
 * that may follow. */
bool emu_place_parse(const char **text, const char *ends, EmuDescriptorPlace *place, char *message,
                     size_t message_size);

/* Sets the format of a picture that has none. */
void emu_values_choose(EmuValues *values, const EmuFormat *format);
/* Reads the file, if there is one; a picture must have a format. False: it cannot be read, is not
 * what its name says, or its size does not match. */
bool emu_values_read(EmuValues *values, char *message, size_t message_size);
void emu_values_free(EmuValues *values);

#endif
