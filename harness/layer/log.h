/* log: one line for each thing that went wrong, "spvreconv: ...", to a file or standard error. */
#ifndef LY_LOG_H
#define LY_LOG_H

typedef struct LyLog {
  int fd;
} LyLog;

/* Appends to the file at `path`; to standard error where that is NULL or cannot be opened. */
LyLog ly_log_open(const char *path);
void ly_log_close(LyLog *log);
/* One write for the whole line, so that lines of several threads and processes do not mix. */
void ly_log(const LyLog *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
