/* SPDX-License-Identifier: Apache-2.0 */
/* os_folder_windows: see os_folder.h. */
#include "passes/tool/os/os_folder.h"

#include <direct.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <windows.h>

enum { MOST_TRIES = 100 };

bool os_folder_make(const char *path) {
  return _mkdir(path) == 0;
}

/* Serial number of the volume and number of the file; false: there is no such folder. */
static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *about) {
  HANDLE folder = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  bool good = folder != INVALID_HANDLE_VALUE && GetFileInformationByHandle(folder, about);
  if (folder != INVALID_HANDLE_VALUE)
    CloseHandle(folder);
  return good;
}

bool os_folder_is_same(const char *left, const char *right) {
  BY_HANDLE_FILE_INFORMATION l, r;
  return identify(left, &l) && identify(right, &r) &&
         l.dwVolumeSerialNumber == r.dwVolumeSerialNumber && l.nFileIndexHigh == r.nFileIndexHigh &&
         l.nFileIndexLow == r.nFileIndexLow;
}

const char *os_folder_temporary(void) {
  static char path[MAX_PATH + 1];
  DWORD length = GetTempPathA(sizeof path, path);
  if (length == 0 || length >= sizeof path)
    return ".";
  path[length - 1] = 0; /* it ends in a separator */
  for (char *p = path; (p = strchr(p, '\\'));)
    *p = '/';
  return path;
}

bool os_folder_make_temporary(const char *prefix, char *path, size_t size) {
  for (unsigned i = 0; i < MOST_TRIES; i++) {
    int length = snprintf(path, size, "%s/%s-%lx-%x", os_folder_temporary(), prefix,
                          (unsigned long)GetCurrentProcessId(), i);
    if (length < 0 || (size_t)length >= size) {
      errno = ENAMETOOLONG;
      return false;
    }
    if (_mkdir(path) == 0)
      return true;
    if (errno != EEXIST)
      return false;
  }
  return false;
}

/* Temporary folders are a few levels deep. */
void os_folder_remove(const char *path) {
  size_t count;
  char **names = os_folder_list(path, &count);
  for (size_t i = 0; names && i < count; i++) {
    char *below;
    if (asprintf(&below, "%s/%s", path, names[i]) > 0) {
      if (unlink(below) != 0)
        os_folder_remove(below);
      free(below);
    }
    free(names[i]);
  }
  free(names);
  _rmdir(path);
}
