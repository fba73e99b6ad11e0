/* SPDX-License-Identifier: Apache-2.0 */
/* os_map for Windows: see os_map.h. An empty file cannot be mapped there, so it gets a byte of memory. */
#include "passes/tool/os/os_map.h"

#include <errno.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

bool os_map(int fd, size_t size, uint8_t **bytes) {
  if (!size) {
    *bytes = malloc(1);
    return *bytes != NULL;
  }
  HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(fd), NULL, PAGE_WRITECOPY, 0, 0, NULL);
  *bytes = mapping ? MapViewOfFile(mapping, FILE_MAP_COPY, 0, 0, size) : NULL;
  if (mapping)
    CloseHandle(mapping); /* the view keeps it */
  if (!*bytes)
    errno = ENOMEM;
  return *bytes != NULL;
}

void os_unmap(void *bytes, size_t size) {
  if (size)
    UnmapViewOfFile(bytes);
  else
    free(bytes);
}
