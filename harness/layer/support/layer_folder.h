/* SPDX-License-Identifier: Apache-2.0 */
/* layer_folder: a user's folder to which the layer writes files. Each appears atomically under its
 * name, whatever other processes write there. */
#ifndef LY_LAYER_FOLDER_H
#define LY_LAYER_FOLDER_H

#include "harness/layer/support/log.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/uio.h>

typedef struct LyFolder {
  int fd;               /* -1: no folder */
  const char *variable; /* of the environment, for messages */
  const char *path;
  const LyLog *log;
  atomic_bool complained; /* a failure to write here has been logged */
} LyFolder;

/* Creates the folder if it does not exist (but not its parents). `path` NULL: no folder. If it
 * cannot be opened, the log has a line, and there is no folder. */
void ly_folder_open(LyFolder *folder, const char *variable, const char *path, const LyLog *log);
void ly_folder_close(LyFolder *folder);
/* Writes a file of these parts, replacing `name`; pages of zeros take no room. The first failure is logged.
 * False: it was not written. */
bool ly_folder_put(LyFolder *folder, const char *name, const struct iovec *parts, int count);

#endif
