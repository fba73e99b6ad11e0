/* SPDX-License-Identifier: Apache-2.0 */
/* results_log: see results_log.h.
 *
 * The first line names the format. A group, the results of one case on one device, is a line of
 * fields with tabs between them:
 *   HASH ran|kept PATH DEVICE SETUP CASE {VARIANT OUTCOME MODULE GPU_NS WALL_US MESSAGE}…
 * The folder of a run's artifacts is noted in a line:
 *   HASH artifacts FOLDER
 * HASH is XXH3 of the rest of the line; hashes are hexadecimal; `kept` groups come from an earlier
 * run. A tab, newline or backslash inside a field is \t, \n or \\. */
#include "harness/results/results_log.h"

#include "harness/base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

static const char header[] = "spv-harness results 1\n";

enum { HEADER = sizeof header - 1, HASH = 16, GROUP_FIELDS = 5, RESULT_FIELDS = 6 };
enum { LOCK_TRIES = 20, LOCK_WAIT = 100000 /* microseconds */ };

struct HnLog {
  int fd;
  int error; /* errno of the most recent failure */
};

/* ---- writing ---- */

static bool write_all(HnLog *log, const char *bytes, size_t count) {
  while (count) {
    ssize_t n = write(log->fd, bytes, count);
    if (n < 0 && errno != EINTR) {
      log->error = errno;
      return false;
    }
    bytes += n > 0 ? n : 0;
    count -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

/* Ends a line that was truncated when a run was killed, so that the next group gets its own
 * line. */
static bool repair_end(HnLog *log) {
  off_t size = lseek(log->fd, 0, SEEK_END);
  char last = 0;
  if (size < HEADER)
    return ftruncate(log->fd, 0) == 0 && write_all(log, header, HEADER);
  return pread(log->fd, &last, 1, size - 1) == 1 && (last == '\n' || write_all(log, "\n", 1));
}

/* On a file system without locks the log is not locked. Children of a killed run may hold the lock
 * a moment longer. */
static bool lock(HnLog *log) {
  for (int tries = 0; flock(log->fd, LOCK_EX | LOCK_NB) != 0; tries++) {
    if (errno != EWOULDBLOCK)
      return true;
    if (tries == LOCK_TRIES)
      return false;
    usleep(LOCK_WAIT);
  }
  return true;
}

static bool is_log(int fd) {
  char start[HEADER];
  ssize_t n = pread(fd, start, HEADER, 0);
  return n >= 0 && memcmp(start, header, (size_t)n) == 0;
}

/* Opens, locks and repairs the file. Returns why it failed, or NULL. */
static const char *take_file(HnLog *log, const char *path) {
  log->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (log->fd < 0)
    return strerror(errno);
  if (!lock(log))
    return "another run is writing it";
  if (!is_log(log->fd))
    return "is not a results log";
  return repair_end(log) ? NULL : strerror(errno);
}

bool hn_log_open(const char *path, HnLog **log, char **message) {
  HnLog *l = calloc(1, sizeof *l);
  *log = NULL;
  if (!l)
    return hn_message_set(message, path, "out of memory");
  const char *why = take_file(l, path);
  if (!why) {
    *log = l;
    return true;
  }
  hn_message_set(message, path, why);
  hn_log_close(l);
  return false;
}

const char *hn_log_error(const HnLog *log) {
  return strerror(log->error);
}

void hn_log_close(HnLog *log) {
  if (!log)
    return;
  if (log->fd >= 0)
    close(log->fd);
  free(log);
}

static void put_field(FILE *out, const char *text) {
  fputc('\t', out);
  for (const char *c = text ? text : ""; *c; c++)
    if (*c == '\t' || *c == '\n' || *c == '\\') {
      fputc('\\', out);
      fputc(*c == '\t' ? 't' : *c == '\n' ? 'n' : '\\', out);
    } else {
      fputc(*c, out);
    }
}

static void print_group(FILE *out, const void *what) {
  const HnGroup *group = what;
  put_field(out, group->results[0].recorded ? "kept" : "ran");
  put_field(out, group->path);
  put_field(out, group->device);
  fprintf(out, "\t%" PRIx64 "\t%" PRIx64, group->setup_hash, group->case_hash);
  for (uint32_t v = 0; v < group->count; v++) {
    const HnResult *r = &group->results[v];
    put_field(out, group->variants[v]);
    put_field(out, hn_outcome_name(r->outcome));
    fprintf(out, "\t%" PRIx64 "\t%" PRIu64 "\t%" PRIu64, r->module_hash, r->gpu_ns, r->wall_us);
    put_field(out, r->message);
  }
}

static uint64_t hash_of(const char *line, size_t length) {
  return XXH3_64bits(line + HASH, length - HASH);
}

/* Appends a line: the hash of what `print` writes, and then that text. */
static bool append(HnLog *log, void (*print)(FILE *out, const void *what), const void *what) {
  char *line = NULL, hash[HASH + 1];
  size_t length = 0;
  FILE *out = open_memstream(&line, &length);
  if (out) {
    fprintf(out, "%*s", HASH, "");
    print(out, what);
  }
  if (!out || fclose(out) != 0) {
    log->error = ENOMEM;
    free(line);
    return false;
  }
  snprintf(hash, sizeof hash, "%016" PRIx64, hash_of(line, length));
  memcpy(line, hash, HASH);
  line[length] = '\n'; /* takes the place of the stream's zero byte */
  bool good = write_all(log, line, length + 1);
  free(line);
  return good;
}

bool hn_log_put(HnLog *log, const HnGroup *group) {
  return append(log, print_group, group);
}

static void print_artifacts(FILE *out, const void *folder) {
  put_field(out, "artifacts");
  put_field(out, folder);
}

bool hn_log_note_artifacts(HnLog *log, const char *folder) {
  return append(log, print_artifacts, folder);
}

/* ---- reading ---- */

static char unescape(char c) {
  switch (c) {
  case 't':
    return '\t';
  case 'n':
    return '\n';
  default:
    return c;
  }
}

/* Splits off the field at *at and decodes its escapes; NULL after the last one. */
static char *take_field(char **at) {
  char *field = *at, *to = field, *c = field;
  if (!field)
    return NULL;
  for (; *c && *c != '\t'; c++)
    if (*c == '\\' && c[1])
      *to++ = unescape(*++c);
    else
      *to++ = *c;
  *at = *c ? c + 1 : NULL;
  *to = 0;
  return field;
}

static bool take_fields(char **at, char *fields[], int count) {
  for (int i = 0; i < count; i++)
    if (!(fields[i] = take_field(at)))
      return false;
  return true;
}

static bool read_result(char *const f[RESULT_FIELDS], HnOutcomeKey *key, HnResult *result) {
  key->variant = f[0];
  *result = (HnResult){.module_hash = strtoull(f[2], NULL, 16),
                       .gpu_ns = strtoull(f[3], NULL, 10),
                       .wall_us = strtoull(f[4], NULL, 10),
                       .message = *f[5] ? f[5] : NULL,
                       .case_hash = key->case_hash,
                       .recorded = true};
  return hn_outcome_find(f[1], &result->outcome);
}

/* Reads a line whose hash matches; skips what this version does not know. */
static bool visit_line(char *line, const HnVisitor *visitor) {
  char *at = line, *group[GROUP_FIELDS], *fields[RESULT_FIELDS];
  if (!take_fields(&at, group, 2))
    return true;
  if (strcmp(group[0], "artifacts") == 0)
    return !visitor->artifacts || visitor->artifacts(visitor->user, group[1]);
  if (!take_fields(&at, group + 2, GROUP_FIELDS - 2))
    return true;
  HnOutcomeKey key = {.setup_hash = strtoull(group[3], NULL, 16),
                      .case_hash = strtoull(group[4], NULL, 16)};
  while (take_fields(&at, fields, RESULT_FIELDS)) {
    HnResult result;
    if (read_result(fields, &key, &result) &&
        !(visitor->outcome(visitor->user, &key, &result) &&
          visitor->place(visitor->user, group[1], group[2], &key)))
      return false;
  }
  return true;
}

static bool is_whole(const char *line, size_t length) {
  char hash[HASH + 1];
  if (length <= HASH || line[HASH] != '\t')
    return false;
  snprintf(hash, sizeof hash, "%016" PRIx64, hash_of(line, length));
  return memcmp(hash, line, HASH) == 0;
}

static bool visit_lines(FILE *file, const HnVisitor *visitor, size_t *torn) {
  char *line = NULL;
  size_t room = 0;
  bool good = true;
  for (ssize_t n; good && (n = getline(&line, &room, file)) > 0;) {
    bool ended = line[n - 1] == '\n';
    line[n - ended] = 0;
    if (ended && is_whole(line, (size_t)(n - ended)))
      good = visit_line(line + HASH + 1, visitor);
    else
      ++*torn;
  }
  free(line);
  return good;
}

bool hn_log_read(const char *path, const HnVisitor *visitor, size_t *torn, char **message) {
  FILE *file = fopen(path, "r");
  if (!file)
    return hn_message_set(message, path, strerror(errno));
  bool good = is_log(fileno(file)) || hn_message_set(message, path, "is not a results file");
  if (good && fseek(file, HEADER, SEEK_SET) == 0) {
    errno = 0;
    good = visit_lines(file, visitor, torn);
    if (ferror(file))
      good = hn_message_set(message, path, strerror(errno));
  }
  fclose(file);
  return good;
}
