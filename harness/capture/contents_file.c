/* SPDX-License-Identifier: Apache-2.0 */
/* contents_file: see contents_file.h. */
#include "harness/capture/contents_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_zero(const uint8_t *bytes, size_t size) {
  return !size || (!bytes[0] && memcmp(bytes, bytes + 1, size - 1) == 0);
}

bool cp_file_put(LyFolder *folder, const uint8_t *bytes, size_t size, const char *suffix,
                 CpFile *file) {
  *file = (CpFile){.zero = is_zero(bytes, size)};
  if (file->zero)
    return true;
  char hash[LY_HASH_TEXT];
  struct stat there;
  ly_hash_print(ly_hash(bytes, size), hash);
  snprintf(file->name, sizeof file->name, "%s%s", hash, suffix);
  if (fstatat(folder->fd, file->name, &there, 0) == 0 && (size_t)there.st_size == size)
    return true;
  struct iovec part = {(void *)(uintptr_t)bytes, size};
  file->made = ly_folder_put(folder, file->name, &part, 1);
  return file->made;
}
