/* SPDX-License-Identifier: Apache-2.0 */
/* slope: derivatives, textures and quad operations of a fragment shader.
 *
 * A derivative is defined only where all lanes of a quad run it together, helper lanes included. So
 * it is at the level of quads: in main or a function slopeN, inside of branches, loops and switches
 * whose conditions have the same value for the whole quad (hole @w: the quad's place, a flat input,
 * a push constant, what is computed from these), but mostly not for the subgroup. Statements of a
 * single lane (statement.h), which diverge, stand between; they demote lanes, which keep running,
 * but neither end lanes nor return from main: that happens at the level of quads only, for whole
 * quads. (gen_frag has another kind of program, without derivatives, in which lanes end anywhere.)
 *
 * Values are exact, so that all devices agree: fine derivatives are taken of exact(), others and
 * fwidth of values that are linear in a quad, since a device may take either row or column;
 * textures are read at the middle of texels, with steps of a whole number of texels, and level 1
 * differs from level 0. A derivative whose result goes nowhere may stand anywhere ("waste"); it
 * breaks quads. */
#ifndef DIFF_SLOPE_H
#define DIFF_SLOPE_H

#include "tests/diff/source.h"

/* Writes `count` steps of main or a function, which `leave` returns from. */
void put_slopes(Source *s, uint32_t count, const char *leave);
/* Writes a statement that only fragment shaders have and that may diverge. */
void put_fragment_line(Source *s);

#endif
