/* SPDX-License-Identifier: Apache-2.0 */
/* tool_batch: see tool_batch.h. */
#include "passes/tool/tool_batch.h"

#include "passes/tool/compile/compile.h"
#include "passes/tool/os/os_task.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"
#include "passes/tool/tool_run.h"
#include "passes/tool/tool_usage.h"

#include <stdlib.h>
#include <string.h>

enum {
  AHEAD = 4,       /* inputs per job that may be done before an earlier one */
  SPARE_FILES = 16 /* pairs of descriptors for everything else */
};

typedef struct Task {
  ToolDone left;
  bool done;
} Task;

/* ---- processes ------------------------------------------------------------------------------- */

static void start(const ToolBatch *b, size_t i, Task *t, OsTask *process) {
  t->left = (ToolDone){.input = b->inputs[i], .out = tmpfile(), .err = tmpfile()};
  if (t->left.out && t->left.err &&
      os_task_start(process, t->left.out, t->left.err, b->run, b->user, i))
    return;
  tool_failed(t->left.input);
  t->left.code = TOOL_BAD_INPUT;
  t->done = true;
}

static void finish(Task *t, const OsTaskEnd *end) {
  t->done = true;
  t->left.code = end->code;
  if (!end->signal)
    return;
  t->left.code = end->fault ? TOOL_BUG : TOOL_BAD_INPUT;
  fprintf(t->left.err, "%s: %s: %s%s, nothing is written: %s\n", tool_program, t->left.input,
          end->fault ? "a bug of " : "ended by a signal", end->fault ? tool_program : "",
          end->signal);
}

/* Waits until one of the processes ends; returns how many have ended. */
static size_t wait_for_one(Task *tasks, OsTask *processes, size_t from, size_t to) {
  OsTaskEnd end;
  size_t i = os_task_wait(processes, from, to, &end), ended = 0;
  if (i < to) {
    finish(&tasks[i], &end);
    return 1;
  }
  end = (OsTaskEnd){.code = TOOL_BUG};
  for (i = from; i < to; i++)
    if (processes[i].id) {
      processes[i].id = 0;
      finish(&tasks[i], &end);
      ended++;
    }
  return ended;
}

/* ---- all inputs ------------------------------------------------------------------------------ */

/* The number of inputs that may be started before the output of the first is handed over: each
 * keeps two files open. */
static size_t window_of(size_t jobs) {
  size_t most = AHEAD * jobs, pairs = os_task_most_files() / 2;
  if (pairs < most + SPARE_FILES)
    most = pairs > SPARE_FILES ? pairs - SPARE_FILES : 1;
  return most;
}

static int hand_over(const ToolBatch *b, size_t i, const ToolDone *left) {
  if (left->out)
    rewind(left->out);
  if (left->err)
    rewind(left->err);
  if (b->done)
    b->done(b->user, i, left);
  else
    free(tool_batch_copy(left));
  if (left->out)
    fclose(left->out);
  if (left->err)
    fclose(left->err);
  return left->code;
}

static bool is_stopped(const ToolBatch *b) {
  return b->stop && *b->stop;
}

static int run_all(const ToolBatch *b, Task *tasks, OsTask *processes) {
  size_t jobs = b->jobs ? b->jobs : os_task_processors();
  size_t running = 0, next = 0, failed = 0, window = window_of(jobs);
  int worst = EXIT_SUCCESS;
  size_t i;
  for (i = 0; i < b->count; i++) {
    while (!tasks[i].done) {
      while (running < jobs && next < b->count && next < i + window && !is_stopped(b)) {
        start(b, next, &tasks[next], &processes[next]);
        running += !tasks[next++].done;
      }
      if (tasks[i].done || i == next)
        break;
      running -= wait_for_one(tasks, processes, i, next);
    }
    if (!tasks[i].done)
      break;
    int code = hand_over(b, i, &tasks[i].left);
    failed += code != EXIT_SUCCESS;
    worst = code > worst ? code : worst;
  }
  fflush(stdout);
  if (i < b->count)
    fprintf(stderr, "%s: interrupted: %zu of %zu %s\n", tool_program, i, b->count, b->what);
  if (failed)
    fprintf(stderr, "%s: %zu of %zu %s failed\n", tool_program, failed, b->count, b->what);
  return worst;
}

