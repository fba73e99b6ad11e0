/* SPDX-License-Identifier: Apache-2.0 */
/* tool_left_out: see tool_left_out.h. */
#include "passes/tool/tool_left_out.h"

#include "passes/tool/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tool_left_out_add(ToolLeftOut *left, const char *path) {
  CompileLanguage language;
  CompileStage stage;
  if (!compile_kind_of(path, &language, &stage) || left->count++)
    return;
  const char *slash = strrchr(path, '/'), *ending = strrchr(path, '.');
  if (asprintf(&left->like, "%.*s*%s", slash ? (int)(slash - path + 1) : 0, path, ending) < 0)
    left->like = NULL;
}

const char *tool_left_out_count(const ToolLeftOut *left, char text[32]) {
  snprintf(text, 32, "%zu shader%s", left->count, left->count == 1 ? "" : "s");
  return text;
}

void tool_left_out_free(ToolLeftOut *left) {
  free(left->like);
  *left = (ToolLeftOut){0};
}
