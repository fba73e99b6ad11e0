/* SPDX-License-Identifier: Apache-2.0 */
/* compile_program: see compile_program.h. */
#include "passes/tool/compile/compile_program.h"

#include "passes/tool/compile/compile_file.h"
#include "passes/tool/os/os_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULE = 64 << 20, MOST_LOG = 1 << 20 };

/* ---- the folder ------------------------------------------------------------------------------ */

bool compile_work_open(CompileWork *work, CompileResult *result, const char *name) {
  char *what;
  os_signals_hold(&work->signals);
  if (os_folder_make_temporary("spv-compile", work->folder, sizeof work->folder))
    return true;
  if (asprintf(&what, "no temporary folder in %s: %s", os_folder_temporary(), strerror(errno)) < 0)
    what = NULL;
  os_signals_release(&work->signals);
  compile_wrong(result, name, what ? what : "out of memory");
  free(what);
  return false;
}

const char *compile_work_file(const CompileWork *work, const char *name, CompilePath path) {
  snprintf(path, sizeof(CompilePath), "%s/%s", work->folder, name);
  return path;
}

void compile_work_close(CompileWork *work) {
  os_folder_remove(work->folder);
  os_signals_release(&work->signals);
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

bool compile_work_run(const CompileWork *work, const char *const *arguments) {
  CompilePath log;
  return os_signals_run(&work->signals, arguments, compile_work_file(work, "log", log)) == 0;
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