bool tool_batch_no_memory(void) {
  fprintf(stderr, "%s: out of memory\n", tool_program);
  return false;
}

bool tool_batch_possible(void) {
  if (!os_task_possible())
    fprintf(stderr,
            "%s: several inputs, or a folder: in WebAssembly each run reads one; name one file\n",
            tool_program);
  return os_task_possible();
}

/* By its name: GLSL, or a case, which mostly holds some. */
static bool has_glsl(const char *path) {
  CompileLanguage language;
  CompileStage stage;
  const char *dot = strrchr(path, '.');
  return compile_kind_of(path, &language, &stage) ? language == COMPILE_GLSL
                                                  : dot && strcmp(dot, ".amber") == 0;
}

/* What each process would do first for itself, once. */
static void prepare(const ToolBatch *b) {
  size_t glsl = 0;
  for (size_t i = 0; i < b->count && glsl < 2; i++)
    glsl += has_glsl(b->inputs[i]);
  if (glsl == 2)
    compile_prepare();
}

int tool_batch_run(const ToolBatch *batch) {
  Task *tasks = calloc(batch->count + 1u, sizeof *tasks);
  OsTask *processes = calloc(batch->count + 1u, sizeof *processes);
  int code = TOOL_BAD_INPUT;
  os_task_begin();
  prepare(batch);
  if (tasks && processes)
    code = run_all(batch, tasks, processes);
  else
    tool_batch_no_memory();
  free(processes);
  free(tasks);
  return code;
}

/* ---- what a process printed ------------------------------------------------------------------ */

static void copy(FILE *from, FILE *to) {
  char part[4096];
  if (!from)
    return;
  for (size_t n; (n = fread(part, 1, sizeof part, from)) > 0;)
    fwrite(part, 1, n, to);
}

/* A line's text after "PROGRAM: INPUT: ", without its end. */
static char *strip(char *line, const char *input) {
  size_t program = strlen(tool_program), name = strlen(input);
  line[strcspn(line, "\n")] = 0;
  if (strncmp(line, tool_program, program) == 0 && strncmp(line + program, ": ", 2) == 0)
    line += program + 2;
  if (strncmp(line, input, name) == 0 && strncmp(line + name, ": ", 2) == 0)
    line += name + 2;
  return line;
}

static char *copy_message(const ToolDone *done) {
  char *line = NULL, *message = NULL;
  size_t room = 0;
  while (done->err && getline(&line, &room, done->err) > 0) {
    fputs(line, stderr);
    char *text = strip(line, done->input);
    if (!message && *text && strncmp(text, "note: ", 6) != 0)
      message = strdup(text);
  }
  free(line);
  return message;
}

char *tool_batch_copy(const ToolDone *done) {
  copy(done->out, stdout);
  fflush(stdout);
  return copy_message(done);
}

/* An object that says "ok" was printed before something else failed. */
static void set_failure(json_t *object, int code, const char *message) {
  const char *status = json_string_value(json_object_get(object, "status"));
  if (status && strcmp(status, "ok") != 0 && json_object_get(object, "message"))
    return;
  json_object_set_new(object, "status", json_string(code == TOOL_BUG ? "bug" : "failed"));
  json_object_set_new(object, "message",
                      tool_json_text(message ? message : "the process ended without a message"));
}

void tool_batch_copy_object(const ToolDone *done, json_t *(*begin)(const char *input)) {
  char *message = copy_message(done);
  json_t *object = done->out ? json_loadf(done->out, 0, NULL) : NULL;
  if (!object)
    object = begin(done->input);
  if (done->code != EXIT_SUCCESS)
    set_failure(object, done->code, message);
  json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15));
  putchar('\n');
  fflush(stdout);
  json_decref(object);
  free(message);
}
