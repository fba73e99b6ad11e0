/* SPDX-License-Identifier: Apache-2.0 */
/* compile_include: see compile_include.h. One pass over the lines, with a stack of open files. */
#include "passes/tool/compile/compile_include.h"

#include "passes/tool/compile/compile_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 64, MOST_FILES = 4096, MOST_BYTES = 64 << 20 };

typedef struct Open {
  char *name;
  char *text;       /* owned; NULL for the first */
  const char *next; /* the line to read */
  unsigned line;    /* its number */
  bool once;        /* has #pragma once */
} Open;

typedef struct Expansion {
  const char *const *options;
  uint32_t option_count;
  Open open[MOST_OPEN];
  size_t depth, files;
  bool in_comment, marked; /* marked: #line may name a file from here on */
  FILE *out;
} Expansion;

/* ---- lines ----------------------------------------------------------------------------------- */

static const char *blanks(const char *p) {
  return p + strspn(p, " \t");
}

/* What follows the directive on the line; NULL: the line is not this directive. */
static const char *directive(const char *line, const char *name) {
  const char *p = blanks(line);
  if (*p != '#')
    return NULL;
  p = blanks(p + 1);
  size_t length = strlen(name);
  if (strncmp(p, name, length) != 0 || isalnum((unsigned char)p[length]) || p[length] == '_')
    return NULL;
  return blanks(p + length);
}

static bool is_once(const char *line) {
  const char *rest = directive(line, "pragma");
  return rest && strncmp(rest, "once", 4) == 0 && !isalnum((unsigned char)rest[4]);
}

static const char *after_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

/* Is the end of the line in a comment that began on it, or before? */
static bool ends_in_comment(const char *line, bool in_comment) {
  for (const char *p = line; *p && *p != '\n'; p++)
    if (in_comment) {
      in_comment = !(p[0] == '*' && p[1] == '/');
      p += !in_comment;
    } else if (p[0] == '/' && p[1] == '/') {
      break;
    } else if (p[0] == '/' && p[1] == '*') {
      in_comment = true;
      p++;
    }
  return in_comment;
}

