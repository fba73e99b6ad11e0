/* SPDX-License-Identifier: Apache-2.0 */
/* handles: a table from Vulkan handles to the records that the capture keeps about the objects. */
#ifndef CP_HANDLES_H
#define CP_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An empty table is all zero. Not thread-safe. */
typedef struct CpHandles {
  struct CpHandle **chains; /* `room` of them; a power of two */
  size_t count, room;
} CpHandles;

/* NULL: unknown handle. */
void *cp_handles_find(const CpHandles *handles, uint64_t handle);
/* Adds a record. Returns false if out of memory. The handle must not be in the table. */
bool cp_handles_put(CpHandles *handles, uint64_t handle, void *record);
/* Removes a record and returns it; NULL: unknown handle. */
void *cp_handles_take(CpHandles *handles, uint64_t handle);
/* Removes a record for which `wanted` is true, and returns it; NULL: there is none. */
typedef bool CpWanted(const void *record, const void *user);
void *cp_handles_take_if(CpHandles *handles, CpWanted *wanted, const void *user);
/* Calls `visit` for each record; it must not change the table. */
void cp_handles_each(const CpHandles *handles, void (*visit)(void *record, void *user), void *user);
/* Frees the table, which must be empty. */
void cp_handles_free(CpHandles *handles);

/* The handle of any object as a number. */
#define CP_HANDLE(object) ((uint64_t)(object))

#endif
