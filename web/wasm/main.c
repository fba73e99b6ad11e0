/* SPDX-License-Identifier: Apache-2.0 */
/* The commands as one WebAssembly module, so that they share what they are linked with: the name of the program says which
 * one runs, as with links to one binary. */
#include "passes/tool/compile/compile.h"

#include <emscripten.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int spvreconv_main(int argc, char **argv);
int spv_emu_main(int argc, char **argv);
int spv_graph_main(int argc, char **argv);

/* Of the process that runs this module, if it has one; emscripten's own would give files that no user can read. */
EM_JS(int, outer_umask, (void), { return "umask" in Module ? Module["umask"] : 18; });

/* Messages begin with it; the commands have their own, renamed (cmake/web.cmake). */
char tool_program[16];

/* Builds what runs need and none changes, glslang's tables: an instance whose memory begins as it is after this call has them. */
EMSCRIPTEN_KEEPALIVE void prepare(void) {
  compile_prepare();
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
  snprintf(tool_program, sizeof tool_program, "%s", name);
  umask((mode_t)outer_umask());
  if (strcmp(name, "spv-emu") == 0)
    return spv_emu_main(argc, argv);
  if (strcmp(name, "spv-graph") == 0)
    return spv_graph_main(argc, argv);
  if (strcmp(name, "spvreconv") == 0)
    return spvreconv_main(argc, argv);
  fprintf(stderr, "%s: there are the commands spvreconv, spv-emu and spv-graph\n", name);
  return 2;
}
