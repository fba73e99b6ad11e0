/* SPDX-License-Identifier: Apache-2.0 */
/* cli_folder: the files below a folder. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct CliFolderVisitor {
  /* A regular file; `below`: its path from the folder on. False: end here. */
  bool (*file)(void *user, const char *path, const char *below);
  /* A folder below; false: leave it out. NULL: none is left out. */
  bool (*enter)(void *user, const struct stat *folder);
  /* It cannot be read, errno says why; false: end here. */
  bool (*failed)(void *user, const char *path);
  void *user;
} CliFolderVisitor;

/* Visits them in the order of their names; links are followed. False: a visit ended it. */
bool cli_folder_visit(const char *folder, const CliFolderVisitor *visitor);

/* Is the file a module, by its name or its first word? */
bool cli_is_module(const char *path);

#endif
