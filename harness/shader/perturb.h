/* SPDX-License-Identifier: Apache-2.0 */
/* perturb: makes a kernel whose results show how much they can change by the errors that OpenCL C
 * allows.
 *
 * Division and the functions of OpenCL.std may err by some units in the last place (OpenCL C 3.0,
 * section 7.4, "Relative Error as ULPs"; the table is perturb.def). In the module made here, the
 * result of each of these instructions is multiplied by 1 + e: e is the allowed error with either
 * sign, or 0, drawn for each component. (This is stochastic arithmetic, as in J. Vignes, Discrete
 * stochastic arithmetic for validating results of numerical software, 2004, with the errors of
 * functions in place of rounding errors.) mad, whose error is not bounded, becomes fma in half of
 * the modules. */
#ifndef HN_PERTURB_H
#define HN_PERTURB_H

#include "harness/shader/shader.h"

/* Takes a valid module. The caller frees the words; NULL: out of memory, or the words are not a
 * module. */
HnModule hn_perturb(HnModule module, uint64_t seed);

#endif
