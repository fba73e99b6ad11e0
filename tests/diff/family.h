/* family: control flow of the shapes that break transforms, as far as GLSL can say it: a switch in
 * a loop whose selector the loop carries, in integers of 8, 16, 32 and 64 bits; negative cases,
 * cases shared with the default, arms that fall through, go round or leave; loops whose exit is
 * another loop's header. What comes before spirv-opt -O and unstructure enters cycles by the side.
 */
#ifndef DIFF_FAMILY_H
#define DIFF_FAMILY_H

#include "source.h"

/* One such statement; nests any others. */
void put_family(Source *s);

#endif
