/* SPDX-License-Identifier: Apache-2.0 */
/* new_text: the declarations and EXPECTs of a new case as AmberScript. */
#ifndef HN_NEW_TEXT_H
#define HN_NEW_TEXT_H

#include "cases/guess.h"

#include <stdio.h>

enum { HN_NEW_RUNS = 6 }; /* of the emulator */

/* A buffer, an image, or the push constants. */
typedef struct HnNewBuffer {
  const spv_emu_binding *binding; /* NULL: push constants */
  const spv_emu_shape *shape;
  uint32_t element;            /* of an array of descriptors */
  const EmuValues *values;     /* the initial contents */
  uint8_t *after[HN_NEW_RUNS]; /* NULL: that run failed */
  char name[64];               /* in the case */
} HnNewBuffer;

/* What the buffer has that AmberScript cannot express; NULL: nothing. */
const char *hn_new_obstacle(const HnNewBuffer *buffer);
/* BUFFER or IMAGE, and the STRUCTs that it needs. */
void hn_new_declare(FILE *out, const HnNewBuffer *buffer);
/* Does any run change it? */
bool hn_new_changes(const HnNewBuffer *buffer);
/* The EXPECTs of what all runs agree on. Returns how many numbers are left out. */
uint64_t hn_new_expect(FILE *out, const HnNewBuffer *buffer);

#endif
