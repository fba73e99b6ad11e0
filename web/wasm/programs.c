/* SPDX-License-Identifier: Apache-2.0 */
/* programs: os_path.h, os_process.h and os_signals.h where no programs can be run: two are part of this module. `dot` is a
 * function of the JavaScript around it, drawGraph, which lays out a graph (web/engine/dot_draw.js). `glslangValidator`
 * is linked, with a different name for its main. */
#include "passes/tool/os/os_path.h"
#include "passes/tool/os/os_process.h"
#include "passes/tool/os/os_signals.h"
#include "passes/tool/tool_file.h"

#include <emscripten.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* C++'s name of glslang_validator_main(int, char **). */
extern int glslang_validator_main(int argc, char **argv) __asm__("_Z22glslang_validator_mainiPPc");

/* The picture, to be freed; NULL: there is none. */
EM_JS(char *, draw_graph, (const char *dot), {
  try {
    const svg = Module["drawGraph"](UTF8ToString(dot)), size = lengthBytesUTF8(svg) + 1,
          text = _malloc(size);
    if (text)
      stringToUTF8(svg, text, size);
    return text;
  } catch (error) {
    return 0;
  }
});

/* ---- os_path.h ------------------------------------------------------------------------------- */

bool os_path_is_absolute(const char *path) {
  return path[0] == '/';
}

bool os_path_has_program(const char *program) {
  return strcmp(program, "dot") == 0 || strcmp(program, "glslangValidator") == 0;
}

void os_path_arguments(int argc, char **argv) {
  (void)argc;
  (void)argv;
}

/* ---- os_process.h: dot ----------------------------------------------------------------------- */

int os_process_start(OsProcess *process, const char *const *arguments, int in, int out) {
  ToolInput graph = {0};
  process->id = 0;
  if (strcmp(arguments[0], "dot") != 0)
    return ENOENT;
  char *svg = tool_read_all(in, &graph) ? draw_graph(graph.bytes) : NULL;
  process->id = svg && tool_write_to(out, svg, strlen(svg));
  free(svg);
  free(graph.bytes);
  return 0;
}

OsProcessEnd os_process_wait(OsProcess *process, uint64_t seconds) {
  (void)seconds;
  return process->id ? OS_PROCESS_DONE : OS_PROCESS_FAILED;
}

/* ---- os_signals.h: glslangValidator ---------------------------------------------------------- */

void os_signals_hold(OsSignals *signals) {
  *signals = (OsSignals){0};
}

void os_signals_release(const OsSignals *signals) {
  (void)signals;
}

int os_signals_run(const OsSignals *signals, const char *const *arguments, const char *log) {
  int count = 0, out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), kept = dup(STDOUT_FILENO),
      code = -1;
  (void)signals;
  while (arguments[count])
    count++;
  fflush(NULL);
  if (out >= 0 && kept >= 0 && strcmp(arguments[0], "glslangValidator") == 0 &&
      dup2(out, STDOUT_FILENO) >= 0)
    code = glslang_validator_main(count, (char **)arguments);
  fflush(NULL);
  if (kept >= 0)
    dup2(kept, STDOUT_FILENO);
  close(kept);
  close(out);
  return code;
}
