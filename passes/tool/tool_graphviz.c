/* SPDX-License-Identifier: Apache-2.0 */
/* tool_graphviz: see tool_graphviz.h. */
#include "passes/tool/tool_graphviz.h"

#include "passes/tool/os/os_draft.h"
#include "passes/tool/os/os_path.h"
#include "passes/tool/os/os_process.h"
#include "passes/tool/tool_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 30 };

bool tool_has_graphviz(void) {
  return os_path_has_program("dot");
}

size_t tool_count_blocks(const char *dot) {
  static const char block[] = " [label=<<b>%"; /* dot.c: put_block */
  size_t count = 0;
  for (const char *p = dot; (p = strstr(p, block)); p++)
    count++;
  return count;
}

static int open_graph(const char *dot) {
  int fd = os_draft_unnamed();
  if (fd >= 0 && tool_write_to(fd, dot, strlen(dot)) && lseek(fd, 0, SEEK_SET) == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

/* Lays out `dot` and writes an SVG file to descriptor `fd`. On failure, and after `seconds` (0:
 * 30), prints the reason and returns false. */
static bool draw(const char *path, const char *dot, int fd, uint64_t seconds) {
  static const char *const arguments[] = {"dot", "-Tsvg", NULL};
  OsProcess child;
  int from = open_graph(dot);
  int error = from < 0 ? errno : os_process_start(&child, arguments, from, fd);
  if (from >= 0)
    close(from);
  if (error) {
    tool_say(path, "cannot run 'dot' (%s): install Graphviz, or name a .dot file", strerror(error));
    return false;
  }
  seconds = seconds ? seconds : SECONDS;
  OsProcessEnd end = os_process_wait(&child, seconds);
  if (end == OS_PROCESS_TOO_LONG)
    tool_say(path,
             "'dot' needs more than %" PRIu64 " s for this graph: name a .dot file instead, or "
             "raise --max-time",
             seconds);
  else if (end == OS_PROCESS_FAILED)
    tool_say(path, "'dot' failed");
  return end == OS_PROCESS_DONE;
}

bool tool_write_svg(const char *path, const char *dot, uint64_t seconds) {
  OsDraft d;
  if (!os_draft_open(&d, path))
    return os_draft_close(&d, false) || tool_failed(path);
  return os_draft_close(&d, draw(path, dot, d.fd, seconds));
}

bool tool_make_svg(const char *path, const char *dot, char **svg) {
  ToolInput drawn = {0};
  int fd = os_draft_unnamed();
  bool ok = fd >= 0 || tool_failed(path);
  ok = ok && draw(path, dot, fd, 0);
  ok = ok && ((lseek(fd, 0, SEEK_SET) == 0 && tool_read_all(fd, &drawn)) || tool_failed(path));
  if (fd >= 0)
    close(fd);
  if (!ok)
    free(drawn.bytes);
  *svg = ok ? drawn.bytes : NULL;
  return ok;
}
