/* SPDX-License-Identifier: Apache-2.0 */
/* compiler: what C17 does not have and compilers do, under one name for GCC, clang and MSVC.
 *
 * Strings in a module are read where they are, as bytes of its words, so the host is little-endian. */
#ifndef SR_COMPILER_H
#define SR_COMPILER_H

#include <stdint.h>

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "spvreconv needs a little-endian machine: it reads a module's strings where they are"
#endif

#if defined __GNUC__ || defined __clang__

/* An argument is a format of printf; the arguments that it formats begin at number `first`. */
#ifdef __MINGW32__ /* where GCC's `printf` is Microsoft's old one */
#define SR_PRINTF(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define SR_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#endif
/* The caller must use the result. */
#define SR_MUST_USE __attribute__((warn_unused_result))
#define SR_ALWAYS_INLINE inline __attribute__((always_inline))
#define SR_NOINLINE __attribute__((noinline))
#define SR_UNLIKELY(condition) __builtin_expect(condition, 0)

/* The number of zeros below the lowest bit that is set; bits is not 0. */
static inline uint32_t sr_trailing_zeros(uint64_t bits) {
  return (uint32_t)__builtin_ctzll(bits);
}
static inline uint32_t sr_swap_bytes(uint32_t word) {
  return __builtin_bswap32(word);
}

#elif defined _MSC_VER

#include <intrin.h>
#include <stdlib.h>

#define SR_PRINTF(format_at, first)
#define SR_MUST_USE
#define SR_ALWAYS_INLINE __forceinline
#define SR_NOINLINE __declspec(noinline)
#define SR_UNLIKELY(condition) (condition)

static inline uint32_t sr_trailing_zeros(uint64_t bits) {
  unsigned long at;
#if defined _M_X64 || defined _M_ARM64
  _BitScanForward64(&at, bits);
#else
  if (!_BitScanForward(&at, (uint32_t)bits)) {
    _BitScanForward(&at, (uint32_t)(bits >> 32));
    at += 32;
  }
#endif
  return at;
}
static inline uint32_t sr_swap_bytes(uint32_t word) {
  return _byteswap_ulong(word);
}

#else
#error "unknown compiler: passes/base/compiler.h needs its attributes and bit operations"
#endif

#endif
