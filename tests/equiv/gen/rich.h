/* SPDX-License-Identifier: Apache-2.0 */
/* rich: what GenOptions.rich adds to a generated module, in three files.
 *
 *   rich    what the module declares; decorations and controls: NonUniform, RelaxedPrecision,
 *           Aliased, Restrict; inline hints; loop controls with operands; specialization constants
 *   places  what happens in memory: pointers in phis and selects, OpPtrAccessChain, OpCopyMemory,
 *           compare-exchange, extended instructions with pointers; variables in Private, Workgroup,
 *           and of a vector; a second variable of the output buffer, with floats
 *   forms   values: matrices, floats of any bits (NaN, too), dynamic inserts, notes (non-semantic
 *           instructions)
 *   handed  functions whose parameters are descriptors
 *
 * Each invocation only accesses its own record and its own slot of the Workgroup array. */
#ifndef EQUIV_RICH_H
#define EQUIV_RICH_H

#include "tests/equiv/gen/body.h"

enum {
  RICH_LANES = 1000, /* invocations of a workgroup, at most */
  RICH_SLOT = 4      /* words of each in the Workgroup array */
};

/* rich.c */
void rich_capabilities(World *w);
void rich_begin(World *w);
/* The variables of the entry point's interface; returns their number. */
uint32_t rich_interface(const World *w, uint32_t *id);
void rich_entry_values(Body *b);
void rich_values(Body *b);
/* A kind that a phi may have besides those of all modules. */
Kind rich_phi_kind(Body *b);
uint32_t rich_observe(Body *b, Kind kind, uint32_t x); /* as body_observe */
/* Perhaps decorates a value; a pointer is only NonUniform. */
void rich_decorate(Body *b, uint32_t id, bool pointer);
uint32_t rich_function_control(Body *b);
void rich_loop_merge(Body *b, uint32_t merge, uint32_t cont);
void rich_kill(Body *b); /* ends the invocation */
void rich_unreachable(Body *b);

/* places.c */
void places_begin(World *w);
void places_entry(Body *b);
void places_cook(Body *b);          /* one random recipe */
uint32_t places_test_flag(Body *b); /* a condition that undispatch may know */
void places_store_part(Body *b, uint32_t vector, uint32_t value);

/* forms.c */
void forms_entry(Body *b);
void forms_cook(Body *b);
/* Adds a float of these bits and of one that keeps it from being denormal. */
void forms_add_wild(Body *b, uint32_t bits);
/* A float that any format holds exactly: 0 to 31. */
uint32_t forms_small(Body *b);
uint32_t forms_unary(Body *b, uint32_t opcode, uint32_t type, uint32_t x);

/* handed.c */
void handed_begin(World *w);
void handed_write(World *w);
void handed_call(Body *b);

#endif
