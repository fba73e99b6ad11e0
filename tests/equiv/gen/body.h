/* SPDX-License-Identifier: Apache-2.0 */
/* body: a generated function while it is written. Blocks are filled in reverse post-order, so that
 * values are defined before their uses; phis get their operands when all blocks are filled. */
#ifndef EQUIV_BODY_H
#define EQUIV_BODY_H

#include "tests/equiv/world.h"

typedef enum Kind {
  KIND_U32,
  KIND_BOOL,
  KIND_U8, /* this kind and the following up to KIND_MIX need World.wide */
  KIND_U16,
  KIND_U64,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_F32,
  KIND_F16,
  KIND_MIX, /* a struct of narrow members */
  KIND_VEC,
  KIND_STRUCT,
  KIND_ARRAY,
  KIND_RECORD_PTR, /* pointers into the output buffer */
  KIND_VEC_PTR,
  KIND_U32_PTR,
  KIND_LOCAL_PTR, /* into the local array */
  KIND_IMAGE,     /* handles, which need World.handles */
  KIND_SAMPLER,
  KIND_WILD, /* a float of any bits, NaN too; this kind and the following need World.rich */
  KIND_MATRIX,
  KIND_FLOAT_PTR, /* into the output buffer, as another variable */
  KIND_SHARED_PTR,
  KIND_PRIVATE_PTR,
  KINDS
} Kind;

typedef struct Value {
  uint32_t id;
  Kind kind;
  bool live; /* counted as used across the boundary of a cycle */
} Value;

enum { PHI_CONSTANTS = 6 };

typedef struct Phi {
  uint32_t block, id;
  Kind kind;
  uint32_t step;   /* of a counter: the id of its value + 1, computed in the block itself; 0: an
                      ordinary phi */
  uint32_t twin;   /* 1 + number of the phi that it copies, or 0 */
  bool changed;    /* one operand differs from that of the phi it copies */
  size_t operands; /* the first in Body.operands, one for each predecessor */
  /* The constants that most of its edges carry, if any. */
  uint32_t constant[PHI_CONSTANTS], constants;
  bool steers; /* half of the operands are constants, the others phis of the predecessors */
} Phi;

/* An integer type, by sign and width 8 << width, and a mask on all literals of a switch over it. */
typedef struct Selector {
  unsigned sign, width;
  uint64_t mask;
} Selector;

/* A switch while it is written. */
typedef struct Switch {
  Selector type;
  uint32_t value; /* its selector */
} Switch;

/* How a branch on a cycle is kept from looping forever. */
typedef enum Control {
  CONTROL_FREE, /* no path returns here once the fuel is used up */
  CONTROL_FUEL, /* takes the exit slot once the fuel is used up */
  CONTROL_COUNTER
} Control;

typedef struct Body {
  World *w;
  const Graph *g;
  GraphFacts f;
  uint32_t callees; /* helpers from this one on may be called */
  bool is_main;
  uint32_t function, params[2];
  uint32_t state, fuel, locals, aggregate; /* variables or pointer parameters */
  uint32_t vector, idle, flag; /* variables of GenOptions.rich; `idle`: never read; `flag`:
                                  only constants are stored to it */
  uint32_t gid, uniform[2];
  uint32_t now;    /* the block being filled */
  uint32_t ballot; /* the block with the only ballot, GRAPH_NONE: there is none */
  uint32_t *label;
  Control *control;
  Value *value;
  uint32_t value_count, value_capacity;
  uint32_t *value_first, *value_last; /* of a block */
  Phi *phi;
  uint32_t phi_count, phi_capacity;
  EmitWords words, operands;
  size_t *start, *tail, *end;     /* by block, in words: where it starts, where its branch with its
                                     condition starts, its end */
  uint32_t *passed, passed_count; /* variables for arguments that no call has used yet */
  struct Twins *twins;
  uint32_t *pred_at, *pred; /* distinct predecessors of every block, as lists in one array */
} Body;

uint32_t body_type(const Body *b, Kind kind);
uint32_t body_add(Body *b, Kind kind, uint32_t id);
/* A value that dominates the end of `block` (its start if that is the block being filled). */
uint32_t body_pick(Body *b, uint32_t block, Kind kind);
uint32_t body_result(Body *b, uint32_t opcode, uint32_t type, uint32_t x, uint32_t y);
uint32_t body_load(Body *b, uint32_t type, uint32_t pointer);
uint32_t body_chain(Body *b, uint32_t type, uint32_t base, uint32_t index);
uint32_t body_masked(Body *b, uint32_t mask); /* some u32 & mask */
uint32_t body_invocation(Body *b);            /* its number */
uint32_t body_uniform(Body *b); /* a u32 that is the same for all invocations, loaded here */

/* values.c */
void body_entry_values(Body *b);
void body_random_values(Body *b);
/* wide.c */
Kind body_int_kind(unsigned sign, unsigned width);
bool body_is_int(Kind kind, unsigned *sign, unsigned *width);
uint32_t body_convert(Body *b, uint32_t x, unsigned sign, unsigned width); /* from u32 */
uint32_t body_observe(Body *b, Kind kind, uint32_t x); /* a u32 that depends on it */
void body_wide_values(Body *b);
void body_wide_entry_values(Body *b);
/* calls.c */
void calls_begin(World *w); /* the types and ids of the functions that many blocks call */
void calls_write(World *w); /* these functions */
void body_passed_variables(Body *b);
void body_calls(Body *b);
/* effects.c */
void body_effects(Body *b);
/* control.c */
void body_classify(Body *b);
void body_terminator(Body *b);
void body_merge(Body *b); /* the block's merge instruction, if it has one */
bool body_wants_uniform(Body *b);
uint32_t body_subject(Body *b, bool uniform); /* a number for a condition */
uint32_t body_burn(Body *b);                  /* is the fuel used up? Uses one unit. */
/* switch.c */
Switch body_switch(Body *b);
void body_switch_words(Body *b, const Switch *s);
uint32_t body_test(Body *b); /* a condition: constants carried to a comparison */
/* function.c: */
Phi *body_phi(Body *b, uint32_t block, Kind kind);
/* The phi's operand for that predecessor, if already chosen; else 0. */
uint32_t body_operand(const Body *b, const Phi *p, uint32_t from);
/* Writes the function; the number of helpers so far bounds what it may call. */
void body_write(World *w, const Graph *g, uint32_t function, uint32_t callees, bool is_main);

#endif
