/* SPDX-License-Identifier: Apache-2.0 */
/* case_validate: does spirv-val accept a module of a case? */
#ifndef HN_CASE_VALIDATE_H
#define HN_CASE_VALIDATE_H

#include "harness/shader/shader.h"

/* Validates for Vulkan 1.3, with the block layouts of the features that the script requires. A
 * module that is newer than SPIRV-Tools is left to the driver: returns true, and *message says so.
 * The caller frees *message; NULL: there is nothing to say. */
bool hn_validate(const AmberScript *script, HnModule module, char **message);

#endif
