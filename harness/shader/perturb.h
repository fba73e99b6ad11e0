/* SPDX-License-Identifier: Apache-2.0 */
/* perturb: makes a module whose results show how much the errors that OpenCL C or Vulkan allows can
 * change them.
 *
 * Division and the functions of OpenCL.std may err by some units in the last place (OpenCL C 3.0,
 * section 7.4, "Relative Error as ULPs"; the table is perturb.def), and so may those of
 * GLSL.std.450 (perturb_glsl.def). A shader's product may be fused with a sum, so it errs by half a
 * unit. A sampler filters with weights of 8 bits, so it errs by 1/512. In the module made here, the
 * result of each of these instructions is multiplied by 1 + e: e is the allowed error with either
 * sign, or 0, drawn for each component. (This is stochastic arithmetic, as in J. Vignes, Discrete
 * stochastic arithmetic for validating results of numerical software, 2004, with the errors of
 * functions in place of rounding errors.) Filtered texels of kernels err by 8 units. mad, whose
 * error is not bounded, becomes fma in half of the modules. */
#ifndef HN_PERTURB_H
#define HN_PERTURB_H

#include "harness/shader/shader.h"

/* Takes a valid module; `filtered`: texels that a shader samples err, too. The caller frees the words; NULL: out of memory, or the words are not a
 * module. */
HnModule hn_perturb(HnModule module, uint64_t seed, bool filtered);

#endif
