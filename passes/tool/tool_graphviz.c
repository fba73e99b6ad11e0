/* SPDX-License-Identifier: Apache-2.0 */
/* tool_graphviz: see tool_graphviz.h. The graph is passed in a file in memory, not through a pipe,
 * so that a child that does not read cannot block this process. */
#include "passes/tool/tool_graphviz.h"

#include "passes/tool/tool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 30, POLL_MILLISECONDS = 5 };

typedef enum Outcome { DRAWN, FAILED, TOO_LONG } Outcome;

bool tool_has_graphviz(void) {
  const char *path = getenv("PATH");
  for (size_t n; path && *path; path += n + (path[n] == ':')) {
    char *name;
    n = strcspn(path, ":");
    if (asprintf(&name, "%.*s/dot", (int)n, path) < 0)
      return false;
    bool found = access(name, X_OK) == 0;
    free(name);
    if (found)
      return true;
  }
  return false;
}

size_t tool_count_blocks(const char *dot) {
  static const char block[] = " [label=<<b>%"; /* dot.c: put_block */
  size_t count = 0;
  for (const char *p = dot; (p = strstr(p, block)); p++)
    count++;
  return count;
}

/* Starts `dot -Tsvg` from one descriptor to another. Returns 0 or an error number. */
static int start(pid_t *child, int from, int to) {
  static char *const arguments[] = {"dot", "-Tsvg", NULL};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Outcome wait_for(pid_t child, uint64_t seconds) {
  const struct timespec poll = {.tv_nsec = POLL_MILLISECONDS * 1000000};
  double end = now() + (double)seconds;
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && now() < end)
    nanosleep(&poll, NULL);
  if (ended)
    return ended == child && status == 0 ? DRAWN : FAILED;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return TOO_LONG;
}

static int open_graph(const char *dot) {
  int fd = memfd_create("dot", MFD_CLOEXEC);
  if (fd >= 0 && tool_write_to(fd, dot, strlen(dot)) && lseek(fd, 0, SEEK_SET) == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return -1;
}

/* Lays out `dot` and writes an SVG file to descriptor `fd`. On failure, and after `seconds` (0:
 * 30), prints the reason and returns false. */
static bool draw(const char *path, const char *dot, int fd, uint64_t seconds) {
  pid_t child;
  int from = open_graph(dot);
  int error = from < 0 ? errno : start(&child, from, fd);
  if (from >= 0)
    close(from);
  if (error) {
    tool_say(path, "cannot run 'dot' (%s): install Graphviz, or name a .dot file", strerror(error));
    return false;
  }
  seconds = seconds ? seconds : SECONDS;
  Outcome outcome = wait_for(child, seconds);
  if (outcome == TOO_LONG)
    tool_say(path,
             "'dot' needs more than %" PRIu64 " s for this graph: name a .dot file instead, or "
             "raise --max-time",
             seconds);
  else if (outcome == FAILED)
    tool_say(path, "'dot' failed");
  return outcome == DRAWN;
}

bool tool_write_svg(const char *path, const char *dot, uint64_t seconds) {
  ToolDraft d;
  if (!tool_draft_open(&d, path))
    return tool_draft_close(&d, false) || tool_failed(path);
  return tool_draft_close(&d, draw(path, dot, d.fd, seconds));
}

bool tool_make_svg(const char *path, const char *dot, char **svg) {
  ToolInput drawn = {0};
  int fd = memfd_create("svg", MFD_CLOEXEC);
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
