/* SPDX-License-Identifier: Apache-2.0 */
/* new_text: the declarations and EXPECTs of a new case as AmberScript. */
#ifndef HN_NEW_TEXT_H
#define HN_NEW_TEXT_H

#include "harness/trial/numbers.h"
#include "harness/trial/trial.h"

#include <stdio.h>

/* A buffer, an image, or the push constants. */
typedef struct HnNewBuffer {
  const spv_emu_binding *binding; /* NULL: push constants */
  const spv_emu_shape *shape;
  uint32_t element;                   /* of an array of descriptors */
  uint32_t index;                     /* in the contents' options; of push constants 0 */
  const EmuValues *values;            /* the initial contents */
  const uint8_t *after[HN_TRIAL_ALL]; /* NULL: that run failed */
  char name[64];                      /* in the case */
} HnNewBuffer;

/* The property of the buffer that AmberScript cannot express; NULL: there is none. */
const char *hn_new_obstacle(const HnNewBuffer *buffer);
EmuTypedNumbers hn_new_numbers(const HnNewBuffer *buffer);
/* The bytes of a buffer up to the last number of its type; of a run-time array, of no element. */
uint64_t hn_new_least(const HnNewBuffer *buffer);
/* Writes a space and the number; 32-bit floats in the shortest form. */
void hn_new_number(FILE *out, const EmuField *field, const uint8_t *bytes);
/* Writes the BUFFER or IMAGE, and before it the STRUCTs that it needs. */
void hn_new_declare(FILE *out, const HnNewBuffer *buffer);

/* new_expect.c: writes what the case expects of a buffer that the shader may write: the numbers on
 * which all runs agree, and in comments why others are left out. */
void hn_new_expect(FILE *out, const HnNewBuffer *buffer);

#endif
