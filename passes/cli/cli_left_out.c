/* SPDX-License-Identifier: Apache-2.0 */
/* cli_left_out: see cli_left_out.h. */
#include "cli/cli_left_out.h"

#include "compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_left_out_add(CliLeftOut *left, const char *path) {
  CompileLanguage language;
  CompileStage stage;
  if (!compile_kind_of(path, &language, &stage) || left->count++)
    return;
  const char *slash = strrchr(path, '/'), *ending = strrchr(path, '.');
  if (asprintf(&left->like, "%.*s*%s", slash ? (int)(slash - path + 1) : 0, path, ending) < 0)
    left->like = NULL;
}

const char *cli_left_out_count(const CliLeftOut *left, char text[32]) {
  snprintf(text, 32, "%zu shader%s", left->count, left->count == 1 ? "" : "s");
  return text;
}

void cli_left_out_free(CliLeftOut *left) {
  free(left->like);
  *left = (CliLeftOut){0};
}
