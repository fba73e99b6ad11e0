/* SPDX-License-Identifier: Apache-2.0 */
/* case_validate: does spirv-val accept a module of a case? */
#ifndef HN_CASE_VALIDATE_H
#define HN_CASE_VALIDATE_H

#include "harness/shader/shader.h"

/* For Vulkan 1.3, with the block layouts of the features that the script asks for. A module that is
 * newer than SPIRV-Tools is left to the driver: true, and *message tells. It is to be freed, and
 * NULL if there is nothing to tell. */
bool hn_validate(const AmberScript *script, HnModule module, char **message);

#endif
