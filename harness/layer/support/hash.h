/* SPDX-License-Identifier: Apache-2.0 */
/* hash: 128 bits of XXH3, which identify modules and results by their content. XXH3 is not
 * collision-resistant against an attacker, but an attack would need write access to the cache. */
#ifndef LY_HASH_H
#define LY_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

typedef struct LyHash {
  uint64_t high, low;
} LyHash;

enum { LY_HASH_TEXT = 33 }; /* hexadecimal digits and a final 0 */

static inline LyHash ly_hash(const void *bytes, size_t size) {
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return (LyHash){hash.high64, hash.low64};
}

static inline void ly_hash_print(LyHash hash, char text[LY_HASH_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 16; i++) {
    text[i] = digits[hash.high >> (60 - 4 * i) & 15];
    text[16 + i] = digits[hash.low >> (60 - 4 * i) & 15];
  }
  text[LY_HASH_TEXT - 1] = 0;
}

#endif
