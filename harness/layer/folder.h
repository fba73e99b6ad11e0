/* folder: a folder of the user's that the layer writes files to, each under its name at once or not
 * at all, whatever other processes write there. */
#ifndef LY_FOLDER_H
#define LY_FOLDER_H

#include "layer/log.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/uio.h>

typedef struct LyFolder {
  int fd;               /* -1: there is none */
  const char *variable; /* that names it, for messages */
  const char *path;
  const LyLog *log;
  atomic_bool complained; /* the log has its line about what cannot be written here */
} LyFolder;

/* Makes the folder where it is missing (not those above it). `path` NULL: no folder. Where it
 * cannot be opened the log says so, and it is as if there were none. */
void ly_folder_open(LyFolder *folder, const char *variable, const char *path, const LyLog *log);
void ly_folder_close(LyFolder *folder);
/* Puts a file of these parts in the place of what `name` was. The first failure is logged. */
void ly_folder_put(LyFolder *folder, const char *name, const struct iovec *parts, int count);

#endif
