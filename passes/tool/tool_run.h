/* SPDX-License-Identifier: Apache-2.0 */
/* tool_run: runs the library on a file that was read, and names the exit statuses. */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include "passes/tool/tool_file.h"

#include <spvreconv/spvreconv.h>

enum { TOOL_BAD_INPUT = 1, TOOL_BUG = 3 }; /* besides TOOL_USAGE */

/* Like spvreconv_run, or spvreconv_run_text if the input is text. */
spvreconv_status tool_run(const spvreconv_options *options, const ToolInput *in,
                          spvreconv_result **result);

#endif
