/* SPDX-License-Identifier: Apache-2.0 */
/* cli_run: see cli_run.h. */
#include "cli/cli_run.h"

#include "cli/cli_file.h"

/* Replaces a shader's source by its module. */
static bool compile(const Cli *cli, const char *file, CliInput *in) {
  CompileStage stage;
  if (!cli_source_is(&cli->source, file))
    return !cli_source_is_glsl(in) || cli_source_refuse_glsl(file);
  return cli_source_compile(&cli->source, file, in, &stage);
}

bool cli_open(const Cli *cli, const char *file, CliInput *in) {
  return cli_read(file, in) && compile(cli, file, in);
}

spvreconv_status cli_run(const spvreconv_options *options, const CliInput *in,
                         spvreconv_result **result) {
  if (!in->binary)
    return spvreconv_run_text(options, in->bytes, in->count, result);
  return spvreconv_run(options, (const uint32_t *)(const void *)in->bytes,
                       in->count / sizeof(uint32_t), result);
}
