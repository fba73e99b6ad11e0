/* SPDX-License-Identifier: Apache-2.0 */
/* cli_page: see cli_page.h. */
#include "cli/cli_page.h"

#include "cli/cli_file.h"
#include "cli/cli_graphviz.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_DRAWN = 300,      /* blocks: larger pictures are slow to draw and hard to read */
  MOST_SVG = 1000 * 1000 /* bytes */
};

bool emu_cli_page_open(EmuCliPage *page, uint32_t count) {
  if (!page->file)
    return true;
  page->recordings = calloc(count + 1u, sizeof *page->recordings);
  if (!page->recordings) {
    cli_say(page->file, "out of memory");
    return false;
  }
  for (; page->count < count; page->count++)
    emu_recording_start(&page->recordings[page->count]);
  return true;
}

const spv_emu_schedule *emu_cli_page_listen(const EmuCliPage *page, uint32_t run) {
  return run < page->count ? &page->recordings[run].schedule : NULL;
}

/* Without a picture the page is still written, and gives the reason. */
static char *draw(const char *file, const spv_emu_program *program, const char **why) {
  static const char too_large[] = "The graph is too large to draw.";
  char *dot = program ? spv_emu_draw(program, MOST_DRAWN) : NULL, *svg = NULL;
  *why = !program                         ? "Nothing ran."
         : !dot                           ? "There was not enough memory to draw the graph."
         : !*dot                          ? too_large
         : !cli_has_graphviz()            ? "The graph is not drawn: Graphviz is not installed."
         : !cli_make_svg(file, dot, &svg) ? "The graph is not drawn: Graphviz failed."
                                          : NULL;
  free(dot);
  if (svg && strlen(svg) > MOST_SVG) {
    free(svg);
    svg = NULL;
    *why = too_large;
  }
  return svg;
}

bool emu_cli_page_write(const EmuCliPage *page, const EmuReport *report) {
  if (!page->file)
    return true;
  EmuPage what = {.report = report, .recordings = page->recordings, .source = page->source};
  char *svg = draw(page->file, emu_page_program(&what), &what.no_graph);
  what.graph = svg;
  char *text = emu_page_make(&what);
  free(svg);
  if (!text)
    cli_say(page->file, "out of memory");
  bool good = text && cli_write(page->file, text, strlen(text));
  free(text);
  return good;
}

void emu_cli_page_close(EmuCliPage *page) {
  for (uint32_t i = 0; i < page->count; i++)
    emu_recording_free(&page->recordings[i]);
  free(page->recordings);
}
