/* SPDX-License-Identifier: Apache-2.0 */
/* tool_folder: the files below a folder. */
#ifndef TOOL_FOLDER_H
#define TOOL_FOLDER_H

#include <stdbool.h>

typedef struct ToolFolderVisitor {
  /* Visits a regular file; `below`: its path relative to the folder. False: the visit ends here. */
  bool (*file)(void *user, const char *path, const char *below);
  /* Is this inner folder to be visited? NULL: all are. */
  bool (*enter)(void *user, const char *path);
  /* The path cannot be read, errno says why. False: the visit ends here. */
  bool (*failed)(void *user, const char *path);
  void *user;
} ToolFolderVisitor;

/* Visits the files below the folder in the order of their names; links are followed. False: one of
 * the visitor's functions ended the visit. */
bool tool_folder_visit(const char *folder, const ToolFolderVisitor *visitor);

/* Is the path that of a folder, or of a link to one? */
bool tool_is_folder(const char *path);

/* Is the file a module, by its name or its first word? */
bool tool_is_module(const char *path);

#endif
