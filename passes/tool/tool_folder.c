/* SPDX-License-Identifier: Apache-2.0 */
/* tool_folder: see tool_folder.h. */
#include "passes/tool/tool_folder.h"

#include "passes/tool/os/os_folder.h"
#include "passes/tool/tool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder on the way from the first one to where the visit is. */
typedef struct Level {
  char *path;
  char **names;
  size_t count, next;
} Level;

typedef struct Visit {
  const ToolFolderVisitor *visitor;
  size_t length; /* of the first folder's path */
  Level *levels;
  size_t depth;
} Visit;

/* Takes ownership of `path`. */
static bool push(Visit *v, char *path) {
  if ((v->depth & (v->depth - 1)) == 0) {
    Level *more = realloc(v->levels, (v->depth ? 2 * v->depth : 1) * sizeof *more);
    if (!more) {
      free(path);
      return v->visitor->failed(v->visitor->user, "");
    }
    v->levels = more;
  }
  Level *level = &v->levels[v->depth];
  *level = (Level){.path = path};
  level->names = os_folder_list(path, &level->count);
  if (level->names) {
    v->depth++;
    return true;
  }
  bool good = v->visitor->failed(v->visitor->user, path);
  free(path);
  return good;
}

static void pop(Visit *v) {
  Level *level = &v->levels[--v->depth];
  for (size_t i = 0; i < level->count; i++)
    free(level->names[i]);
  free(level->names);
  free(level->path);
}

/* Does a link lead from the folder to one that it is in? */
static bool is_cycle(const Visit *v, const char *path) {
  for (size_t i = 0; i < v->depth; i++)
    if (os_folder_is_same(v->levels[i].path, path))
      return true;
  return false;
}

/* Visits what the path names; takes ownership of it. */
static bool visit(Visit *v, char *path) {
  const ToolFolderVisitor *to = v->visitor;
  struct stat st;
  bool there = stat(path, &st) == 0, good = true;
  if (there && S_ISDIR(st.st_mode)) {
    if (!is_cycle(v, path) && (!to->enter || to->enter(to->user, path)))
      return push(v, path);
  } else if (there && S_ISREG(st.st_mode)) {
    good = to->file(to->user, path, path + v->length + strspn(path + v->length, "/"));
  }
  free(path);
  return good;
}

bool tool_folder_visit(const char *folder, const ToolFolderVisitor *visitor) {
  Visit v = {.visitor = visitor, .length = strlen(folder)};
  char *path = strdup(folder);
  struct stat st;
  if (!path || stat(folder, &st) != 0) {
    free(path);
    return visitor->failed(visitor->user, folder);
  }
  bool good = visit(&v, path);
  while (good && v.depth) {
    Level *level = &v.levels[v.depth - 1];
    if (level->next == level->count) {
      pop(&v);
      continue;
    }
    const char *slash = tool_has_suffix(level->path, "/") ? "" : "/";
    if (asprintf(&path, "%s%s%s", level->path, slash, level->names[level->next++]) < 0)
      good = visitor->failed(visitor->user, level->path);
    else
      good = visit(&v, path);
  }
  while (v.depth)
    pop(&v);
  free(v.levels);
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
