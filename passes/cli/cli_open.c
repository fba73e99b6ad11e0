/* SPDX-License-Identifier: Apache-2.0 */
/* cli_open: see cli_open.h. */
#include "passes/cli/cli_open.h"

#include "passes/tool/tool_file.h"

/* Replaces a shader's source by its module. */
static bool compile(const Cli *cli, const char *file, ToolInput *in) {
  CompileStage stage;
  if (!tool_source_is(&cli->source, file))
    return !tool_source_is_glsl(in) || tool_source_refuse_glsl(file);
  return tool_source_compile(&cli->source, file, in, &stage);
}

bool cli_open(const Cli *cli, const char *file, ToolInput *in) {
  return tool_read(file, in) && compile(cli, file, in);
}
