/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_contents: see artifact_contents.h. */
#include "harness/artifacts/artifact_contents.h"

#include "harness/artifacts/artifact_picture.h"
#include "harness/artifacts/difference.h"
#include "passes/tool/tool_json.h"
#include "spv-emu/format/format_number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_LISTED = 10000 };

typedef struct Writer {
  HnFolder *folder;
  const HnFailure *failure;
  json_t *notes;
} Writer;

/* One buffer, and its contents. */
typedef struct Buffer {
  const AmberBuffer *declared;
  const void *actual, *expected; /* `expected` NULL: not known, or equal */
  size_t size;                   /* size of both */
} Buffer;

static char *name_of(const Buffer *b, const char *end) {
  char *name;
  return asprintf(&name, "%s.%s", b->declared->name, end) < 0 ? NULL : name;
}

static void write_bytes(const Writer *w, const Buffer *b, const char *end, const void *bytes) {
  char *name = name_of(b, end);
  if (name && b->size <= MOST_BYTES)
    hn_folder_write(w->folder, name, bytes, b->size);
  else if (name)
    json_array_append_new(w->notes, json_sprintf("no %s: it has %zu bytes", name, b->size));
  free(name);
}

/* ---- figures --------------------------------------------------------------------------------- */

static void add_value(json_t *o, const char *key, const Buffer *b, const HnDifference *d,
                      const void *bytes) {
  const EmuElementLayout *layout = &b->declared->layout;
  const char *element = (const char *)bytes + d->element * layout->stride;
  const EmuField *field = &layout->fields[d->number];
  char text[64];
  emu_number_print(field, emu_field_get(field, element), text, sizeof text);
  json_object_set_new(o, key, json_string(text));
}

static void add_count(json_t *o, const char *key, uint64_t value) {
  json_object_set_new(o, key, json_integer((json_int_t)value));
}

static json_t *figures(const Buffer *b) {
  HnDifference d = hn_difference_of(b->declared, b->actual, b->expected, b->size);
  json_t *o = json_object();
  json_object_set_new(o, "name", tool_json_text(b->declared->name));
  add_count(o, "bytes", b->size);
  add_count(o, "elements", d.elements);
  add_count(o, "differing", d.differing);
  add_count(o, "numbers", d.numbers);
  if (!d.numbers) /* only padding differs */
    return o;
  json_object_set_new(o, "largest_error", isfinite(d.largest) ? json_real(d.largest) : json_null());
  add_count(o, "element", d.element);
  add_count(o, "number", d.number);
  add_count(o, "byte", d.byte);
  add_value(o, "actual", b, &d, b->actual);
  add_value(o, "expected", b, &d, b->expected);
  return o;
}

static void write_table(const Writer *w, const Buffer *b) {
  char *text = NULL, *name = name_of(b, "differences.csv");
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out)
    hn_difference_list(b->declared, b->actual, b->expected, b->size, MOST_LISTED, out);
  if (out && fclose(out) == 0 && name)
    hn_folder_write(w->folder, name, text, size);
  free(text);
  free(name);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void write_picture(const Writer *w, const Buffer *b, const HnPictures *pictures,
                          HnPictureKind kind, json_t *names) {
  static const char *const ends[] = {"expected.png", "actual.png", "difference.png"};
  static const char *const keys[] = {"expected", "actual", "difference"};
  char *name = name_of(b, ends[kind]), *file = name ? hn_folder_file(w->folder, name) : NULL;
  if (file && hn_picture_write(pictures, kind, file))
    json_object_set_new(names, keys[kind], tool_json_text(strrchr(file, '/') + 1));
  else
    hn_folder_fail(w->folder, file ? file : w->folder->path);
  free(name);
  free(file);
}

