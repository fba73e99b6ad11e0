/* SPDX-License-Identifier: Apache-2.0 */
/* mangled: the names of functions as they are in the source.
 *
 * glslang names a function by its name and, after "(", a code for each parameter, ended by ";":
 * `float scene(vec3 p, float t)` is "scene(vf3;f1;". Names of other compilers have no such ending,
 * and stay. Functions that differ only in their parameters get the same name. Messages then add the
 * block or line, and tables add the id. */
#ifndef SR_MANGLED_H
#define SR_MANGLED_H

#include <stddef.h>

/* The length of the source's name in `name`, a terminated string. */
size_t sr_mangled_length(const char *name);

#endif
