/* SPDX-License-Identifier: Apache-2.0 */
/* layer_stats: see layer_stats.h. */
#include "harness/layer/layer_stats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const reasons[LY_REASONS] = {
    [LY_INVALID] = "not accepted",
    [LY_UNSTRUCTURED] = "left without structure by the transforms",
    [LY_REJECTED] = "failed a check of the result",
    [LY_TIME] = "over the time limit",
    [LY_MEMORY] = "over the memory limit",
    [LY_EXHAUSTED] = "out of memory",
};

typedef struct Counts {
  atomic_ulong changed, repaired, same, failed[LY_REASONS], left_out, from_cache;
  atomic_ullong nanoseconds;
} Counts;

static Counts counts;

/* Where the line goes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner;         /* the process that asked for statistics; 0: none did */
static char file[PATH_MAX]; /* absolute, because programs change their folder; "": none */
/* A log that is not a file, such as a pipe without a name, cannot be opened again. Then this is a
 * copy of its descriptor, else -1. A program may close the copy and open something else in its
 * place. */
static int copy = -1;
static struct stat copied;

void ly_stats_count(const LyResult *result, bool from_cache, double seconds) {
  atomic_fetch_add(&counts.nanoseconds, (unsigned long long)(seconds * 1e9));
  atomic_fetch_add(&counts.from_cache, from_cache);
  atomic_fetch_add(&counts.repaired, result->repaired);
  if (result->kind == LY_CHANGED)
    atomic_fetch_add(&counts.changed, 1);
  else if (result->kind == LY_SAME)
    atomic_fetch_add(&counts.same, 1);
  else
    atomic_fetch_add(&counts.failed[result->reason], 1);
}

void ly_stats_count_left_out(void) {
  atomic_fetch_add(&counts.left_out, 1);
}

static unsigned long failures(void) {
  unsigned long sum = 0;
  for (int i = 0; i < LY_REASONS; i++)
    sum += counts.failed[i];
  return sum;
}

static void print_reasons(FILE *out) {
  const char *before = " (";
  for (int i = 0; i < LY_REASONS; i++) {
    if (!counts.failed[i])
      continue;
    fprintf(out, "%s%lu %s", before, counts.failed[i], reasons[i]);
    before = ", ";
  }
  if (failures())
    fputc(')', out);
}

void ly_stats_print(char line[LY_STATS_ROOM]) {
  *line = 0;
  FILE *out = fmemopen(line, LY_STATS_ROOM, "w");
  if (!out)
    return;
  unsigned long changed = counts.changed, same = counts.same, failed = failures();
  unsigned long all = changed + same + failed + counts.left_out;
  fprintf(out, "%.80s: %lu module%s: %lu changed, %lu unchanged, %lu refused",
          program_invocation_short_name, all, all == 1 ? "" : "s", changed, same, failed);
  print_reasons(out);
  if (counts.left_out)
    fprintf(out, ", %lu left out", counts.left_out);
  if (counts.repaired)
    fprintf(out, "; %lu repaired", counts.repaired);
  if (counts.from_cache)
    fprintf(out, "; %lu from the cache", counts.from_cache);
  fprintf(out, "; %.1f ms", (double)counts.nanoseconds / 1e6);
  fclose(out);
}

static bool has_copy(void) {
  struct stat now;
  return copy >= 0 && fstat(copy, &now) == 0 && now.st_dev == copied.st_dev &&
         now.st_ino == copied.st_ino;
}

static void remember(const LyLog *log, const char *path) {
  if (has_copy())
    close(copy);
  copy = -1;
  *file = 0;
  if (!path || log->fd == STDERR_FILENO || fstat(log->fd, &copied) != 0)
    return;
  if (S_ISREG(copied.st_mode) && realpath(path, file))
    return;
  *file = 0;
  copy = fcntl(log->fd, F_DUPFD_CLOEXEC, 0);
}

void ly_stats_ask(const LyLog *log, const char *path) {
  pthread_mutex_lock(&lock);
  if (owner && owner != getpid())
    memset(&counts, 0, sizeof counts); /* drops the counts of the process that forked this one */
  owner = getpid();
  remember(log, path);
  pthread_mutex_unlock(&lock);
}

/* Only tries the lock, because in a child that was forked while a thread held it, no thread
 * releases it. */
__attribute__((destructor)) static void write_line(void) {
  if (pthread_mutex_trylock(&lock) != 0)
    return;
  if (owner == getpid()) {
    char line[LY_STATS_ROOM];
    ly_stats_print(line);
    LyLog log = has_copy() ? (LyLog){copy, LY_ERROR} : ly_log_open(*file ? file : NULL);
    ly_log(&log, LY_ERROR, "%s", line);
    ly_log_close(&log);
  }
  pthread_mutex_unlock(&lock);
}
