/* SPDX-License-Identifier: Apache-2.0 */
/* page: see page.h. The page is a template with its style and scripts (assets/, embedded in the
 * program at build time, and those that the page of spv-emu uses too), and one JSON object
 * (page_data.h) from which the scripts build everything else. */
#include "harness/page/page.h"

#include "harness/base/message.h"
#include "harness/page/page_data.h"
#include "harness/page/page_files.h"
#include "spv-emu/report/report_fill.h"

#include <string.h>

typedef struct Pieces {
  const HnPage *page;
  const json_t *data;
} Pieces;

static bool put(void *user, const char *name, FILE *out) {
  const Pieces *pieces = user;
  const char *slash = strrchr(pieces->page->results, '/');
  if (strcmp(name, "title") == 0)
    emu_fill_text(out, slash ? slash + 1 : pieces->page->results);
  else if (strcmp(name, "program") == 0)
    fputs("spv-harness", out);
  else if (strcmp(name, "first") == 0)
    fputs("failures", out);
  else if (strcmp(name, "style") == 0)
    fwrite(hn_page_style, 1, hn_page_style_size, out);
  else if (strcmp(name, "script") == 0)
    fwrite(hn_page_script, 1, hn_page_script_size, out);
  else
    return emu_fill_json(out, pieces->data);
  return true;
}

char *hn_page_make(const HnPage *page, char **message) {
  json_t *data = hn_page_data(page, message);
  Pieces pieces = {page, data};
  if (!data)
    return NULL;
  char *text = emu_fill_page(hn_page_template, hn_page_template_size, put, &pieces);
  if (!text)
    hn_message_set(message, page->results, "out of memory");
  json_decref(data);
  return text;
}
