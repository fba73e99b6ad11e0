/* SPDX-License-Identifier: Apache-2.0 */
/* mangled: names of functions as their source has them.
 *
 * glslang names a function by its name and, after "(", a code for each parameter, ended by ";":
 * `float scene(vec3 p, float t)` is "scene(vf3;f1;". Names of other compilers have no such ending,
 * and stay. Functions that only their parameters tell apart get the same name: messages add the
 * block or line, tables the id. */
#ifndef SR_MANGLED_H
#define SR_MANGLED_H

#include <stddef.h>

/* The length of the source's name in `name`, a terminated string. */
size_t sr_mangled_length(const char *name);

#endif
