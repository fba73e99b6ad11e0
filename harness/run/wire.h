/* wire: what a child tells its parent, over a pipe: records of a fixed head and a short text, each
 * small enough to be written at once, so a child that dies leaves no half record behind. */
#ifndef HN_WIRE_H
#define HN_WIRE_H

#include "results/result.h"

#include <stdbool.h>
#include <stdint.h>

enum { HN_WIRE_TEXT = 2000 };

typedef enum HnWireKind {
  HN_WIRE_WARM,   /* glslang's tables `table` are needed: later children find them in the parent */
  HN_WIRE_START,  /* variant `variant` begins */
  HN_WIRE_RESULT, /* it has ended */
  HN_WIRE_RECORDED, /* it ended so in an earlier run */
} HnWireKind;

typedef struct HnWire {
  uint32_t kind, variant, outcome, table;
  uint64_t gpu_ns, wall_us, case_hash, module_hash;
  uint32_t text_size;
  char text[HN_WIRE_TEXT]; /* the message; not terminated */
} HnWire;

bool hn_wire_write(int fd, const HnWire *record);

/* Bytes read and not yet used. */
typedef struct HnWireReader {
  char bytes[4 * sizeof(HnWire)];
  size_t count;
} HnWireReader;

/* Reads what there is; false: the end, or an error. */
bool hn_wire_fill(HnWireReader *reader, int fd);
/* Takes the next whole record; false: there is none yet. */
bool hn_wire_take(HnWireReader *reader, HnWire *record);

/* The record of a result, and back; the message is cut to what fits. */
HnWire hn_wire_result(HnWireKind kind, uint32_t variant, const HnResult *result);
HnResult hn_wire_to_result(const HnWire *record);

#endif
