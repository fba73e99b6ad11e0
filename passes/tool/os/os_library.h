/* SPDX-License-Identifier: Apache-2.0 */
/* os_library: libraries that may not be installed, opened when they are needed. */
#ifndef OS_LIBRARY_H
#define OS_LIBRARY_H

/* A function of the shared library `file`; NULL: it is not there. *library is the library, opened first if it is NULL;
 * it remains open. */
void *os_library_function(void **library, const char *file, const char *name);

#endif
