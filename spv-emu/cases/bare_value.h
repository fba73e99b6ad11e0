/* bare_value: contents of buffers and constants as the command line writes them.
 *
 *   buffer = SET:BINDING[:ELEMENT]:values       ELEMENT of an array of descriptors, else 0
 *   values = TYPE[N]=init                       N may be left out where init tells it
 *   TYPE   = u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64
 *   init   = 7            every element
 *          | 1,2,3        the first elements; zeros behind them
 *          | 5..          5, 6, 7, …
 *          | @FILE        the file's bytes
 *   spec   = ID=VALUE | ID=TYPE:VALUE           without TYPE: an integer, true, false, or, with a
 *                                               point or an exponent, f32
 *
 * Numbers are written as in AmberScript: decimal or hexadecimal, floats also inf and nan. */
#ifndef EMU_BARE_VALUE_H
#define EMU_BARE_VALUE_H

#include "script/script.h"

#include <spv-emu/spv_emu.h>

#define EMU_VALUES_MOST ((uint64_t)1 << 30) /* bytes of one buffer */

typedef struct EmuValues {
  AmberLayout layout; /* one number an element */
  const char *type;
  uint64_t count;   /* elements */
  bool counted;     /* N was given */
  const char *file; /* where the bytes are to be read from; points into the text; NULL: they are
                       here already */
  uint8_t *bytes;   /* owned; NULL until the file is read */
  uint64_t size;
} EmuValues;

typedef struct EmuBareBuffer {
  uint32_t set, binding, element;
  EmuValues values;
} EmuBareBuffer;

/* All return false with one line in `message` where the text is wrong. */
bool emu_values_parse(const char *text, EmuValues *values, char *message, size_t message_size);
bool emu_buffer_parse(const char *text, EmuBareBuffer *buffer, char *message, size_t message_size);
bool emu_spec_parse(const char *text, spv_emu_spec *spec, char *message, size_t message_size);
/* SET:BINDING at the start of *text, which is moved behind it. */
bool emu_place_parse(const char **text, uint32_t *set, uint32_t *binding, char *message,
                     size_t message_size);

/* Reads the file, if there is one. False: it cannot be read, or has another size than N says. */
bool emu_values_read(EmuValues *values, char *message, size_t message_size);
void emu_values_free(EmuValues *values);

#endif
