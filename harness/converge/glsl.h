/* SPDX-License-Identifier: Apache-2.0 */
/* glsl: a program as a compute shader in GLSL.
 *
 * The workgroup has CV_SUBGROUPS subgroups. Binding 0 is the table of values, and binding 1 is what
 * the lanes record. Word 0 of binding 1 is the subgroup size that the device used. Then each lane
 * has CV_RECORDS records. A record is the point plus 1, and the result of the operation, in as many
 * words as a set of the subgroup's lanes needs. If the device returns a set with lanes beyond these
 * words, only CV_BEYOND in the first word shows it. More words would cost too much: some drivers
 * compile a store to a loop over the lanes, and spend most of their time on stores. */
#ifndef CV_GLSL_H
#define CV_GLSL_H

#include "harness/converge/model.h"

#include <stdio.h>

#define CV_BEYOND 0x80000000u

/* Words of a set of lanes. */
static inline uint32_t cv_set_words(uint32_t subgroup_size) {
  return (subgroup_size + 31) / 32;
}

/* The index of a lane's record in the buffer. */
static inline uint32_t cv_told_at(uint32_t subgroup_size, uint32_t lane, uint32_t record) {
  return 1 + (lane * CV_RECORDS + record) * (1 + cv_set_words(subgroup_size));
}

static inline uint32_t cv_told_words(uint32_t subgroup_size) {
  return cv_told_at(subgroup_size, subgroup_size * CV_SUBGROUPS, 0);
}

/* Writes the whole shader. `declares`: main declares the mode, as GLSL extensions do (older
 * versions of glslang lack that for maximal reconvergence). */
void cv_glsl(const CvProgram *program, CvMode mode, uint32_t subgroup_size, bool declares,
             FILE *out);
/* Writes main and the functions that it calls, without the parts that all programs share; returns
 * the number of lines. */
uint32_t cv_glsl_functions(const CvProgram *program, const char *attribute, FILE *out);

#endif
