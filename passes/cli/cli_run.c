/* SPDX-License-Identifier: Apache-2.0 */
/* cli_run: see cli_run.h. */
#include "cli/cli_run.h"

spvreconv_status cli_run(const spvreconv_options *options, const CliInput *in,
                         spvreconv_result **result) {
  if (!in->binary)
    return spvreconv_run_text(options, in->bytes, in->count, result);
  return spvreconv_run(options, (const uint32_t *)(const void *)in->bytes,
                       in->count / sizeof(uint32_t), result);
}
