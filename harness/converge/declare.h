/* SPDX-License-Identifier: Apache-2.0 */
/* declare: adds the execution mode of a conformance mode to a module, for compilers that cannot. */
#ifndef CV_DECLARE_H
#define CV_DECLARE_H

#include "harness/converge/model.h"

#include <stddef.h>

/* A copy of the module, malloc'd, whose first entry point has the mode's execution mode;
 * CV_NO_PROMISE adds nothing. The module is valid, and has an entry point. NULL: out of memory. */
uint32_t *cv_declare(const uint32_t *words, size_t count, CvMode mode, size_t *new_count);

#endif
