/* SPDX-License-Identifier: Apache-2.0 */
/* grammar_age: SPIRV-Tools has the grammar of its own release, and cannot validate newer modules.
 */
#ifndef SR_GRAMMAR_AGE_H
#define SR_GRAMMAR_AGE_H

#include <spirv-tools/libspirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Do the words, which spvreconv can read, contain something that SPIRV-Tools' parser does not know?
 */
bool sr_grammar_age_is_newer(spv_target_env env, const uint32_t *words, size_t count);

#endif
