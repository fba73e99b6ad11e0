/* SPDX-License-Identifier: Apache-2.0 */
/* modules: a failure's modules: binary, assembly text, and GLSL if spirv-cross is installed. */
#ifndef HN_MODULES_H
#define HN_MODULES_H

#include "harness/artifacts/artifact_folder.h"
#include "harness/shader/shader.h"

#include <jansson.h>

/* Writes the modules before the transforms and, if they differ, after them (NULL: there are none).
 * Adds a string to `notes` for each module and form that could not be written, with the reason. */
void hn_modules_write(HnFolder *folder, const AmberScript *script, const HnModule *before,
                      const HnModule *after, json_t *notes);

#endif
