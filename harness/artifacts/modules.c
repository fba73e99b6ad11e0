/* SPDX-License-Identifier: Apache-2.0 */
/* modules: see modules.h. */
#include "harness/artifacts/modules.h"

#include "harness/shader/module_text.h"
#include "passes/tool/tool_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 10, NOT_INSTALLED = 127 };

__attribute__((format(printf, 2, 3))) static void note(json_t *notes, const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) >= 0) {
    json_array_append_new(notes, tool_json_text(text));
    free(text);
  }
  va_end(arguments);
}

/* ---- assembly text --------------------------------------------------------------------------- */

static void write_text(HnFolder *folder, const char *name, HnModule module, json_t *notes) {
  char *why = NULL, *text = hn_module_text(module, &why);
  if (text)
    hn_folder_write(folder, name, text, strlen(text));
  else
    note(notes, "no %s: %s", name, why ? why : "out of memory");
  free(text);
  free(why);
}

/* ---- GLSL ------------------------------------------------------------------------------------ */

/* Runs spirv-cross with a limit on its time; returns its exit code, -1: a signal ended it. */
static int cross(const char *from, const char *to) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
    execlp("spirv-cross", "spirv-cross", "--vulkan-semantics", "--output", to, from, (char *)NULL);
    _exit(NOT_INSTALLED);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_glsl(HnFolder *folder, const char *binary, const char *name, json_t *notes) {
  char *from = hn_folder_file(folder, binary), *to = hn_folder_file(folder, name);
  int code = from && to ? cross(from, to) : -1;
  if (code)
    note(notes, "no %s: spirv-cross %s", name,
         code == NOT_INSTALLED ? "is not installed" : "cannot translate the module");
  free(from);
  free(to);
}

/* ---- all modules of a failure ---------------------------------------------------------------- */

static void write_module(HnFolder *folder, const char *shader, const char *when, HnModule module,
                         json_t *notes) {
  static const char *const ends[] = {"spv", "spvasm", "glsl"};
  char *names[3] = {0};
  bool good = true;
  for (int i = 0; i < 3; i++)
    if (asprintf(&names[i], "%s.%s.%s", shader, when, ends[i]) < 0) {
      names[i] = NULL;
      good = false;
    }
  if (good) {
    hn_folder_write(folder, names[0], module.words, module.count * sizeof *module.words);
    write_text(folder, names[1], module, notes);
    write_glsl(folder, names[0], names[2], notes);
  }
  for (int i = 0; i < 3; i++)
    free(names[i]);
}

static bool equal(HnModule a, HnModule b) {
  return a.count == b.count && memcmp(a.words, b.words, a.count * sizeof *a.words) == 0;
}

void hn_modules_write(HnFolder *folder, const AmberScript *script, const HnModule *before,
                      const HnModule *after, json_t *notes) {
  for (uint32_t i = 0; before && i < script->shader_count; i++) {
    const char *name = script->shaders[i].name;
    if (!before[i].count)
      continue;
    write_module(folder, name, "before", before[i], notes);
    if (after && after[i].count && !equal(before[i], after[i]))
      write_module(folder, name, "after", after[i], notes);
    else
      note(notes,
           after && after[i].count ? "shader %s is not changed by the transforms"
                                   : "shader %s has no module after the transforms",
           name);
  }
}
