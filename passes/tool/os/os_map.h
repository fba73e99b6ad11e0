/* SPDX-License-Identifier: Apache-2.0 */
/* os_map: private mappings of files: the contents may be changed, without effect on the file. */
#ifndef OS_MAP_H
#define OS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps the first `size` bytes of an open file, which may then be closed. False, with errno: it fails. */
bool os_map(int fd, size_t size, uint8_t **bytes);
void os_unmap(void *bytes, size_t size);

#endif