static bool has_once(const char *text) {
  for (const char *line = text; *line; line = after_line(line))
    if (is_once(line))
      return true;
  return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The text after the byte order mark of UTF-8, which some editors put first. */
static const char *after_mark(const char *text) {
  static const char utf8[] = "\xef\xbb\xbf";
  return text + (strncmp(text, utf8, strlen(utf8)) == 0 ? strlen(utf8) : 0);
}

typedef struct Search {
  char *name, *text; /* of the file; NULL: not found */
  char *unread;      /* the first file that exists but cannot be read; NULL: none */
  int error;         /* the errno that says why */
} Search;

/* Tries to read the file `name`; takes ownership of `name`. */
static bool try_file(Search *s, char *name) {
  uint8_t *bytes = NULL;
  size_t size;
  if (name && !strpbrk(name, "\"\n\r") &&
      compile_file_read_regular(name, MOST_BYTES, &bytes, &size)) {
    s->text = strndup((const char *)bytes, size);
    s->name = s->text ? name : NULL;
    free(bytes);
  } else if (name && !s->unread && errno != ENOENT && errno != ENOTDIR) {
    s->error = errno;
    s->unread = name;
    return false;
  }
  if (!s->text)
    free(name);
  return s->text != NULL;
}

/* For "x" searches the including file's folder first; for <x> only the folders of -I. */
static bool find_file(const Expansion *e, const char *name, bool quoted, Search *s) {
  *s = (Search){0};
  if (quoted && try_file(s, compile_file_beside(e->open[e->depth - 1].name, name)))
    return true;
  for (uint32_t i = 0; i < e->option_count; i++) {
    char *path;
    if (strncmp(e->options[i], "-I", 2) != 0)
      continue;
    if (asprintf(&path, "%s/%s", e->options[i] + 2, name) < 0)
      return false;
    if (try_file(s, path))
      return true;
  }
  return false;
}

static void refuse(const Expansion *e, const char *name, bool quoted, const Search *s) {
  if (s->unread)
    fprintf(e->out, "#error \"%s cannot be read: %s\"\n", s->unread, strerror(s->error));
  else
    fprintf(e->out, "#error \"there is no file %s %s\"\n", name,
            quoted ? "beside this one or in a folder of -I" : "in a folder of -I");
}

static bool is_open(const Expansion *e, const char *name) {
  for (size_t i = 0; i < e->depth; i++)
    if (strcmp(e->open[i].name, name) == 0)
      return true;
  return false;
}

/* Writes the name of the macro that guards a file: the bytes of the file's name in hexadecimal. */
static void write_guard(FILE *out, const char *name) {
  fputs("spv_once_", out);
  for (const char *p = name; *p; p++)
    fprintf(out, "%02x", (unsigned char)*p);
}

static void mark(Expansion *e, unsigned line, const char *name) {
  if (!e->marked)
    fputs("#extension GL_GOOGLE_cpp_style_line_directive : require\n", e->out);
  e->marked = true;
  if (strpbrk(name, "\"\n\r")) /* only the first file can have such a name, and it is string 0 */
    fprintf(e->out, "#line %u 0\n", line);
  else
    fprintf(e->out, "#line %u \"%s\"\n", line, name);
}

static void enter(Expansion *e, char *name, char *text) {
  Open *file = &e->open[e->depth++];
  *file = (Open){
      .name = name, .text = text, .next = after_mark(text), .line = 1, .once = has_once(text)};
  e->files++;
  if (file->once) {
    fputs("#ifndef ", e->out);
    write_guard(e->out, name);
    fputs("\n#define ", e->out);
    write_guard(e->out, name);
    fputc('\n', e->out);
  }
  mark(e, 1, name);
}

static void leave(Expansion *e) {
  Open *file = &e->open[--e->depth];
  if (file->once && e->depth)
    fputs("\n#endif", e->out);
  free(file->name);
  if (!e->depth)
    return;
  free(file->text);
  fputc('\n', e->out);
  mark(e, e->open[e->depth - 1].line, e->open[e->depth - 1].name);
}

/* Expands an #include. `rest`: what follows it on the line. */
static void include(Expansion *e, const char *rest) {
  char close = *rest == '<' ? '>' : '"';
  const char *end = *rest == '<' || *rest == '"' ? rest + 1 + strcspn(rest + 1, "\"\n>") : NULL;
  Search found = {0};
  if (!end || *end != close) {
    fputs("#error \"#include expects a name in quotes or in angle brackets\"\n", e->out);
    return;
  }
  char *name = strndup(rest + 1, (size_t)(end - rest - 1));
  if (e->depth == MOST_OPEN || e->files == MOST_FILES || ftell(e->out) > MOST_BYTES) {
    fprintf(e->out, "#error \"%s: too many included files, or too deep\"\n", name ? name : "");
  } else if (!name || !find_file(e, name, close == '"', &found)) {
    refuse(e, name ? name : "", close == '"', &found);
  } else if (is_open(e, found.name)) {
    free(found.name);
    free(found.text);
    fputc('\n', e->out);
  } else {
    enter(e, found.name, found.text);
  }
  free(found.unread);
  free(name);
}

/* ---- the text -------------------------------------------------------------------------------- */

static void step(Expansion *e) {
  Open *file = &e->open[e->depth - 1];
  const char *line = file->next, *rest = e->in_comment ? NULL : directive(line, "include");
  if (!*line) {
    leave(e);
    return;
  }
  file->next = after_line(line);
  file->line++;
  if (rest) {
    include(e, rest);
    return;
  }
  if (file->once && is_once(line))
    fputc('\n', e->out);
  else
    fwrite(line, 1, (size_t)(file->next - line), e->out);
  e->in_comment = ends_in_comment(line, e->in_comment);
}

/* #version must come first, so the #extension that allows #line with a name is written with the
 * first included file. */
char *compile_include(const CompileText *text, const char *const *options, uint32_t option_count) {
  char *expanded = NULL;
  size_t size;
  Expansion e = {.options = options, .option_count = option_count};
  char *name = strdup(text->name);
  e.out = name ? open_memstream(&expanded, &size) : NULL;
  if (!e.out) {
    free(name);
    return NULL;
  }
  e.open[e.depth++] = (Open){.name = name, .text = NULL, .next = after_mark(text->text), .line = 1};
  while (e.depth)
    step(&e);
  return fclose(e.out) == 0 ? expanded : NULL;
}
