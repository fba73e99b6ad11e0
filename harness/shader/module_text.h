/* SPDX-License-Identifier: Apache-2.0 */
/* module_text: a module as assembly text. */
#ifndef HN_MODULE_TEXT_H
#define HN_MODULE_TEXT_H

#include "harness/shader/shader.h"

/* The text, with spirv-dis' comments. NULL: *message, if it is not NULL, says why, or that memory ran
 * out. The caller frees both. */
char *hn_module_text(HnModule module, char **message);

#endif
