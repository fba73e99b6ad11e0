/* SPDX-License-Identifier: Apache-2.0 */
/* bare: a SPIR-V module without a case becomes the only shader of a script that runs nothing. */
#ifndef HN_BARE_H
#define HN_BARE_H

#include "harness/shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this SPIR-V: binary in either byte order, or text? An AmberScript is neither. */
bool hn_bare_is(const uint8_t *bytes, size_t size);

/* Its only shader is "module". All block layouts are allowed, because the features that the module
 * needs are not known. */
extern const AmberScript hn_bare_script;

/* The modules by index in hn_bare_script.shaders; text is assembled. On false *message is one line,
 * which the caller frees. */
bool hn_bare_make(const uint8_t *bytes, size_t size, HnModule **modules, char **message);

#endif
