/* SPDX-License-Identifier: Apache-2.0 */
/* scratch: see scratch.h. */
#include "harness/run/scratch.h"

#include "passes/tool/os/os_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char variable[] = "TMPDIR", prefix[] = "spv-harness-run-";
enum { YOUNG = 60 }; /* seconds; a younger folder may be about to be locked by another run */

/* Opens and locks the folder; -1: another process has it, or it cannot be locked. */
static int lock_folder(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

/* Is it an old folder of this user? */
static bool is_old(const char *folder) {
  struct stat st;
  return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         time(NULL) - st.st_mtime > YOUNG;
}

/* Removes what runs that were killed left next to the new folder. */
static void remove_stale(const char *folder) {
  const char *slash = strrchr(folder, '/');
  char *parent = strndup(folder, (size_t)(slash - folder)), *path;
  DIR *all = parent ? opendir(parent) : NULL;
  for (struct dirent *entry; all && (entry = readdir(all));) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
        asprintf(&path, "%s/%s", parent, entry->d_name) < 0)
      continue;
    int fd = is_old(path) ? lock_folder(path) : -1;
    if (fd >= 0) {
      os_folder_remove(path);
      close(fd);
    }
    free(path);
  }
  if (all)
    closedir(all);
  free(parent);
}

void hn_scratch_open(HnScratch *s) {
  const char *before = getenv(variable);
  s->before = before ? strdup(before) : NULL;
  if ((before && !s->before) ||
      !os_folder_make_temporary("spv-harness-run", s->folder, sizeof s->folder))
    *s->folder = 0;
  s->lock = *s->folder ? lock_folder(s->folder) : -1;
  if (!*s->folder)
    return;
  setenv(variable, s->folder, 1);
  remove_stale(s->folder);
}

void hn_scratch_close(HnScratch *s) {
  if (*s->folder) {
    os_folder_remove(s->folder);
    if (s->lock >= 0)
      close(s->lock);
    if (s->before)
      setenv(variable, s->before, 1);
    else
      unsetenv(variable);
  }
  free(s->before);
}
