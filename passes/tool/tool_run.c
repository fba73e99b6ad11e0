/* SPDX-License-Identifier: Apache-2.0 */
/* tool_run: see tool_run.h. */
#include "passes/tool/tool_run.h"

spvreconv_status tool_run(const spvreconv_options *options, const ToolInput *in,
                          spvreconv_result **result) {
  if (!in->binary)
    return spvreconv_run_text(options, in->bytes, in->count, result);
  return spvreconv_run(options, (const uint32_t *)(const void *)in->bytes,
                       in->count / sizeof(uint32_t), result);
}
