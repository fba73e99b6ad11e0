/* SPDX-License-Identifier: Apache-2.0 */
/* log: see log.h. */
#include "harness/layer/support/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_ROOM = 1024 };

static bool is_pipe(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

LyLog ly_log_open(const char *path) {
  LyLog log = {STDERR_FILENO, LY_ERROR};
  if (!path)
    return log;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (fd < 0)
    ly_log(&log, LY_ERROR, "SPVRECONV_LOG: %s: %s; standard error is used", path,
           errno == ENXIO && is_pipe(path) ? "no process reads this pipe" : strerror(errno));
  else
    log.fd = fd;
  return log;
}

void ly_log_close(LyLog *log) {
  if (log->fd != STDERR_FILENO)
    close(log->fd);
  log->fd = STDERR_FILENO;
}

/* Writes with SIGPIPE blocked, because the signal of a pipe without a reader would end the
 * application. */
static void write_quietly(int fd, const char *line, size_t length) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  ssize_t written;
  do
    written = write(fd, line, length);
  while (written < 0 && errno == EINTR);
  if (written < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
    sigtimedwait(&pipe, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ly_log(const LyLog *log, LyLevel level, const char *format, ...) {
  if (level > log->level)
    return;
  char line[LINE_ROOM] = "spvreconv: ";
  size_t prefix = strlen(line), room = sizeof line - prefix - 1;
  va_list list;
  va_start(list, format);
  int wanted = vsnprintf(line + prefix, room, format, list);
  va_end(list);
  if (wanted < 0)
    return;
  size_t length = prefix + ((size_t)wanted < room ? (size_t)wanted : room - 1);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)line[i] < ' ')
      line[i] = ' ';
  line[length] = '\n';
  int saved = errno;
  write_quietly(log->fd, line, length + 1);
  errno = saved;
}
