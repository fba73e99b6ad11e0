/* SPDX-License-Identifier: Apache-2.0 */
/* inner_run: see inner_run.h. */
#include "passes/api/inner_run.h"

spvreconv_options sr_inner_run_options(const spvreconv_options *given, const char *transform) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.resize = given->resize;
  options.resize_user = given->resize_user;
  options.max_blocks = given->max_blocks;
  options.max_ids = given->max_ids;
  options.max_nesting = given->max_nesting;
  return options;
}
