/* SPDX-License-Identifier: Apache-2.0 */
/* compile_program: see compile_program.h. */
#include "compile/compile_program.h"

#include "compile/compile_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_MODULE = 64 << 20, MOST_LOG = 1 << 20, LONGEST_FOLDER = 40 /* of TMPDIR */ };

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

bool compile_work_open(CompileWork *work) {
  const char *temporary = getenv("TMPDIR");
  if (!temporary || strlen(temporary) > LONGEST_FOLDER)
    temporary = "/tmp";
  snprintf(work->folder, sizeof work->folder, "%s/spv-compile-XXXXXX", temporary);
  return mkdtemp(work->folder) != NULL;
}

const char *compile_work_file(const CompileWork *work, const char *name, char path[128]) {
  snprintf(path, 128, "%s/%s", work->folder, name);
  return path;
}

void compile_work_close(CompileWork *work, const char *const *names, size_t count) {
  char path[128];
  for (size_t i = 0; i < count; i++)
    unlink(compile_work_file(work, names[i], path));
  unlink(compile_work_file(work, "log", path));
  rmdir(work->folder);
}

bool compile_work_write(const CompileWork *work, const char *name, const char *head,
                        const CompileText *text) {
  char path[128];
  FILE *out = fopen(compile_work_file(work, name, path), "w");
  if (!out)
    return false;
  fputs(head, out);
  fwrite(text->text, 1, text->size, out);
  return fclose(out) == 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

bool compile_work_run(const CompileWork *work, const char *const *arguments) {
  char log[128];
  posix_spawn_file_actions_t files;
  pid_t child;
  int status = -1;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, compile_work_file(work, "log", log),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  int error = posix_spawnp(&child, arguments[0], &files, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (error)
    return false;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *compile_work_log(const CompileWork *work) {
  char path[128];
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(compile_work_file(work, "log", path), MOST_LOG, &bytes, &size))
    return NULL;
  char *log = strndup((const char *)bytes, size);
  free(bytes);
  return log;
}

bool compile_work_module(const CompileWork *work, const char *name, CompileResult *result) {
  char path[128];
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
