/* SPDX-License-Identifier: Apache-2.0 */
/* version_choice: the version of SPIR-V that assembly text is written in. It is the one that the
 * text states; else that of the target environment, if one is given; else the lowest one in which
 * the text assembles and is valid once it is structured. */
#ifndef SR_VERSION_CHOICE_H
#define SR_VERSION_CHOICE_H

#include "passes/api/inner_run.h"
#include "passes/driver/options.h"

typedef struct SrVersionChoice {
  const spvreconv_options *given; /* those of the caller */
  const SrOptions *options;       /* the same, as they were read */
  SrRunFn *run;
} SrVersionChoice;

/* False: memory ran out. */
bool sr_version_choice(const SrVersionChoice *choice, const char *text, size_t length,
                       spv_target_env *env);

#endif
