/* SPDX-License-Identifier: Apache-2.0 */
/* report_fill: see report_fill.h. */
#include "spv-emu/report/report_fill.h"

#include <stdlib.h>
#include <string.h>

void emu_fill_text(FILE *out, const char *text) {
  for (; *text; text++)
    if (strchr("<>&\"'", *text))
      fprintf(out, "&#%d;", *text);
    else
      fputc(*text, out);
}

/* "<" occurs only in JSON strings; escaped, it cannot end the script element. */
static int put_json(const char *bytes, size_t size, void *user) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == '<')
      fputs("\\u003c", user);
    else
      fputc(bytes[i], user);
  return 0;
}

bool emu_fill_json(FILE *out, const json_t *data) {
  return data &&
         json_dump_callback(data, put_json, out, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
}

static bool fill_all(const char *at, const char *end, EmuFill *fill, void *user, FILE *out) {
  bool good = true;
  for (const char *open; good && (open = memmem(at, (size_t)(end - at), "{{", 2));) {
    fwrite(at, 1, (size_t)(open - at), out);
    size_t length = strcspn(open + 2, "}");
    char *name = strndup(open + 2, length);
    good = name && fill(user, name, out);
    free(name);
    at = open + 2 + length + 2;
  }
  fwrite(at, 1, (size_t)(end - at), out);
  return good;
}

char *emu_fill_page(const unsigned char *template, size_t size, EmuFill *fill, void *user) {
  const char *at = (const char *)template;
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  bool good = out && fill_all(at, at + size, fill, user, out);
  if (out && fclose(out) == 0 && good)
    return text;
  free(text);
  return NULL;
}
