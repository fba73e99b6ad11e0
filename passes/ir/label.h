/* SPDX-License-Identifier: Apache-2.0 */
/* label: names in the pictures that Graphviz draws. */
#ifndef SR_LABEL_H
#define SR_LABEL_H

#include "passes/base/text.h"
#include "passes/ir/module.h"

/* Appends text for a quoted or HTML-like label, cut off after `limit` characters. */
void sr_label_escape(SrText *out, const char *text, size_t limit);
/* By id: its OpName, or NULL. */
const char **sr_label_names(SrArena *arena, const SrModule *m);

#endif
