/* SPDX-License-Identifier: Apache-2.0 */
/* glsl: a program as a compute shader in GLSL.
 *
 * The workgroup has CV_SUBGROUPS subgroups. Binding 0 is the table of values, binding 1 what the
 * lanes tell: word 0 is the subgroup size that the device used, and each lane has CV_RECORDS
 * records of CV_RECORD_WORDS words: the point plus 1, and what the operation gave. */
#ifndef CV_GLSL_H
#define CV_GLSL_H

#include "converge/model.h"

#include <stdio.h>

enum { CV_RECORD_WORDS = 5 };

static inline uint32_t cv_told_words(uint32_t subgroup_size) {
  return 1 + subgroup_size * CV_SUBGROUPS * CV_RECORDS * CV_RECORD_WORDS;
}

/* Writes the whole shader. `declares`: main declares the mode, as GLSL extensions do (older
 * versions of glslang lack that for maximal reconvergence). */
void cv_glsl(const CvProgram *program, CvMode mode, uint32_t subgroup_size, bool declares,
             FILE *out);
/* Writes main and the functions that it calls, without what is the same in all programs; returns
 * the number of lines. */
uint32_t cv_glsl_functions(const CvProgram *program, const char *attribute, FILE *out);

#endif
