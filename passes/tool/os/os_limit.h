/* SPDX-License-Identifier: Apache-2.0 */
/* os_limit: limits of the process's memory and processor time. */
#ifndef OS_LIMIT_H
#define OS_LIMIT_H

#include <stdint.h>

/* Limits memory, unless a lower limit is set already: malloc then returns NULL, and C++'s new, in SPIRV-Tools, calls
 * `reached`, which does not return. */
void os_limit_memory(uint64_t mib, void (*reached)(void));
/* Calls `reached`, which does not return, once the process has used `seconds` more seconds of
 * processor time. It may make only the calls that a signal's handler may make. 0: no longer. */
void os_limit_time(uint64_t seconds, void (*reached)(void));

#endif
