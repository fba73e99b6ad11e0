/* SPDX-License-Identifier: Apache-2.0 */
/* feature_lines: the features that a case must name for its shader. */
#ifndef HN_FEATURE_LINES_H
#define HN_FEATURE_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a DEVICE_FEATURE or DEVICE_EXTENSION for each capability of the module that needs one. `stage`:
 * as SHADER names it. */
void hn_feature_lines(FILE *out, const uint32_t *words, size_t count, const char *stage);

#endif
