/* SPDX-License-Identifier: Apache-2.0 */
/* compile_program: see compile_program.h. */
#include "passes/tool/compile/compile_program.h"

#include "passes/tool/compile/compile_file.h"
#include "passes/tool/compile/compile_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST_MODULE = 64 << 20, MOST_LOG = 1 << 20, NOT_RUN = 127 };

bool compile_in_path(const char *program) {
  const char *path = getenv("PATH");
  char full[4096];
  for (const char *p = path; p; p = strchr(p, ':'), p += p != NULL) {
    int length = (int)strcspn(p, ":");
    snprintf(full, sizeof full, "%.*s/%s", length, p, program);
    if (access(full, X_OK) == 0)
      return true;
  }
  return false;
}

/* ---- the folder ------------------------------------------------------------------------------ */

bool compile_work_open(CompileWork *work, CompileResult *result, const char *name) {
  char *what;
  compile_signals_hold(&work->signals);
  if (compile_folder_make("spv-compile", work->folder, sizeof work->folder))
    return true;
  if (asprintf(&what, "no temporary folder in %s: %s", compile_folder_parent(), strerror(errno)) <
      0)
    what = NULL;
  compile_signals_release(&work->signals);
  compile_wrong(result, name, what ? what : "out of memory");
  free(what);
  return false;
}

const char *compile_work_file(const CompileWork *work, const char *name, CompilePath path) {
  snprintf(path, sizeof(CompilePath), "%s/%s", work->folder, name);
  return path;
}

void compile_work_close(CompileWork *work) {
  compile_folder_remove(work->folder);
  compile_signals_release(&work->signals);
}

bool compile_work_write(const CompileWork *work, const char *name, const char *head,
                        const CompileText *text) {
  CompilePath path;
  FILE *out = fopen(compile_work_file(work, name, path), "w");
  if (!out)
    return false;
  fputs(head, out);
  fwrite(text->text, 1, text->size, out);
  return fclose(out) == 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* In the child: becomes the program, which ends when the parent ends, for whatever reason. */
static void become(const CompileWork *work, const char *const *arguments, pid_t parent) {
  CompilePath log;
  int out =
      open(compile_work_file(work, "log", log), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (out < 0 || getppid() != parent)
    _exit(NOT_RUN);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &work->signals.before, NULL);
  execvp(arguments[0], (char *const *)arguments);
  _exit(NOT_RUN);
}

bool compile_work_run(const CompileWork *work, const char *const *arguments) {
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    become(work, arguments, parent);
  return child > 0 && compile_signals_wait(&work->signals, child) == 0;
}

char *compile_work_log(const CompileWork *work) {
  CompilePath path;
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(compile_work_file(work, "log", path), MOST_LOG, &bytes, &size))
    return NULL;
  char *log = strndup((const char *)bytes, size);
  free(bytes);
  return log;
}

bool compile_work_module(const CompileWork *work, const char *name, CompileResult *result) {
  CompilePath path;
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(compile_work_file(work, name, path), MOST_MODULE, &bytes, &size))
    return false;
  result->words = malloc(size + sizeof *result->words);
  result->count = size / sizeof *result->words;
  if (result->words)
    memcpy(result->words, bytes, size);
  free(bytes);
  return result->words != NULL;
}

CompileOutcome compile_wrong(CompileResult *result, const char *name, const char *what) {
  free(result->log);
  if (asprintf(&result->log, "%s: error: %.*s\n", name, (int)strcspn(what, "\r\n"), what) < 0)
    result->log = NULL;
  return COMPILE_WRONG;
}
