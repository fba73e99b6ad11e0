/* SPDX-License-Identifier: Apache-2.0 */
/* cli_batch: see cli_batch.h. A process prints to temporary files, which are copied to the
 * command's own output once the processes of all earlier modules are done. */
#include "passes/cli/cli_batch.h"

#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"
#include "passes/tool/tool_left_out.h"
#include "passes/tool/tool_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  AHEAD = 4,       /* modules per job that may be done before an earlier one */
  SPARE_FILES = 16 /* pairs of descriptors for everything else */
};

typedef struct Task {
  char *input, *output; /* output NULL: none is written */
  FILE *out, *err;      /* what its process printed */
  pid_t pid;            /* of the module's process; 0: it is not running */
  int code;
  bool done;
} Task;

typedef struct Batch {
  Cli *cli;
  int (*run)(Cli *cli);
  Task *tasks;
  size_t count, room;
  ToolLeftOut left_out; /* of the folder that is visited */
} Batch;

static bool names_folder(const char *path) {
  return strcmp(path, "-") != 0 && (tool_has_suffix(path, "/") || tool_is_folder(path));
}

bool cli_is_batch(const Cli *cli) {
  return cli->input_count > 1 || (strcmp(cli->input, "-") != 0 && tool_is_folder(cli->input)) ||
         (cli->output && names_folder(cli->output));
}

/* ---- which modules ---- */

static bool out_of_memory(void) {
  fprintf(stderr, "%s: out of memory\n", tool_program);
  return false;
}

/* Adds a module; `name`: the path of its output below the output folder. */
static bool add(Batch *b, const char *input, const char *name) {
  if (b->count == b->room) {
    b->room = b->room ? 2 * b->room : 64;
    Task *more = realloc(b->tasks, b->room * sizeof *more);
    if (!more)
      return out_of_memory();
    b->tasks = more;
  }
  Task *t = &b->tasks[b->count];
  *t = (Task){.input = strdup(input)};
  if (b->cli->output && asprintf(&t->output, "%s%s%s", b->cli->output,
                                 tool_has_suffix(b->cli->output, "/") ? "" : "/", name) < 0)
    t->output = NULL;
  b->count++;
  return (t->input && (t->output || !b->cli->output)) || out_of_memory();
}

/* Is the folder not the output folder? The output folder may be below an input folder, but files
 * that an earlier run wrote there are not inputs. */
static bool enter(void *batch, const struct stat *folder) {
  const Batch *b = batch;
  struct stat st;
  return !b->cli->output || stat(b->cli->output, &st) != 0 || st.st_dev != folder->st_dev ||
         st.st_ino != folder->st_ino;
}

static bool add_below(void *batch, const char *path, const char *below) {
  Batch *b = batch;
  if (tool_is_module(path))
    return add(b, path, below);
  tool_left_out_add(&b->left_out, path);
  return true;
}

static bool fail_folder(void *batch, const char *path) {
  (void)batch;
  return tool_failed(path);
}

/* `none`: the folder has no module. */
static void say_left_out(Batch *b, const char *folder, bool none) {
  char count[32];
  if (b->left_out.count)
    tool_say(folder, "%s%s%s left out: to compile shaders, name them, as in %s",
             none ? "no SPIR-V module is below this folder, and " : "",
             tool_left_out_count(&b->left_out, count), b->left_out.count == 1 ? " is" : " are",
             b->left_out.like ? b->left_out.like : "*.comp");
  else if (none)
    tool_say(folder, "neither a SPIR-V module nor a shader is below this folder");
  tool_left_out_free(&b->left_out);
}

static bool add_folder(Batch *b, const char *folder) {
  const ToolFolderVisitor visitor = {add_below, enter, fail_folder, b};
  size_t before = b->count;
  struct stat st;
  if (stat(folder, &st) == 0 && !enter(b, &st)) {
    tool_say(folder, "this is the output folder, too: write to another one with -o");
    return false;
  }
  if (!tool_folder_visit(folder, &visitor)) {
    tool_left_out_free(&b->left_out);
    return false;
  }
  say_left_out(b, folder, b->count == before);
  return b->count > before;
}

