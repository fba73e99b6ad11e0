/* SPDX-License-Identifier: Apache-2.0 */
/* assembly: SPIR-V as assembly text to words, by SPIRV-Tools. Numeric ids are preserved. All tools
 * read text with it.
 *
 * The words begin with a version of SPIR-V, which a text need not state. spirv-dis writes it in a
 * comment; without that comment the version is the lowest that accepts the text. */
#ifndef SR_ASSEMBLY_H
#define SR_ASSEMBLY_H

#include <spirv-tools/libspirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version that a line `; Version: 1.N` states, among the comments and blank lines that come
 * before the first instruction. False: there is no such line. */
bool sr_assembly_version(const char *text, size_t size, uint32_t *minor);
/* The environment without the rules of an API, for a minor version of SPIR-V, 0 to 6. */
spv_target_env sr_assembly_env(uint32_t minor);

typedef struct SrAssembly {
  spv_binary binary;   /* the words; NULL: the text is refused */
  size_t line, column; /* of the error, from 1 */
  char error[256];     /* one line; empty: out of memory */
} SrAssembly;

/* Assembles the text for the version of an environment. Free the result in any case. */
SrAssembly sr_assembly_make(spv_target_env env, const char *text, size_t size);
void sr_assembly_free(SrAssembly *assembly);

typedef enum SrFit {
  SR_FIT_WRONG,
  SR_FIT_NOTICE, /* accepted, with a notice */
  SR_FIT_GOOD,
  SR_FIT_TOO_LARGE, /* the check would take too long, for other versions as well */
  SR_FIT_NO_MEMORY,
} SrFit;
typedef SrFit SrFitFn(void *user, const uint32_t *words, size_t count);

/* The environment of the lowest version for which the text can be assembled and `fit` says GOOD or
 * TOO_LARGE; failing that, NOTICE; failing that, the newest, since older versions complain about
 * what only they lack. False: out of memory. */
bool sr_assembly_lowest(const char *text, size_t size, SrFitFn *fit, void *user,
                        spv_target_env *env);

#endif
