/* SPDX-License-Identifier: Apache-2.0 */
/* os_folder_list: see os_folder.h. */
#include "passes/tool/os/os_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds to an array whose room is a power of two. */
static bool add(char ***names, size_t *count, const char *name) {
  if ((*count & (*count - 1)) == 0) {
    char **more = realloc(*names, (*count ? 2 * *count : 1) * sizeof *more);
    if (!more)
      return false;
    *names = more;
  }
  (*names)[*count] = strdup(name);
  return (*names)[*count] && ++*count;
}

char **os_folder_list(const char *path, size_t *count) {
  DIR *folder = opendir(path);
  char **names = calloc(1, sizeof *names);
  bool good = folder && names;
  *count = 0;
  errno = folder ? 0 : errno;
  for (struct dirent *e; good && (e = readdir(folder));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      good = add(&names, count, e->d_name);
  int error = good ? errno : folder && !errno ? ENOMEM : errno;
  if (folder)
    closedir(folder);
  errno = error;
  if (good && !error) {
    qsort(names, *count, sizeof *names, by_name);
    return names;
  }
  while (*count)
    free(names[--*count]);
  free(names);
  errno = error;
  return NULL;
}
