/* SPDX-License-Identifier: Apache-2.0 */
/* cli_page: see cli_page.h. */
#include "spv-emu/cli/cli_page.h"

#include "passes/tool/tool_file.h"
#include "passes/tool/tool_graphviz.h"
#include "spv-emu/report/report_places.h"

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
    tool_say(page->file, "out of memory");
    return false;
  }
  for (; page->count < count; page->count++)
    emu_recording_start(&page->recordings[page->count]);
  return true;
}

const spv_emu_schedule *emu_cli_page_listen(const EmuCliPage *page, uint32_t run) {
  return run < page->count ? &page->recordings[run].schedule : NULL;
}

/* ---- the second run -------------------------------------------------------------------------- */

/* Runs a case as the row `run` did. A policy that does not apply, and opt, begin no dispatch. */
static bool record(EmuRecording *recording, const EmuCli *of, EmuCase *c, const char *policy,
                   const spv_emu_cost *cost) {
  char message[512];
  EmuRow row = {0};
  spv_emu_run_options how = of->run;
  if (!recording->count)
    return true;
  how.policy = policy;
  how.cost = cost;
  how.schedule = &recording->schedule;
  bool good = emu_case_run(c, &how, &row, message, sizeof message) == SPV_EMU_OK;
  if (!good)
    tool_say(of->input, "%s", message);
  emu_row_free(&row);
  return good;
}

bool emu_cli_page_record(EmuCliPage *page, const EmuCli *cli, const EmuCliCases *cases,
                         const spv_emu_cost *cost) {
  bool good = true;
  if (!page->file)
    return true;
  EmuRecordedPlaces *places = calloc(EMU_RECORDED_DISPATCHES, sizeof *places);
  if (!places) {
    tool_say(page->file, "out of memory");
    return false;
  }
  emu_places_choose(page->recordings, page->count, places);
  for (uint32_t i = 0; good && i < page->count; i++) {
    uint32_t variant = i / cli->policy_count;
    EmuCli of = emu_cli_variant(cli, variant);
    emu_recording_again(&page->recordings[i], places);
    good = record(&page->recordings[i], &of, &cases->cases[variant],
                  cli->policies[i % cli->policy_count], cost);
  }
  free(places);
  return good;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Without a picture the page is still written, and gives the reason. *left: bytes for this and the
 * other pictures. */
static char *draw(const char *file, const char *dot, size_t *left, const char **why) {
  static const char too_large[] = "The graph is too large to draw.";
  char *svg = NULL;
  *why = !dot                              ? "There was not enough memory to draw the graph."
         : !*dot                           ? too_large
         : !tool_has_graphviz()            ? "The graph is not drawn: Graphviz is not installed."
         : !tool_make_svg(file, dot, &svg) ? "The graph is not drawn: Graphviz failed."
                                           : NULL;
  if (svg && strlen(svg) > *left) {
    free(svg);
    svg = NULL;
    *why = too_large;
  }
  *left -= svg ? strlen(svg) : 0;
  return svg;
}

/* Draws the graphs; equal ones once. */
static void draw_all(const char *file, EmuPage *what) {
  char *dots[EMU_PAGE_PROGRAMS] = {0};
  size_t left = MOST_SVG;
  for (uint32_t i = 0; i < what->program_count; i++) {
    EmuPageProgram *p = &what->programs[i];
    dots[i] = spv_emu_draw(p->program, MOST_DRAWN);
    for (p->same = 0; p->same < i && !(dots[i] && dots[p->same] && *dots[i] &&
                                       strcmp(dots[i], dots[p->same]) == 0);)
      p->same++;
    if (p->same == i)
      p->graph = draw(file, dots[i], &left, &p->no_graph);
    else
      p->no_graph = what->programs[p->same].no_graph;
  }
  for (uint32_t i = 0; i < what->program_count; i++)
    free(dots[i]);
}

bool emu_cli_page_write(const EmuCliPage *page, const EmuReport *report) {
  if (!page->file)
    return true;
  EmuPage what = {.report = report,
                  .recordings = page->recordings,
                  .advise = page->advise,
                  .source = page->source};
  emu_page_choose(&what);
  draw_all(page->file, &what);
  char *text = emu_page_make(&what);
  for (uint32_t i = 0; i < what.program_count; i++)
    free(what.programs[i].graph);
  if (!text)
    tool_say(page->file, "out of memory");
  bool good = text && tool_write(page->file, text, strlen(text));
  free(text);
  return good;
}

void emu_cli_page_close(EmuCliPage *page) {
  for (uint32_t i = 0; i < page->count; i++)
    emu_recording_free(&page->recordings[i]);
  free(page->recordings);
  free(page->advise);
}
