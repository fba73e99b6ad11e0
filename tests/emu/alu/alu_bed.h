/* SPDX-License-Identifier: Apache-2.0 */
/* alu_bed: runs one handler of the lane engine on rows of edge values and random bits, with every
 * instruction set of the machine; the results must agree. Each lane is 64 bits here. */
#ifndef ALU_BED_H
#define ALU_BED_H

#include "spv-emu/alu/isa.h"
#include "spv-emu/engine/step.h"
#include "tests/unit/unit.h"

enum { ALU_LANES = 2 * EMU_CHUNK };

typedef struct AluBed {
  uint64_t seed;
  uint64_t a[ALU_LANES], b[ALU_LANES], c[ALU_LANES], d[ALU_LANES];
} AluBed;

/* Looks up a handler of an instruction set. */
typedef EmuHandler *AluFind(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to);
EmuHandler *alu_core(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to);
EmuHandler *alu_glsl(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to);
EmuHandler *alu_opencl(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to);
EmuHandler *alu_convert(const EmuIsa *isa, uint32_t op, EmuKind from, EmuKind to);

/* The kinds of the result and the operands; EMU_KINDS: there is no such operand. */
typedef struct AluKinds {
  EmuKind d, a, b, c;
} AluKinds;

uint64_t alu_random(AluBed *bed);
/* Fills lanes with bits of that kind, many of them special. */
void alu_fill(AluBed *bed, uint64_t *lanes, EmuKind kind);
/* d = handler(a, b, c) with every instruction set; fails if they differ (NaN equals NaN). The
 * handler for (from = kinds.a, to = kinds.d) must exist. */
void alu_run(AluBed *bed, AluFind *find, uint32_t op, AluKinds kinds, uint32_t x);
/* Fails, with the operands, unless lane l of `d` is `expected`. */
void alu_expect(const AluBed *bed, uint32_t op, EmuKind kind, uint32_t l, uint64_t expected);

/* The low bits, as many as the kind has: sign-extended, and zero-extended. */
int64_t alu_signed(uint64_t bits, EmuKind kind);
uint64_t alu_cut(uint64_t bits, EmuKind kind);
/* The number that a float's bits represent. The bits of a number, rounded once, in the mode of
 * fegetround. */
double alu_real(uint64_t bits, EmuKind kind);
uint64_t alu_real_bits(long double value, EmuKind kind);
bool alu_is_nan(uint64_t bits, EmuKind kind);

#endif
