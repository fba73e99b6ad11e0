/* SPDX-License-Identifier: Apache-2.0 */
/* image_file: see image_file.h. */
#include "spv-emu/cases/image_file.h"

#include "spv-emu/cases/case_say.h"

#include "passes/tool/tool_file.h"
#include "spv-emu/cases/bare_run.h"
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/png_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 1 << 16, NAME = 64 };

/* ---- the option ------------------------------------------------------------------------------ */

/* The '=' after a place; NULL: the whole text is the name of a file. */
static const char *equals_of(const char *text) {
  const char *equals = strchr(text, '='), *slash = strchr(text, '/');
  return equals && slash && slash < equals ? NULL : equals;
}

bool emu_image_file_is_contents(const char *text) {
  const char *equals = equals_of(text);
  return equals && (equals[1] == '@' || memchr(text, '[', (size_t)(equals - text)));
}

static bool read_side(const char *text, size_t length, uint32_t *side) {
  uint64_t number;
  if (!emu_number_u64(text, length, &number) || !number || number > MOST_SIDE)
    return false;
  *side = (uint32_t)number;
  return true;
}

/* Reads "FORMAT:WxH". */
static bool read_layout(EmuSay say, const char *text, size_t length, EmuImageFile *file) {
  char name[NAME];
  size_t format = strcspn(text, ":="), cross;
  snprintf(name, sizeof name, "%.*s", (int)(format < NAME ? format : NAME - 1), text);
  file->format = emu_format_find(name);
  if (!file->format)
    return emu_say_wrong(say, "'%s' is not the name of an image format, such as R8G8B8A8_UNORM",
                         name);
  const char *size = text + format + 1;
  if (format + 1 >= length)
    return emu_say_wrong(say, "the size of the picture is missing: %s:WIDTHxHEIGHT=FILE.png", name);
  cross = strcspn(size, "x=");
  if (size[cross] == 'x' && read_side(size, cross, &file->width) &&
      read_side(size + cross + 1, length - format - cross - 2, &file->height))
    return true;
  return emu_say_wrong(say, "'%.*s' is not the size of a picture: WIDTHxHEIGHT",
                       (int)(length - format - 1 < 40 ? length - format - 1 : 40), size);
}

/* Reads what lies between the place and the '='. */
static bool read_more(EmuSay say, const char *text, const char *equals, EmuImageFile *file) {
  uint64_t element;
  if (text == equals)
    return true;
  text++;
  size_t length = strcspn(text, ":=");
  if (emu_number_u64(text, length, &element) && element <= UINT32_MAX) {
    file->element = (uint32_t)element;
    text += length;
    if (text == equals)
      return true;
    text++;
  }
  return read_layout(say, text, (size_t)(equals - text), file);
}

bool emu_image_file_parse(const char *text, EmuImageFile *file, char *message,
                          size_t message_size) {
  EmuSay say = {message, message_size};
  const char *equals = equals_of(text);
  *file = (EmuImageFile){.placed = equals, .file = equals ? equals + 1 : text};
  if (!emu_png_is_name(file->file))
    return emu_say_wrong(say, "expected a file to write, FILE.png, or to read, @FILE.png");
  return !equals || (emu_place_parse(&text, ":=", &file->place, message, message_size) &&
                     read_more(say, text, equals, file));
}

/* ---- the picture ----------------------------------------------------------------------------- */

static bool is_meant(const EmuImageFile *file, const EmuOutput *o) {
  return o->element == file->element && emu_bare_is_output(&file->place, o);
}

static SrNameList list_outputs(const EmuRow *row, bool images) {
  SrNameList list = {0};
  for (uint32_t i = 0; i < row->output_count; i++)
    if (!images || row->outputs[i].stored)
      emu_bare_list(&list, row->outputs[i].set, row->outputs[i].binding, row->outputs[i].name);
  if (!list.used)
    sr_name_list_add(&list, "none");
  return list;
}

static EmuDrawn drawn_of(const EmuOutput *o) {
  return (EmuDrawn){.format = o->format,
                    .bytes = o->bytes,
                    .width = o->width,
                    .height = o->height * o->layers,
                    .samples = 1,
                    .depth = emu_format_has(o->format, 'D')};
}

bool emu_image_file_refuse(const EmuImageFile *file, char *message, size_t message_size) {
  const EmuDescriptorPlace *p = &file->place;
  char place[NAME];
  if (p->name)
    snprintf(place, sizeof place, "%.*s", p->name_length < NAME ? (int)p->name_length : NAME - 1,
             p->name);
  else
    snprintf(place, sizeof place, "%u:%u", p->set, p->binding);
  return emu_say_wrong((EmuSay){message, message_size},
                       "--image: %s is a buffer: say how it is seen as a picture, as in "
                       "--image=%s:R8G8B8A8_UNORM:WxH=%s",
                       place, place, file->file);
}

bool emu_image_file_find(const EmuImageFile *file, const EmuRow *row, EmuDrawn *drawn,
                         char *message, size_t message_size) {
  EmuSay say = {message, message_size};
  const EmuOutput *o = row->outputs, *end = o + row->output_count;
  while (o < end && !is_meant(file, o))
    o++;
  if (o == end)
    return emu_say_wrong(say, "--image: there is no such image or buffer; there are %s",
                         list_outputs(row, false).text);
  if (!file->format && !o->format)
    return emu_image_file_refuse(file, message, message_size);
  *drawn = o->format ? drawn_of(o) : (EmuDrawn){0};
  if (!file->format)
    return true;
  uint64_t size = (uint64_t)file->width * file->height * file->format->bytes;
  if (size > o->size)
    return emu_say_wrong(
        say, "--image: set %u, binding %u has %llu bytes, and %ux%u texels of %s take %llu", o->set,
        o->binding, (unsigned long long)o->size, file->width, file->height, file->format->name,
        (unsigned long long)size);
  *drawn = (EmuDrawn){.format = file->format,
                      .bytes = o->bytes,
                      .width = file->width,
                      .height = file->height,
                      .samples = 1,
                      .depth = emu_format_has(file->format, 'D')};
  return true;
}

bool emu_image_file_only(const EmuRow *row, EmuDrawn *drawn, char *message, size_t message_size) {
  EmuSay say = {message, message_size};
  const EmuOutput *only = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < row->output_count; i++)
    if (row->outputs[i].stored && !(only && only->bytes == row->outputs[i].bytes)) {
      only = &row->outputs[i];
      count++;
    }
  if (!count)
    return emu_say_wrong(
        say, "--image: nothing was drawn that can be written, and no storage image; for a "
             "buffer as a picture type --image=SET:BINDING:R8G8B8A8_UNORM:WxH=FILE.png");
  if (count > 1)
    return emu_say_wrong(say,
                         "--image: several images are written, %s: name one, as in "
                         "--image=%u:%u=FILE.png",
                         list_outputs(row, true).text, only->set, only->binding);
  *drawn = drawn_of(only);
  return true;
}

bool emu_image_file_write(const char *path, const EmuPicture *picture) {
  size_t size = 0;
  uint8_t *png = emu_picture_png(picture->rgb, picture->width, picture->height, &size);
  bool good = png && tool_write(path, (const char *)png, size);
  if (!png)
    tool_say(path, "out of memory");
  free(png);
  return good;
}
