/* SPDX-License-Identifier: Apache-2.0 */
/* log: one line for each event, "spvreconv: ...", to a file or standard error. */
#ifndef LY_LOG_H
#define LY_LOG_H

/* The levels; settings.c has their names. */
typedef enum LyLevel {
  LY_QUIET,
  LY_ERROR, /* wrong settings, refused modules */
  LY_INFO,  /* the settings, changed modules */
  LY_DEBUG, /* all modules */
} LyLevel;

typedef struct LyLog {
  int fd;
  LyLevel level; /* the highest level that is written; LY_QUIET: nothing is */
} LyLog;

/* Appends to the file at `path`; to standard error if it is NULL or cannot be opened, or if it is a
 * pipe that no process reads. Neither opening nor writing waits: a line is lost if a pipe has no
 * room for it. The level of the log is LY_ERROR until it is set. */
LyLog ly_log_open(const char *path);
void ly_log_close(LyLog *log);
/* Writes the line with one call, so that lines of several threads and processes do not mix. */
void ly_log(const LyLog *log, LyLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
