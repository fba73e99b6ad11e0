/* SPDX-License-Identifier: Apache-2.0 */
/* report_page: see report_page.h. */
#include "spv-emu/report/report_page.h"

#include "spv-emu/report/report_fill.h"
#include "spv-emu/report/report_page_files.h"

#include <string.h>

static bool put_data(const EmuPage *page, FILE *out) {
  json_t *data = emu_page_data(page);
  bool good = emu_fill_json(out, data);
  json_decref(data);
  return good;
}

/* Writes the graphs from the svg element on, without the XML header that Graphviz writes. */
static void put_graphs(const EmuPage *page, FILE *out) {
  for (uint32_t i = 0; i < page->program_count; i++) {
    const char *graph = page->programs[i].graph, *start = graph ? strstr(graph, "<svg") : NULL;
    if (start)
      fprintf(out, "<div class=\"drawing\" data-graph=\"%u\">%s</div>\n", i, start);
  }
}

static bool put_named(void *user, const char *name, FILE *out) {
  const EmuPage *page = user;
  if (strcmp(name, "title") == 0)
    emu_fill_text(out, page->report->module);
  else if (strcmp(name, "program") == 0)
    fputs("spv-emu", out);
  else if (strcmp(name, "first") == 0)
    fputs("policies", out);
  else if (strcmp(name, "style") == 0)
    fwrite(emu_page_style, 1, emu_page_style_size, out);
  else if (strcmp(name, "graphs") == 0)
    put_graphs(page, out);
  else if (strcmp(name, "script") == 0)
    fwrite(emu_page_script, 1, emu_page_script_size, out);
  else
    return put_data(page, out);
  return true;
}

char *emu_page_make(const EmuPage *page) {
  return emu_fill_page(emu_page_template, emu_page_template_size, put_named, (void *)page);
}
