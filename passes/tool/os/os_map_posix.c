/* SPDX-License-Identifier: Apache-2.0 */
/* os_map for POSIX: see os_map.h. */
#include "passes/tool/os/os_map.h"

#include <sys/mman.h>

/* Nothing cannot be mapped. */
static size_t at_least_one(size_t size) {
  return size ? size : 1;
}

bool os_map(int fd, size_t size, uint8_t **bytes) {
  void *mapped = mmap(NULL, at_least_one(size), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  *bytes = mapped;
  return mapped != MAP_FAILED;
}

void os_unmap(void *bytes, size_t size) {
  munmap(bytes, at_least_one(size));
}
