/* SPDX-License-Identifier: Apache-2.0 */
/* family: control-flow shapes that are difficult for transforms, as far as GLSL can express them: a
 * switch in a loop that carries its selector, in integers of 8, 16, 32 and 64 bits; negative cases,
 * cases shared with the default, arms that fall through, continue or leave; loops whose exit is
 * another loop's header. After spirv-opt -O and unstructure they become cycles with several
 * entries. */
#ifndef DIFF_FAMILY_H
#define DIFF_FAMILY_H

#include "tests/diff/source.h"

/* Writes a statement of one of these shapes, which may contain any other statements. */
void put_family(Source *s);

#endif
