/* SPDX-License-Identifier: Apache-2.0 */
/* handles: see handles.h. Chained hashing; the table doubles when it is full. */
#include "harness/capture/handles.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

typedef struct CpHandle {
  uint64_t handle;
  void *record;
  struct CpHandle *next;
} CpHandle;

/* Fibonacci hashing: handles are often addresses, whose low bits are equal. */
static size_t chain_of(uint64_t handle, size_t room) {
  return (size_t)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
}

static CpHandle **place(const CpHandles *handles, uint64_t handle) {
  CpHandle **at = &handles->chains[chain_of(handle, handles->room)];
  while (*at && (*at)->handle != handle)
    at = &(*at)->next;
  return at;
}

static bool grow(CpHandles *handles) {
  size_t room = handles->room ? 2 * handles->room : FIRST_ROOM;
  CpHandle **chains = calloc(room, sizeof(CpHandle *));
  if (!chains)
    return false;
  for (size_t i = 0; i < handles->room; i++)
    for (CpHandle *at = handles->chains[i], *next; at; at = next) {
      CpHandle **chain = &chains[chain_of(at->handle, room)];
      next = at->next;
      at->next = *chain;
      *chain = at;
    }
  free(handles->chains);
  handles->chains = chains;
  handles->room = room;
  return true;
}

void *cp_handles_find(const CpHandles *handles, uint64_t handle) {
  CpHandle *found = handles->room ? *place(handles, handle) : NULL;
  return found ? found->record : NULL;
}

bool cp_handles_put(CpHandles *handles, uint64_t handle, void *record) {
  if (handles->count == handles->room && !grow(handles))
    return false;
  CpHandle *added = malloc(sizeof *added);
  if (!added)
    return false;
  CpHandle **chain = &handles->chains[chain_of(handle, handles->room)];
  *added = (CpHandle){handle, record, *chain};
  *chain = added;
  handles->count++;
  return true;
}

void *cp_handles_take(CpHandles *handles, uint64_t handle) {
  CpHandle **at = handles->room ? place(handles, handle) : NULL;
  if (!at || !*at)
    return NULL;
  CpHandle *taken = *at;
  void *record = taken->record;
  *at = taken->next;
  handles->count--;
  free(taken);
  return record;
}

void *cp_handles_take_if(CpHandles *handles, CpWanted *wanted, const void *user) {
  for (size_t i = 0; handles->count && i < handles->room; i++)
    for (CpHandle *at = handles->chains[i]; at; at = at->next)
      if (wanted(at->record, user))
        return cp_handles_take(handles, at->handle);
  return NULL;
}

void cp_handles_each(const CpHandles *handles, void (*visit)(void *record, void *user),
                     void *user) {
  for (size_t i = 0; i < handles->room; i++)
    for (CpHandle *at = handles->chains[i]; at; at = at->next)
      visit(at->record, user);
}

void cp_handles_free(CpHandles *handles) {
  free(handles->chains);
  *handles = (CpHandles){0};
}
