/* SPDX-License-Identifier: Apache-2.0 */
/* wire: the records that a child sends its parent over a pipe: a fixed head and a short text. A
 * record is small enough for one atomic write, so a child that dies leaves no partial record. */
#ifndef HN_WIRE_H
#define HN_WIRE_H

#include "harness/results/variant_result.h"

#include <stdbool.h>
#include <stdint.h>

enum { HN_WIRE_TEXT = 2000 };

typedef enum HnWireKind {
  HN_WIRE_WARM, /* glslang's tables `table` are needed; the parent builds them for later children */
  HN_WIRE_START,    /* variant `variant` begins */
  HN_WIRE_RESULT,   /* the variant has ended */
  HN_WIRE_RECORDED, /* the variant's result comes from an earlier run */
} HnWireKind;

typedef struct HnWire {
  uint32_t kind, variant, outcome, table;
  uint64_t gpu_ns, wall_us, case_hash, module_hash;
  uint32_t text_size;
  char text[HN_WIRE_TEXT]; /* the message; not terminated */
} HnWire;

bool hn_wire_write(int fd, const HnWire *record);

/* Bytes read but not yet decoded. */
typedef struct HnWireReader {
  char bytes[4 * sizeof(HnWire)];
  size_t count;
} HnWireReader;

/* Reads what is available; false: the end, or an error. */
bool hn_wire_fill(HnWireReader *reader, int fd);
/* Takes the next complete record; false: none yet. */
bool hn_wire_take(HnWireReader *reader, HnWire *record);

/* Convert a result to a record and back; the message is cut to fit. */
HnWire hn_wire_result(HnWireKind kind, uint32_t variant, const HnResult *result);
HnResult hn_wire_to_result(const HnWire *record);

#endif
