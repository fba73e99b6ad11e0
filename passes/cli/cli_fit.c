/* SPDX-License-Identifier: Apache-2.0 */
/* cli_fit: see cli_fit.h. */
#include "passes/cli/cli_fit.h"

#include "passes/tool/tool_profile.h"
#include "passes/tool/tool_run.h"

#include <stdlib.h>

/* Is `order` an order of the module's blocks? If not, a later order of the profile may be. A module
 * with other errors fits any order, and the run that follows reports the errors. */
static bool fits(const ToolInput *in, const char *order) {
  spvreconv_options options;
  spvreconv_result *with = NULL, *without = NULL;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS; /* reports use the order */
  options.order = order;
  bool good = tool_run(&options, in, &with) == SPVRECONV_OK;
  options.order = NULL;
  good = good || tool_run(&options, in, &without) != SPVRECONV_OK;
  spvreconv_result_destroy(with);
  spvreconv_result_destroy(without);
  return good;
}

static bool choose(const Cli *cli, const ToolInput *in, const ToolProfile *profile,
                   const char *path, char **order) {
  for (uint32_t i = 0; i < profile->count; i++) {
    *order = tool_order_text(&profile->orders[i]);
    if (!*order) {
      tool_say(path, "out of memory");
      return false;
    }
    if (fits(in, *order))
      return true;
    free(*order);
    *order = NULL;
  }
  tool_say(cli->input, "the profile %s holds no program with these blocks", path);
  return false;
}

bool cli_fit(Cli *cli, const ToolInput *in, char **order) {
  const char *path = tool_profile_file(cli->options.order);
  ToolProfile profile;
  if (!path)
    return true;
  bool good = tool_profile_read(path, &profile) && choose(cli, in, &profile, path, order);
  tool_profile_free(&profile);
  cli->options.order = *order;
  return good;
}