/* Adds a file. The output has the name of the input's file; for a shader SHADER.comp it is
 * SHADER.comp.spv. */
static bool add_file(Batch *b, const char *input) {
  const char *slash = strrchr(input, '/');
  char *name;
  if (asprintf(&name, "%s%s", slash ? slash + 1 : input,
               tool_source_is(&b->cli->source, input) ? ".spv" : "") < 0)
    return out_of_memory();
  bool ok = add(b, input, name);
  free(name);
  return ok;
}

static bool add_inputs(Batch *b) {
  for (int i = 0; i < b->cli->input_count; i++) {
    char *input = b->cli->inputs[i];
    if (tool_is_folder(input) ? !add_folder(b, input) : !add_file(b, input))
      return false;
  }
  return true;
}

/* ---- what is refused ---- */

static int by_output(const void *a, const void *b) {
  const Task *const *x = a, *const *y = b;
  return strcmp((*x)->output, (*y)->output);
}

/* Checks that no two modules have the same output. */
static bool check_outputs(const Batch *b) {
  bool ok = true;
  const Task **sorted = calloc(b->count, sizeof *sorted);
  if (!sorted)
    return out_of_memory();
  for (size_t i = 0; i < b->count; i++)
    sorted[i] = &b->tasks[i];
  qsort(sorted, b->count, sizeof *sorted, by_output);
  for (size_t i = 1; i < b->count && ok; i++)
    if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0) {
      tool_say(sorted[i]->output, "would be the output of %s and of %s: transform them separately",
               sorted[i - 1]->input, sorted[i]->input);
      ok = false;
    }
  free(sorted);
  return ok;
}

static bool check_options(const Cli *cli) {
  struct stat st;
  if (cli->output &&
      (strcmp(cli->output, "-") == 0 || (stat(cli->output, &st) == 0 && !S_ISDIR(st.st_mode))))
    return tool_wrong("several modules need an output folder, which '%s' is not", cli->output);
  if (cli->output && stat(cli->output, &st) != 0 &&
      (tool_has_suffix(cli->output, ".spv") || tool_has_suffix(cli->output, ".spvasm")))
    return tool_wrong("several modules need an output folder, and '%s' is named like a file: end a "
                      "folder's name in /",
                      cli->output);
  if (cli->dump_cfg || cli->dump_wave || cli->dump_open_tree)
    return tool_wrong("--dump options are about one module; name one, and a file with -o");
  if (cli->input_count == 0)
    return tool_wrong("the module of standard input has no name below the folder '%s': name a file",
                      cli->output);
  for (int i = 0; i < cli->input_count; i++)
    if (strcmp(cli->inputs[i], "-") == 0)
      return tool_wrong("standard input is one module: name it alone, with a file after -o");
  return true;
}

/* ---- processes ---- */

/* Makes the folders above the file. */
static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool ok = tool_make_folder(path);
    *slash = '/';
    if (!ok)
      return false;
  }
  return true;
}

/* Runs in the process of the module. */
static int run_here(Batch *b, Task *t) {
  if (dup2(fileno(t->out), STDOUT_FILENO) < 0 || dup2(fileno(t->err), STDERR_FILENO) < 0)
    return TOOL_BAD_INPUT;
  b->cli->several = true;
  b->cli->input = t->input;
  b->cli->output = t->output;
  if (t->output && !make_folders(t->output))
    return TOOL_BAD_INPUT;
  int code = b->run(b->cli);
  return fflush(stdout) == 0 ? code : TOOL_BAD_INPUT;
}

