/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_data: the contents of buffers: DATA, FILL, SERIES_FROM, FILE. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/png_file.h"
#include "spv-emu/script/amber/amber_parse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers, one after the other ------------------------------------------------------------ */

/* Where the numbers are written: to the buffer's bytes if their count is known, otherwise to the
 * heap. */
typedef struct Sink {
  const EmuElementLayout *layout;
  uint8_t *bytes;
  uint64_t elements; /* complete elements */
  uint64_t room;     /* elements that fit */
  uint32_t field;    /* the next field of the unfinished element */
  bool grows;
} Sink;

static bool sink_room(AmberParser *parser, Sink *sink, const AmberToken *word) {
  if (sink->elements < sink->room)
    return true;
  if (!sink->grows)
    return amber_fail(parser, word, "there are more values than the buffer holds");
  uint64_t room = sink->room ? 2 * sink->room : 16, stride = sink->layout->stride;
  if (room * stride > 2 * AMBER_MAX_BUFFER_BYTES)
    return amber_fail(parser, word, "the buffer is too large (at most %u MiB)",
                      (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
  uint8_t *bytes = realloc(sink->bytes, room * stride);
  if (!bytes)
    return amber_no_memory(parser);
  memset(bytes + sink->room * stride, 0, (room - sink->room) * stride);
  sink->bytes = bytes;
  sink->room = room;
  return true;
}

static bool sink_put(AmberParser *parser, Sink *sink, const AmberToken *word) {
  const EmuField *field = &sink->layout->fields[sink->field];
  EmuNumber value;
  if (!sink_room(parser, sink, word))
    return false;
  const char *why = emu_number_parse(word->text, word->length, field, &value);
  if (why)
    return amber_fail(parser, word, "%s", why);
  emu_field_set(field, value, sink->bytes + sink->elements * sink->layout->stride);
  if (++sink->field == sink->layout->field_count) {
    sink->field = 0;
    sink->elements++;
  }
  return true;
}

/* Sets the count; moves the numbers from the heap into the buffer. */
static bool sink_close(AmberParser *parser, Sink *sink, AmberBuffer *buffer) {
  if (sink->field)
    return amber_fail(parser, NULL, "the last element has %u of its %u values", sink->field,
                      sink->layout->field_count);
  if (!sink->grows)
    return sink->elements == sink->room ||
           amber_fail(parser, NULL, "there are %llu elements, not %llu",
                      (unsigned long long)sink->elements, (unsigned long long)sink->room);
  if (!sink->elements)
    return amber_fail(parser, NULL, "there are no values");
  buffer->element_count = (uint32_t)sink->elements;
  if (!amber_build_allocate(parser, buffer))
    return false;
  assert(sink->bytes); /* there is room if there are elements */
  memcpy(buffer->bytes, sink->bytes, buffer->size);
  return true;
}

static Sink sink_open(const AmberBuffer *buffer, bool counted) {
  return (Sink){.layout = &buffer->layout,
                .bytes = counted ? buffer->bytes : NULL,
                .room = counted ? buffer->element_count : 0,
                .grows = !counted};
}

static bool parse_data(AmberParser *parser, AmberBuffer *buffer, bool counted) {
  Sink sink = sink_open(buffer, counted);
  bool good = true;
  while (good && amber_block_word(parser, "DATA")) {
    AmberToken word = amber_take(parser);
    good = sink_put(parser, &sink, &word);
  }
  good = good && parser->status == AMBER_OK && sink_close(parser, &sink, buffer);
  if (sink.grows)
    free(sink.bytes);
  return good;
}

/* ---- FILL, SERIES_FROM ----------------------------------------------------------------------- */

static bool parse_fill(AmberParser *parser, AmberBuffer *buffer) {
  const EmuElementLayout *layout = &buffer->layout;
  AmberToken word;
  if (!amber_word(parser, "the value", &word))
    return false;
  bool zero = true;
  for (uint32_t i = 0; i < layout->field_count; i++) {
    EmuNumber value;
    const char *why = emu_number_parse(word.text, word.length, &layout->fields[i], &value);
    if (why)
      return amber_fail(parser, &word, "%s", why);
    zero = zero && value.u == 0;
    emu_field_set(&layout->fields[i], value, buffer->bytes);
  }
  size_t done = layout->stride;
  while (!zero && done < buffer->size) {
    size_t more = done < buffer->size - done ? done : buffer->size - done;
    memcpy(buffer->bytes + done, buffer->bytes, more);
    done += more;
  }
  return true;
}

static bool parse_series_number(AmberParser *parser, const AmberBuffer *buffer, const char *what,
                                EmuNumber *value) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  const char *why = emu_number_parse(word.text, word.length, buffer->layout.fields, value);
  return !why || amber_fail(parser, &word, "%s", why);
}

static bool one_kind(const EmuElementLayout *layout) {
  for (uint32_t i = 1; i < layout->field_count; i++)
    if (layout->fields[i].kind != layout->fields->kind ||
        layout->fields[i].bits != layout->fields->bits)
      return false;
  return true;
}

/* Each number is the previous one plus the increment, added in the numbers' type. */
static void write_series(AmberBuffer *buffer, EmuNumber value, EmuNumber increment) {
  const EmuElementLayout *layout = &buffer->layout;
  bool real = layout->fields->kind == EMU_FORMAT_FLOAT;
  for (uint32_t e = 0; e < buffer->element_count; e++) {
    uint8_t *element = buffer->bytes + (size_t)e * layout->stride;
    for (uint32_t i = 0; i < layout->field_count; i++) {
      emu_field_set(&layout->fields[i], value, element);
      value = emu_field_get(&layout->fields[i], element);
      if (real)
        value.d += increment.d;
      else
        value.u += increment.u;
    }
  }
}

static bool parse_series(AmberParser *parser, AmberBuffer *buffer) {
  EmuNumber start, increment;
  if (!one_kind(&buffer->layout))
    return amber_fail(parser, NULL, "a series needs numbers of one type: give DATA");
  if (!parse_series_number(parser, buffer, "the start", &start) ||
      !amber_expect_word(parser, "INC_BY") ||
      !parse_series_number(parser, buffer, "the increment", &increment))
    return false;
  write_series(buffer, start, increment);
  return true;
}

/* ---- FILE ------------------------------------------------------------------------------------ */

/* A file may be larger than a buffer with a SIZE, because the Vulkan CTS shares files between
 * buffers. */

/* Sets the number of elements of a buffer without a SIZE, and makes room for them. */
static bool count_binary(AmberParser *parser, AmberBuffer *buffer, const AmberToken *name,
                         size_t size) {
  uint32_t stride = buffer->layout.stride;
  if (!size || size % stride)
    return amber_fail(parser, name, "the file does not hold a whole number of elements");
  buffer->element_count = (uint32_t)(size / stride);
  return amber_build_allocate(parser, buffer);
}

static bool check_binary(AmberParser *parser, const AmberBuffer *buffer, const AmberToken *name,
                         size_t size) {
  return size >= buffer->size ||
         amber_fail(parser, name, "the file has %zu bytes, the buffer %zu", size, buffer->size);
}

static void release_read(void *bytes, size_t size) {
  (void)size;
  free(bytes);
}

static bool read_text(AmberParser *parser, AmberBuffer *buffer, bool counted,
                      const AmberToken *name, const uint8_t *bytes, size_t size) {
  Sink sink = sink_open(buffer, counted);
  AmberLex lex;
  amber_lex_start(&lex, (const char *)bytes, size);
  bool good = true;
  for (AmberToken word = amber_lex_next(&lex); good && word.kind != AMBER_TOKEN_END;
       word = amber_lex_next(&lex))
    if (word.kind == AMBER_TOKEN_WORD && (!counted || sink.elements < sink.room)) {
      word.line = name->line; /* messages name the line of the script, not that of the file */
      good = sink_put(parser, &sink, &word);
    }
  good = good && sink_close(parser, &sink, buffer);
  if (sink.grows)
    free(sink.bytes);
  return good;
}

/* The picture gives the size if the script does not. */
static bool place_png(AmberParser *parser, AmberBuffer *buffer, bool counted,
                      const AmberToken *name, const EmuPng *png) {
  uint64_t pixels = (uint64_t)png->width * png->height;
  if (!buffer->format)
    return amber_fail(parser, name, "a PNG file needs a FORMAT, or a DATA_TYPE that equals one");
  if (buffer->width && (buffer->width != png->width || buffer->height != png->height))
    return amber_fail(parser, name, "the picture has %u x %u pixels, the image %u x %u", png->width,
                      png->height, buffer->width, buffer->height);
  if (counted && buffer->element_count != pixels)
    return amber_fail(parser, name, "the picture has %u x %u pixels, the buffer %u elements",
                      png->width, png->height, buffer->element_count);
  buffer->width = png->width;
  buffer->height = png->height;
  buffer->depth = 1;
  buffer->element_count = (uint32_t)pixels;
  if (!counted && !amber_build_allocate(parser, buffer))
    return false;
  emu_png_texels(png, buffer->format, buffer->layout.stride, buffer->bytes);
  return true;
}

static bool read_png(AmberParser *parser, AmberBuffer *buffer, bool counted, const AmberToken *name,
                     const uint8_t *bytes, size_t size) {
  const char *why;
  EmuPng png;
  if (!emu_png_read(bytes, size, &png, &why))
    return amber_fail(parser, name, "%s", why);
  bool good = place_png(parser, buffer, counted, name, &png);
  emu_png_free(&png);
  return good;
}

typedef bool Read(AmberParser *parser, AmberBuffer *buffer, bool counted, const AmberToken *name,
                  const uint8_t *bytes, size_t size);

/* The levels after the first one, as far as there are any. */
static bool take_levels(AmberParser *parser, AmberBuffer *buffer, const AmberToken *name,
                        const uint8_t *bytes, size_t size) {
  uint64_t all = 0;
  for (uint32_t level = 0; level < buffer->mip_levels; level++)
    all += amber_buffer_level_bytes(buffer, level);
  if (size < all)
    return amber_fail(parser, name, "the file has %zu bytes, all levels %llu", size,
                      (unsigned long long)all);
  if (buffer->mip_levels > 1)
    buffer->levels = bytes + buffer->size;
  return true;
}

/* FILE BINARY, ALL_LEVELS: the contents are the file's own memory, which the script keeps. */
static bool map_binary(AmberParser *parser, AmberBuffer *buffer, bool counted,
                       const AmberToken *name, const char *path) {
  uint8_t *bytes = NULL;
  size_t size = 0;
  AmberReadFile *open = parser->files->map ? parser->files->map : parser->files->read;
  if (!open(parser->files->user, path, 2 * AMBER_MAX_BUFFER_BYTES, &bytes, &size))
    return amber_fail(parser, name, "the file cannot be read");
  AmberUnmapFile *release = parser->files->map ? parser->files->unmap : release_read;
  if (!amber_pool_keep(parser->pool, bytes, size, release)) {
    release(bytes, size);
    return amber_no_memory(parser);
  }
  bool levels = amber_accept(parser, "ALL_LEVELS");
  if ((!counted && !count_binary(parser, buffer, name, size)) ||
      !check_binary(parser, buffer, name, size))
    return false;
  buffer->bytes = bytes;
  return !levels || take_levels(parser, buffer, name, bytes, size);
}

static bool parse_file(AmberParser *parser, AmberBuffer *buffer, bool counted) {
  AmberToken name;
  const char *path;
  Read *read = amber_accept(parser, "PNG")      ? read_png
               : amber_accept(parser, "BINARY") ? NULL
                                                : read_text;
  if (read == read_text)
    amber_accept(parser, "TEXT");
  name = parser->token;
  if (!amber_text(parser, "the file's name", &path))
    return false;
  uint8_t *bytes = NULL;
  size_t size = 0;
  if (!parser->files || !parser->files->read)
    return amber_fail(parser, &name, "the file cannot be read");
  if (!read)
    return map_binary(parser, buffer, counted, &name, path);
  if (!parser->files->read(parser->files->user, path, AMBER_MAX_BUFFER_BYTES, &bytes, &size))
    return amber_fail(parser, &name, "the file cannot be read");
  bool good = read(parser, buffer, counted, &name, bytes, size);
  free(bytes);
  return good;
}

bool amber_parse_initializer(AmberParser *parser, AmberBuffer *buffer, bool counted, bool *found) {
  *found = true;
  if (amber_accept(parser, "DATA"))
    return parse_data(parser, buffer, counted);
  if (amber_accept(parser, "FILE"))
    return parse_file(parser, buffer, counted);
  bool fill = amber_token_is(&parser->token, "FILL");
  *found = fill || amber_token_is(&parser->token, "SERIES_FROM");
  if (!*found)
    return true;
  AmberToken word = amber_take(parser);
  if (!counted)
    return amber_fail(parser, &word, "SIZE was expected before it");
  return fill ? parse_fill(parser, buffer) : parse_series(parser, buffer);
}
