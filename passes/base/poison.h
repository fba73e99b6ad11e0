/* SPDX-License-Identifier: Apache-2.0 */
/* poison: marks memory that must not be accessed. AddressSanitizer sees an arena's chunk as one
 * allocation. In its builds the arena poisons what is not in use and leaves poisoned gaps between
 * arrays, so that an access beyond an array is found. Other builds do none of this. */
#ifndef SR_POISON_H
#define SR_POISON_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SR_POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SR_POISONS 1
#endif

#ifdef SR_POISONS
#include <sanitizer/asan_interface.h>

enum { SR_RED_ZONE = 16 }; /* bytes between two arrays */

#define sr_poison(at, bytes) __asan_poison_memory_region((at), (bytes))
#define sr_unpoison(at, bytes) __asan_unpoison_memory_region((at), (bytes))
#else
enum { SR_RED_ZONE = 0 };

#define sr_poison(at, bytes) ((void)(at), (void)(bytes))
#define sr_unpoison(at, bytes) ((void)(at), (void)(bytes))
#endif

#endif
