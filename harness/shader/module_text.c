/* SPDX-License-Identifier: Apache-2.0 */
/* module_text: see module_text.h. */
#include "harness/shader/module_text.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

char *hn_module_text(HnModule module, char **message) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_ASSEMBLY;
  spvreconv_result *result;
  spvreconv_status status = spvreconv_run(&options, module.words, module.count, &result);
  const char *text =
      status == SPVRECONV_OK ? spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY) : NULL;
  char *copy = text ? strdup(text) : NULL;
  if (message && !copy)
    *message = strdup(text                     ? "out of memory"
                      : status == SPVRECONV_OK ? "SPIRV-Tools cannot print the module"
                                               : spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  return copy;
}
