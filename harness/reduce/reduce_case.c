/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_case: see reduce_case.h. */
#include "harness/reduce/reduce_case.h"

#include "harness/shader/module_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

static size_t line_length(const char *p) {
  size_t n = strcspn(p, "\n");
  return n + (p[n] == '\n');
}

/* The nth word of a line, from 0; *length 0: there is none. */
static const char *word(const char *p, unsigned n, size_t *length) {
  for (;; n--) {
    p += strspn(p, " \t\r");
    *length = strcspn(p, " \t\r\n");
    if (!n || !*length)
      return p;
    p += *length;
  }
}

static bool is_word(const char *p, unsigned n, const char *wanted) {
  size_t length;
  const char *w = word(p, n, &length);
  return length == strlen(wanted) && memcmp(w, wanted, length) == 0;
}

static bool has_word(const char *p, const char *wanted) {
  size_t length = 1;
  for (unsigned n = 0; length; n++) {
    (void)word(p, n, &length);
    if (length && is_word(p, n, wanted))
      return true;
  }
  return false;
}

/* Does a statement that begins so go on to a line END? Of a PIPELINE each line can go by itself. */
static bool is_block(const char *p) {
  if (is_word(p, 0, "SHADER"))
    return !is_word(p, 3, "PASSTHROUGH") && !has_word(p, "FILE") && !has_word(p, "VIRTUAL_FILE");
  if (is_word(p, 0, "BUFFER") || is_word(p, 0, "IMAGE"))
    return has_word(p, "DATA") && !has_word(p, "FILE");
  return is_word(p, 0, "VIRTUAL_FILE") || is_word(p, 0, "STRUCT") ||
         is_word(p, 0, "COMPILE_OPTIONS");
}

static bool continues(const char *p, size_t length) {
  while (length && strchr(" \t\r\n", p[length - 1]))
    length--;
  return length && p[length - 1] == '\\';
}

static size_t statement_length(const char *p) {
  size_t n = line_length(p);
  if (is_block(p)) {
    while (p[n] && !is_word(p + n, 0, "END"))
      n += line_length(p + n);
    return n + line_length(p + n);
  }
  for (size_t from = 0; continues(p + from, n - from) && p[n];) {
    from = n;
    n += line_length(p + n);
  }
  return n;
}

static HnStatementKind kind_of(const char *p) {
  if (is_word(p, 0, "SHADER"))
    return HN_STATEMENT_SHADER;
  if (is_word(p, 0, "EXPECT"))
    return HN_STATEMENT_EXPECT;
  uint32_t x, y, z;
  char name[2];
  return sscanf(p, " RUN %1s%*s %" SCNu32 " %" SCNu32 " %" SCNu32, name, &x, &y, &z) == 4 ||
                 sscanf(p, " RUN %1s %" SCNu32 " %" SCNu32 " %" SCNu32, name, &x, &y, &z) == 4
             ? HN_STATEMENT_RUN
             : HN_STATEMENT_OTHER;
}

static bool add(HnReduceCase *c, const char *text, size_t length) {
  HnStatement *more = realloc(c->at, (c->count + 1) * sizeof *more);
  if (!more)
    return false;
  c->at = more;
  more[c->count] = (HnStatement){.text = strndup(text, length), .kind = kind_of(text)};
  return more[c->count++].text != NULL;
}

bool hn_reduce_case_read(const char *text, HnReduceCase *c) {
  *c = (HnReduceCase){0};
  for (const char *p = text; *p;) {
    size_t n = statement_length(p);
    if (!add(c, p, n)) {
      hn_reduce_case_free(c);
      return false;
    }
    p += n;
  }
  return true;
}

void hn_reduce_case_free(HnReduceCase *c) {
  for (size_t i = 0; i < c->count; i++)
    free(c->at[i].text);
  free(c->at);
  *c = (HnReduceCase){0};
}

/* ---- texts ---- */

char *hn_reduce_case_text(const HnReduceCase *c, size_t at, const char *text, size_t without) {
  char *out;
  size_t size;
  FILE *f = open_memstream(&out, &size);
  if (!f)
    return NULL;
  for (size_t i = 0; i < c->count; i++)
    if (!c->at[i].gone && i != without)
      fputs(i == at ? text : c->at[i].text, f);
  bool good = !ferror(f);
  if (fclose(f) == 0 && good)
    return out;
  free(out);
  return NULL;
}

bool hn_reduce_case_shader(const HnStatement *s, char *name, size_t room) {
  size_t length;
  const char *w = word(s->text, 2, &length);
  if (s->kind != HN_STATEMENT_SHADER || !length || length >= room)
    return false;
  memcpy(name, w, length);
  name[length] = 0;
  return !is_word(s->text, 3, "PASSTHROUGH");
}

bool hn_reduce_case_compiles(const HnStatement *s, const char *shader) {
  return is_word(s->text, 0, "COMPILE_OPTIONS") && is_word(s->text, 1, shader);
}

/* The module as assembly text, without comments. */
static void print_module(FILE *f, const char *text) {
  for (const char *p = text; *p; p += line_length(p))
    if (*p != ';')
      fwrite(p, 1, line_length(p), f);
}

char *hn_reduce_case_module(const HnStatement *s, HnModule module) {
  char *out = NULL, *text = hn_module_text(module, NULL);
  size_t size, length;
  const char *name = word(s->text, 2, &length);
  FILE *f = text ? open_memstream(&out, &size) : NULL;
  if (f) {
    fprintf(f, "%.*s SPIRV-ASM TARGET_ENV spv1.%u\n", (int)(name - s->text + (ptrdiff_t)length),
            s->text, module.words[1] >> 8 & 0xff);
    print_module(f, text);
    fputs("END\n", f);
    if (fclose(f) != 0) {
      free(out);
      out = NULL;
    }
  }
  free(text);
  return out;
}

char *hn_reduce_case_fewer(const HnStatement *s) {
  uint32_t groups[3];
  size_t length;
  char *out;
  for (unsigned i = 0; i < 3; i++)
    groups[i] = (uint32_t)strtoul(word(s->text, 2 + i, &length), NULL, 10);
  uint32_t *most = &groups[0];
  for (unsigned i = 1; i < 3; i++)
    most = groups[i] > *most ? &groups[i] : most;
  if (*most <= 1)
    return NULL;
  *most /= 2;
  const char *name = word(s->text, 1, &length);
  return asprintf(&out, "RUN %.*s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", (int)length, name,
                  groups[0], groups[1], groups[2]) < 0
             ? NULL
             : out;
}