static void start(Batch *b, Task *t) {
  t->out = tmpfile();
  t->err = tmpfile();
  fflush(NULL);
  t->pid = t->out && t->err ? fork() : -1;
  if (t->pid == 0)
    _exit(run_here(b, t));
  if (t->pid > 0)
    return;
  tool_failed(t->input);
  t->pid = 0;
  t->code = TOOL_BAD_INPUT;
  t->done = true;
}

/* Does the signal mean that the process failed by itself? The other signals come from elsewhere, as
 * from a user, or from a system that lacks memory. */
static bool is_fault(int signal_number) {
  return signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGFPE ||
         signal_number == SIGILL || signal_number == SIGABRT;
}

static void finish(Task *t, int status) {
  t->pid = 0;
  t->done = true;
  t->code = WEXITSTATUS(status);
  if (!WIFSIGNALED(status))
    return;
  bool fault = is_fault(WTERMSIG(status));
  t->code = fault ? TOOL_BUG : TOOL_BAD_INPUT;
  fprintf(t->err, "%s: %s: %s, nothing is written: %s\n", tool_program, t->input,
          fault ? "a bug of spvreconv" : "ended by a signal", strsignal(WTERMSIG(status)));
}

/* Waits until one of the processes ends; returns how many have ended. This process may have other
 * children, from the program that it was before exec. */
static size_t wait_for_one(Batch *b, size_t from, size_t to) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR)
      continue;
    size_t ended = 0;
    for (size_t i = from; i < to; i++)
      if (b->tasks[i].pid > 0 && (pid < 0 || b->tasks[i].pid == pid)) {
        finish(&b->tasks[i], pid < 0 ? W_EXITCODE(TOOL_BUG, 0) : status);
        ended++;
      }
    if (ended || pid < 0)
      return ended;
  }
}

static void copy(FILE *from, FILE *to) {
  char part[4096];
  if (!from)
    return;
  rewind(from);
  for (size_t n; (n = fread(part, 1, sizeof part, from)) > 0;)
    fwrite(part, 1, n, to);
  fclose(from);
}

static int print_all(Task *t) {
  copy(t->out, stdout);
  fflush(stdout);
  copy(t->err, stderr);
  return t->code;
}

/* The number of modules that may be started before the output of the first is printed: each keeps
 * two files open. */
static size_t window_of(size_t jobs) {
  struct rlimit limit;
  size_t most = AHEAD * jobs;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 2 < most + SPARE_FILES)
    most = limit.rlim_cur / 2 > SPARE_FILES ? limit.rlim_cur / 2 - SPARE_FILES : 1;
  return most;
}

static int run_all(Batch *b) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t jobs = b->cli->jobs ? b->cli->jobs : processors > 0 ? (size_t)processors : 1;
  size_t running = 0, next = 0, failed = 0, window = window_of(jobs);
  int worst = EXIT_SUCCESS;
  for (size_t i = 0; i < b->count; i++) {
    while (!b->tasks[i].done) {
      while (running < jobs && next < b->count && next < i + window) {
        start(b, &b->tasks[next]);
        running += !b->tasks[next++].done;
      }
      if (b->tasks[i].done)
        break;
      running -= wait_for_one(b, i, next);
    }
    int code = print_all(&b->tasks[i]);
    failed += code != EXIT_SUCCESS;
    worst = code > worst ? code : worst;
  }
  if (failed)
    fprintf(stderr, "%s: %zu of %zu modules failed\n", tool_program, failed, b->count);
  return worst;
}

int cli_batch(Cli *cli, int (*run)(Cli *cli)) {
  Batch b = {.cli = cli, .run = run};
  signal(SIGCHLD, SIG_DFL); /* a caller may have ignored it, which would hide exit codes */
  int code = TOOL_USAGE;
  if (check_options(cli)) {
    code = TOOL_BAD_INPUT;
    if (add_inputs(&b) && (!cli->output || check_outputs(&b)))
      code = run_all(&b);
  }
  for (size_t i = 0; i < b.count; i++) {
    free(b.tasks[i].input);
    free(b.tasks[i].output);
  }
  free(b.tasks);
  return code;
}
