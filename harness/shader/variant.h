/* SPDX-License-Identifier: Apache-2.0 */
/* variant: the modules of a script after a list of transforms. */
#ifndef HN_VARIANT_H
#define HN_VARIANT_H

#include "harness/shader/outcome.h"
#include "harness/shader/shader.h"

typedef struct HnVariant {
  HnOutcome outcome; /* HN_PASS: it can run; HN_INVALID: spirv-val refuses a module; HN_FAIL: a
                        transform refuses one */
  char *message; /* why the outcome is not HN_PASS, or what was not validated; one line, or NULL */
  HnModule *modules; /* by index in script->shaders; empty where the script's are empty */
  uint64_t hash;     /* of all modules */
} HnVariant;

/* Runs the transforms, named as in spvreconv's --transform, on modules of hn_shaders_make, and then
 * SPIRV-Tools' validator (for Vulkan 1.3; for kernels by the universal rules). `check`: also
 * compares each module with the script's, by the translation validation checker. */
HnVariant hn_variant_make(const AmberScript *script, const HnModule *modules,
                          const char *transforms, bool check);
void hn_variant_free(HnVariant *variant, const AmberScript *script);

/* What is wrong with a list of transforms, in one line; the caller frees it. NULL: nothing. */
char *hn_variant_check(const char *transforms);

enum { HN_VARIANTS = 64 };
/* Splits LIST+LIST+... into `*count` lists, which are copies that the caller frees in any case.
 * Returns what is wrong with them, to follow the option's name, which the caller frees, too; NULL:
 * nothing. */
char *hn_variant_split(const char *text, char *lists[HN_VARIANTS], uint32_t *count);

#endif
