/* SPDX-License-Identifier: Apache-2.0 */
/* oracle_decode: the module as the oracle (oracle.c) runs it.
 *
 * Every value is a row of cells, one for each scalar. Each id of a function has a fixed place in
 * that function's frame, each constant in the constant pool. A pointer is (object, cell). Types are
 * laid out cell by cell, without byte offsets; runtime arrays have ORACLE_RUNTIME_LENGTH
 * elements. */
#ifndef EQUIV_ORACLE_DECODE_H
#define EQUIV_ORACLE_DECODE_H

#include "tests/equiv/oracle.h"

#include <setjmp.h>

enum { ORACLE_RUNTIME_LENGTH = 64 };

typedef struct Cell {
  uint64_t v;
  bool poison;
} Cell;

/* The definition of an id. */
typedef struct Def {
  uint32_t at;   /* word offset of the defining instruction; 0: none */
  uint32_t type; /* result type */
  uint32_t size; /* of a type: cells */
  uint32_t slot; /* of a value: first cell in the frame or the pool */
  bool pooled;
  bool precise;     /* decorated NoContraction */
  uint32_t binding; /* 1 + a variable's binding, or 0 */
} Def;

typedef struct Object {
  uint32_t variable, first, count;
} Object;

typedef struct Frame {
  uint32_t function, base, size; /* value cells */
  uint32_t objects, memory;      /* their counts at the call, restored by the return */
  uint32_t pc, label, result;    /* of the caller, to continue there */
} Frame;

typedef struct Cells {
  Cell *data;
  uint32_t count, capacity;
} Cells;

typedef struct Oracle {
  const uint32_t *w;
  size_t count;
  uint32_t bound, old_bound, entry; /* old_bound: ids from it on were added by a transform */
  Def *def;
  Cells pool, values, memory, scratch;
  Object *object;
  uint32_t object_count, object_capacity;
  Frame *frame;
  uint32_t frame_count, frame_capacity;
  uint32_t *frame_size; /* of a function, by id */
  uint32_t pc, label, previous, invocation;
  uint64_t trace, effects, stores, limit;
  OracleResult *result;
  OracleMemory *kept; /* NULL: not wanted */
  jmp_buf out;
} Oracle;

/* Ends the run with a message that says where. */
_Noreturn void oracle_fail(Oracle *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds poisoned cells; returns the first. */
uint32_t oracle_grow(Cells *c, uint32_t count);

uint32_t oracle_opcode_at(const Oracle *o, uint32_t at);
uint32_t oracle_length_at(const Oracle *o, uint32_t at);
Def *oracle_def(Oracle *o, uint32_t id);
const uint32_t *oracle_type_words(Oracle *o, uint32_t type);
/* Bits of a scalar, or of a vector's components. */
unsigned oracle_scalar_width(Oracle *o, uint32_t type);
/* Elements of an array or vector. */
uint32_t oracle_array_length(Oracle *o, uint32_t type);
uint64_t oracle_mask_to(unsigned width, uint64_t v);
/* A variable's object, of `size` poisoned cells; returns its index. */
uint32_t oracle_new_object(Oracle *o, uint32_t variable, uint32_t size);
uint32_t oracle_pointee(Oracle *o, uint32_t pointer_type);
uint64_t oracle_pointer_to(uint32_t object, uint32_t cell);

/* Decodes the module: definitions, constants, variables, frames. The values of OpSpecConstantOp
 * are left to be computed. Variables with the same binding share their memory. */
void oracle_decode(Oracle *o);

#endif
