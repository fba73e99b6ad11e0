/* SPDX-License-Identifier: Apache-2.0 */
/* generate: random programs. */
#ifndef CV_GENERATE_H
#define CV_GENERATE_H

#include "harness/converge/model.h"

/* Makes the program of a seed in a mode, as a function of the arguments; `two_exits` as in
 * CvProgram. With no subgroup size does a lane of it observe more than CV_RECORDS times. */
void cv_generate(uint64_t seed, CvMode mode, bool two_exits, CvProgram *program);

#endif
