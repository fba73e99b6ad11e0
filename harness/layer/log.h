/* SPDX-License-Identifier: Apache-2.0 */
/* log: one line for each error, "spvreconv: ...", to a file or standard error. */
#ifndef LY_LOG_H
#define LY_LOG_H

typedef struct LyLog {
  int fd;
} LyLog;

/* Appends to the file at `path`; to standard error if it is NULL or cannot be opened. */
LyLog ly_log_open(const char *path);
void ly_log_close(LyLog *log);
/* Writes the line with one call, so that lines of several threads and processes do not mix. */
void ly_log(const LyLog *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
