/* SPDX-License-Identifier: Apache-2.0 */
/* compile_lines: see compile_lines.h. The words are those of a module that llvm-spirv wrote, in the
 * host's order; lengths are checked nevertheless. */
#include "passes/tool/compile/compile_lines.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_WORDS = 0xffff };

typedef struct Lines {
  const uint32_t *from;
  size_t count;
  uint32_t *to;
  size_t made;
  uint32_t set;      /* id of the instruction set; 0: not imported */
  uint32_t language; /* of OpSource */
  uint32_t version;
  bool named; /* one of the OpStrings is the source's name */
  bool sourced;
} Lines;

/* Is the string the name, or a path that clang has made of it? */
static bool is_named(const uint32_t *words, uint32_t length, const char *name) {
  const char *path = (const char *)&words[2];
  size_t size = length > 2 ? strnlen(path, (length - 2) * sizeof *words) : 0, end = strlen(name);
  return *name && size >= end && memcmp(path + size - end, name, end) == 0 &&
         (size == end || path[size - end - 1] == '/');
}

static bool has_text(const uint32_t *words, uint32_t length, uint32_t at, const char *text) {
  size_t bytes = (length - at) * sizeof *words;
  return at < length && strnlen((const char *)&words[at], bytes) == strlen(text) &&
         memcmp(&words[at], text, strlen(text)) == 0;
}

static void add_source(Lines *l, uint32_t file, const CompileText *text) {
  size_t words = text->size / 4 + 1, length = 4 + words;
  if (length > MOST_WORDS || l->sourced)
    return;
  uint32_t *out = &l->to[l->made];
  out[0] = (uint32_t)length << 16 | SpvOpSource;
  out[1] = l->language;
  out[2] = l->version;
  out[3] = file;
  out[length - 1] = 0;
  memcpy(&out[4], text->text, text->size);
  l->made += length;
  l->sourced = true;
}

static void name_file(Lines *l, uint32_t id, const char *name) {
  size_t length = 2 + strlen(name) / 4 + 1;
  uint32_t *out = &l->to[l->made];
  out[0] = (uint32_t)length << 16 | SpvOpString;
  out[1] = id;
  out[length - 1] = 0;
  memcpy(&out[2], name, strlen(name));
  l->made += length;
}

static bool is_debug(const Lines *l, const uint32_t *w, uint32_t length) {
  if ((w[0] & 0xffff) == SpvOpExtInstImport)
    return has_text(w, length, 2, "OpenCL.DebugInfo.100");
  return (w[0] & 0xffff) == SpvOpExtInst && length > 3 && l->set && w[3] == l->set;
}

/* Replaces the name of the compiled file, a different temporary name each time, by the source's
 * name. Lines refer to the temporary name only if #line cannot state the source's name. */
static bool take_name(Lines *l, const uint32_t *w, uint32_t length, const CompileText *text,
                      const char *compiled) {
  bool own = has_text(w, length, 2, compiled);
  if (!own && (l->sourced || !is_named(w, length, text->name)))
    return false;
  name_file(l, w[1], *text->name ? text->name : "kernel.cl");
  if (!own || !l->named)
    add_source(l, w[1], text);
  return true;
}

static void take(Lines *l, const uint32_t *w, uint32_t length, const CompileText *text,
                 const char *compiled) {
  uint16_t op = w[0] & 0xffff;
  if (op == SpvOpExtInstImport && is_debug(l, w, length))
    l->set = w[1];
  if (is_debug(l, w, length))
    return;
  if (op == SpvOpString && take_name(l, w, length, text, compiled))
    return;
  memcpy(&l->to[l->made], w, length * sizeof *w);
  l->made += length;
}

/* Reads the language and its version, which come after the strings, and whether one of the strings
 * is the source's name. */
static void look_ahead(Lines *l, const char *name, const char *compiled) {
  for (size_t at = HEADER; at + 2 < l->count && l->from[at] >> 16; at += l->from[at] >> 16)
    if ((l->from[at] & 0xffff) == SpvOpString) {
      uint32_t length = l->from[at] >> 16;
      l->named |= length <= l->count - at && is_named(&l->from[at], length, name) &&
                  !has_text(&l->from[at], length, 2, compiled);
    } else if ((l->from[at] & 0xffff) == SpvOpSource) {
      l->language = l->from[at + 1];
      l->version = l->from[at + 2];
    }
}

void compile_lines_keep(CompileResult *result, const CompileText *text, const char *compiled) {
  Lines l = {.from = result->words, .count = result->count};
  l.to = malloc((result->count + (text->size + 2 * strlen(text->name)) / 4 + 16) * sizeof *l.to);
  if (!l.to || l.count < HEADER) {
    free(l.to);
    return;
  }
  look_ahead(&l, text->name, compiled);
  memcpy(l.to, l.from, HEADER * sizeof *l.to);
  l.made = HEADER;
  for (size_t at = HEADER; at < l.count;) {
    uint32_t length = l.from[at] >> 16;
    if (!length || length > l.count - at) {
      free(l.to);
      return;
    }
    take(&l, &l.from[at], length, text, compiled);
    at += length;
  }
  free(result->words);
  result->words = l.to;
  result->count = l.made;
}