/* If the image does not differ, only the actual picture is written. */
static void write_pictures(const Writer *w, const Buffer *b, json_t *figures_of) {
  const void *expected = b->expected ? b->expected : b->actual;
  HnPictures pictures = hn_pictures_of(b->declared, b->actual, expected, b->size);
  json_t *names = json_object();
  for (int kind = 0; kind < HN_PICTURE_KINDS; kind++)
    if (b->expected || kind == HN_PICTURE_ACTUAL)
      write_picture(w, b, &pictures, (HnPictureKind)kind, names);
  if (figures_of) {
    add_count(figures_of, "mip_level", pictures.level);
    add_count(figures_of, "width", pictures.width);
    add_count(figures_of, "height", pictures.height);
    json_object_set_new(figures_of, "low", json_real(pictures.low));
    json_object_set_new(figures_of, "high", json_real(pictures.high));
    json_object_set(figures_of, "pictures", names);
  }
  json_decref(names);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void write_buffer(const Writer *w, const Buffer *b, json_t *differing) {
  json_t *o = NULL;
  write_bytes(w, b, "actual.bin", b->actual);
  if (b->expected) {
    write_bytes(w, b, "expected.bin", b->expected);
    write_table(w, b);
    json_array_append_new(differing, o = figures(b));
  }
  if (hn_picture_is(b->declared) && b->declared->size <= b->size)
    write_pictures(w, b, o);
}

/* A buffer that the script does not use still has its initial contents. */
static AmberContents *contents_of(const HnFailure *failure) {
  const AmberScript *script = failure->script;
  AmberContents *contents = calloc(script->buffer_count + 1u, sizeof *contents);
  for (uint32_t i = 0; contents && i < script->buffer_count; i++)
    if (failure->actual[i].bytes)
      contents[i] = (AmberContents){failure->actual[i].bytes, script->buffers[i].size};
    else if (!script->buffers[i].uses)
      contents[i] = (AmberContents){script->buffers[i].bytes, script->buffers[i].size};
  return contents;
}

/* The contents of a buffer, corrected wherever an EXPECT is not met; the caller frees them. NULL:
 * all EXPECTs are met, or memory ran out. */
static uint8_t *corrected(const HnFailure *failure, const AmberContents *contents,
                          uint32_t buffer) {
  const AmberScript *script = failure->script;
  uint8_t *expected = NULL;
  for (uint32_t i = 0; i < failure->expect_count; i++) {
    const AmberCommand *command = &script->commands[failure->first_expect + i];
    char text[256];
    if (command->expect.buffer != buffer ||
        amber_expect_check(script, command, contents, text, sizeof text))
      continue;
    if (!expected && (expected = malloc(failure->actual[buffer].size + 1)))
      memcpy(expected, failure->actual[buffer].bytes, failure->actual[buffer].size);
    if (expected)
      amber_expect_correct(script, command, contents, expected);
  }
  return expected;
}

static void write_one(const Writer *w, uint32_t i, const AmberContents *contents,
                      json_t *differing) {
  const HnFailure *failure = w->failure;
  const HnContents *actual = &failure->actual[i];
  Buffer b = {&failure->script->buffers[i], actual->bytes, NULL, actual->size};
  uint8_t *owned = NULL;
  if (!actual->bytes)
    return;
  if (failure->expected && failure->expected[i].bytes) {
    /* The emulator hands over only the first mip level. */
    size_t other = failure->expected[i].size;
    b.size = other < b.size ? other : b.size;
    b.expected = failure->expected[i].bytes;
  } else if (!failure->expected && contents) {
    b.expected = owned = corrected(failure, contents, i);
  }
  if (b.expected && memcmp(b.expected, b.actual, b.size) == 0)
    b.expected = NULL;
  write_buffer(w, &b, differing);
  free(owned);
}

json_t *hn_contents_write(HnFolder *folder, const HnFailure *failure, json_t *notes) {
  const Writer w = {folder, failure, notes};
  json_t *differing = json_array();
  AmberContents *contents = failure->actual ? contents_of(failure) : NULL;
  for (uint32_t i = 0; failure->actual && i < failure->script->buffer_count; i++)
    write_one(&w, i, contents, differing);
  free(contents);
  return differing;
}
