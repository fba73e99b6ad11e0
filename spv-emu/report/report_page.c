/* SPDX-License-Identifier: Apache-2.0 */
/* report_page: see report_page.h. */
#include "report/report_page.h"

#include "report/report_page_files.h"

#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text) {
  for (; *text; text++)
    if (strchr("<>&\"", *text))
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

static bool put_data(const EmuPage *page, FILE *out) {
  json_t *data = emu_page_data(page);
  bool good =
      data && json_dump_callback(data, put_json, out, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
  json_decref(data);
  return good;
}

/* Writes the graph from the svg element on, without the XML header that Graphviz writes. */
static void put_graph(const EmuPage *page, FILE *out) {
  const char *start = page->graph ? strstr(page->graph, "<svg") : NULL;
  if (start)
    fputs(start, out);
}

/* Writes what replaces {{name}} in the template. */
static bool put_named(const EmuPage *page, const char *name, size_t length, FILE *out) {
  if (strncmp(name, "title", length) == 0)
    put_escaped(out, page->report->module);
  else if (strncmp(name, "style", length) == 0)
    fwrite(emu_page_style, 1, emu_page_style_size, out);
  else if (strncmp(name, "graph", length) == 0)
    put_graph(page, out);
  else if (strncmp(name, "script", length) == 0)
    fwrite(emu_page_script, 1, emu_page_script_size, out);
  else
    return put_data(page, out);
  return true;
}

static bool fill(const EmuPage *page, FILE *out) {
  const char *at = (const char *)emu_page_template, *end = at + emu_page_template_size;
  bool good = true;
  for (const char *name; good && (name = memmem(at, (size_t)(end - at), "{{", 2)); at = name) {
    fwrite(at, 1, (size_t)(name - at), out);
    name += 2;
    size_t length = strcspn(name, "}");
    good = put_named(page, name, length, out);
    name += length + 2;
  }
  fwrite(at, 1, (size_t)(end - at), out);
  return good;
}

char *emu_page_make(const EmuPage *page) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  bool good = out && fill(page, out);
  if (out && fclose(out) == 0 && good)
    return text;
  free(text);
  return NULL;
}
