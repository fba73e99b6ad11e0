/* SPDX-License-Identifier: Apache-2.0 */
/* inner_run: a run within another one, on a variant of its input. */
#ifndef SR_INNER_RUN_H
#define SR_INNER_RUN_H

#include <spvreconv/spvreconv.h>

/* spvreconv_run. Given as a function, since it is made of what needs it. */
typedef spvreconv_status SrRunFn(const spvreconv_options *options, const uint32_t *words,
                                 size_t count, spvreconv_result **result);

/* Options for the inner run: the memory and the limits of `given`, and these transforms. */
spvreconv_options sr_inner_run_options(const spvreconv_options *given, const char *transform);

#endif
