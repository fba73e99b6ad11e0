/* SPDX-License-Identifier: Apache-2.0 */
/* tool_folder: see tool_folder.h. */
#include "passes/tool/tool_folder.h"

#include "passes/tool/tool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <unistd.h>

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool visit(FTS *fts, FTSENT *e, size_t length, const ToolFolderVisitor *v) {
  switch (e->fts_info) {
  case FTS_D:
    if (v->enter && !v->enter(v->user, e->fts_statp))
      fts_set(fts, e, FTS_SKIP);
    return true;
  case FTS_DNR:
  case FTS_ERR:
  case FTS_NS:
    errno = e->fts_errno;
    return v->failed(v->user, e->fts_path);
  case FTS_F:
    return v->file(v->user, e->fts_path, e->fts_path + length + strspn(e->fts_path + length, "/"));
  default:
    return true;
  }
}

bool tool_folder_visit(const char *folder, const ToolFolderVisitor *v) {
  char *paths[] = {(char *)folder, NULL};
  FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name);
  bool good = true;
  if (!fts)
    return v->failed(v->user, folder);
  for (FTSENT *e; good && (e = fts_read(fts));)
    good = visit(fts, e, strlen(folder), v);
  fts_close(fts);
  return good;
}

bool tool_is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool tool_is_module(const char *path) {
  char word[4] = {0};
  if (tool_has_suffix(path, ".spv") || tool_has_suffix(path, ".spvasm"))
    return true;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, word, sizeof word) : 0;
  if (fd >= 0)
    close(fd);
  return n == sizeof word && tool_is_magic(word);
}
