/* SPDX-License-Identifier: Apache-2.0 */
/* alu: how handlers of the lane engine are written.
 *
 * alu_*.c are compiled once for each instruction set of the host (EMU_ISA is its name). The
 * functions that they export end in that name: EMU_NAME(emu_alu_int) is emu_alu_int_avx2. A table
 * of instructions (alu_*.def) has for each opcode the shape of its operands and the expression for
 * one lane. For each kind of scalar it is included twice: once to define the handlers, and once to
 * define the function that looks them up.
 *
 * A handler is a loop over chunks of EMU_CHUNK lanes. The inner loop has a fixed count and no
 * dependencies, so that compilers turn it into straight-line vector code. The row that is written
 * either is one of the rows that are read (with lanes of the same size), or overlaps none of them.
 *
 * Inactive lanes may hold any bits, so expressions are defined for all bits and never trap. All
 * instruction sets give the same bits, except for which NaN results from NaN operands. */
#ifndef EMU_ALU_H
#define EMU_ALU_H

#include "spv-emu/alu/isa.h"
#include "spv-emu/engine/step.h"

#include <float.h>
#if defined __SSE2__
#include <immintrin.h>
#endif

_Static_assert(FLT_EVAL_METHOD == 0, "each operation rounds to its type");

#define EMU_PASTE(a, b) a##_##b
#define EMU_JOIN(a, b) EMU_PASTE(a, b)
#define EMU_NAME(name) EMU_JOIN(name, EMU_ISA)

/* Tells the compiler that lanes do not depend on each other, whatever the addresses. The index is
 * signed for GCC, which then sees the inner loop's fixed count. For Clang it is not: if Clang sees
 * the count too early, it unrolls the loop before vectorizing, and then cannot vectorize it. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* calls of libm remain loops */
#define EMU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
typedef size_t EmuLane;
#else
#define EMU_INDEPENDENT _Pragma("GCC ivdep")
typedef ptrdiff_t EmuLane;
#endif

/* Runs the body for all lanes `l` of a row. The first chunk, usually the only one, needs no width
 * check. */
#define EMU_FOR_LANES(...)                                                                         \
  const EmuLane width = (EmuLane)s->width;                                                         \
  EmuLane chunk = 0;                                                                               \
  do {                                                                                             \
    EMU_INDEPENDENT                                                                                \
    for (EmuLane l = chunk; l < chunk + (EmuLane)EMU_CHUNK; l++)                                   \
      __VA_ARGS__                                                                                  \
    chunk += EMU_CHUNK;                                                                            \
  } while (__builtin_expect(chunk < width, 0));

/* Handlers whose body, for lane l, computes pd[l] from pa[l], pb[l], pc[l]. */
#define EMU_HANDLER_1(fn, D, A, ...)                                                               \
  static void fn(EmuLanes *s, const EmuIns *i) {                                                   \
    D *pd = EMU_ROW(s, D, i->d);                                                                   \
    const A *pa = EMU_ROW(s, const A, i->a);                                                       \
    EMU_FOR_LANES(__VA_ARGS__)                                                                     \
  }
#define EMU_HANDLER_2(fn, D, A, B, ...)                                                            \
  static void fn(EmuLanes *s, const EmuIns *i) {                                                   \
    D *pd = EMU_ROW(s, D, i->d);                                                                   \
    const A *pa = EMU_ROW(s, const A, i->a);                                                       \
    const B *pb = EMU_ROW(s, const B, i->b);                                                       \
    EMU_FOR_LANES(__VA_ARGS__)                                                                     \
  }
#define EMU_HANDLER_3(fn, D, A, B, C, ...)                                                         \
  static void fn(EmuLanes *s, const EmuIns *i) {                                                   \
    D *pd = EMU_ROW(s, D, i->d);                                                                   \
    const A *pa = EMU_ROW(s, const A, i->a);                                                       \
    const B *pb = EMU_ROW(s, const B, i->b);                                                       \
    const C *pc = EMU_ROW(s, const C, i->c);                                                       \
    EMU_FOR_LANES(__VA_ARGS__)                                                                     \
  }

/* The highest bit of each of 32 lanes. */
static inline uint32_t emu_chunk_bits(const uint32_t *row) {
  uint32_t bits = 0;
#if defined __AVX512DQ__
  for (uint32_t k = 0; k < EMU_CHUNK; k += 16)
    bits |= (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(row + k)) << k;
#elif defined __AVX2__
  for (uint32_t k = 0; k < EMU_CHUNK; k += 8) {
    __m256 lanes = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(row + k)));
    bits |= (uint32_t)_mm256_movemask_ps(lanes) << k;
  }
#elif defined __SSE2__
  for (uint32_t k = 0; k < EMU_CHUNK; k += 4) {
    __m128 lanes = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(row + k)));
    bits |= (uint32_t)_mm_movemask_ps(lanes) << k;
  }
#else
  for (uint32_t k = 0; k < EMU_CHUNK; k++)
    bits |= row[k] >> 31 << k;
#endif
  return bits;
}

/* A comparison: its body computes pd[l], a boolean, from pa[l] and pb[l]. The lanes for which the
 * comparison holds are also written to s->yes, which a branch on the result at the end of the block
 * reads. */
#define EMU_COMPARISON(fn, A, B, ...)                                                              \
  static void fn(EmuLanes *s, const EmuIns *i) {                                                   \
    uint32_t *pd = EMU_ROW(s, uint32_t, i->d);                                                     \
    const A *pa = EMU_ROW(s, const A, i->a);                                                       \
    const B *pb = EMU_ROW(s, const B, i->b);                                                       \
    const EmuLane width = (EmuLane)s->width;                                                       \
    EmuLane chunk = 0;                                                                             \
    do {                                                                                           \
      EMU_INDEPENDENT                                                                              \
      for (EmuLane l = chunk; l < chunk + (EmuLane)EMU_CHUNK; l++)                                 \
        __VA_ARGS__                                                                                \
      const uint64_t bits = emu_chunk_bits(pd + chunk);                                            \
      uint64_t *yes = &s->yes.w[chunk / 64];                                                       \
      *yes = chunk % 64 ? *yes | bits << EMU_CHUNK : bits;                                         \
      chunk += EMU_CHUNK;                                                                          \
    } while (__builtin_expect(chunk < width, 0));                                                  \
  }

/* The look-ups of one instruction set; EmuIsa explains them. */
EmuHandler *EMU_NAME(emu_alu_int)(SpvOp op, EmuKind kind);
EmuHandler *EMU_NAME(emu_alu_float)(SpvOp op, EmuKind kind);
EmuHandler *EMU_NAME(emu_alu_pair)(SpvOp first, SpvOp second, EmuKind kind, bool right);
EmuHandler *EMU_NAME(emu_alu_products)(SpvOp product, SpvOp sum, EmuKind kind);
EmuHandler *EMU_NAME(emu_alu_on)(SpvOp op, EmuKind kind);
EmuHandler *EMU_NAME(emu_alu_convert)(SpvOp op, EmuKind from, EmuKind to);
EmuHandler *EMU_NAME(emu_alu_glsl)(uint32_t op, EmuKind kind);
EmuHandler *EMU_NAME(emu_alu_opencl)(uint32_t op, EmuKind kind);
extern const EmuIsa EMU_NAME(emu_isa);

#endif
