/* SPDX-License-Identifier: Apache-2.0 */
/* cli_batch: see cli_batch.h. */
#include "passes/cli/cli_batch.h"

#include "passes/cli/cli_lint.h"
#include "passes/cli/cli_report.h"
#include "passes/tool/os/os_folder.h"
#include "passes/tool/os/os_task.h"
#include "passes/tool/tool_batch.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"
#include "passes/tool/tool_left_out.h"
#include "passes/tool/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Batch {
  Cli *cli;
  int (*run)(Cli *cli);
  char **inputs, **outputs; /* by module; an output is NULL where none is written */
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

static bool make_room(Batch *b) {
  if (b->count < b->room)
    return true;
  size_t room = b->room ? 2 * b->room : 64;
  char **inputs = realloc(b->inputs, room * sizeof *inputs);
  if (inputs)
    b->inputs = inputs;
  char **outputs = inputs ? realloc(b->outputs, room * sizeof *outputs) : NULL;
  if (!outputs)
    return tool_batch_no_memory();
  b->outputs = outputs;
  b->room = room;
  return true;
}

/* Adds a module; `name`: the path of its output below the output folder. */
static bool add(Batch *b, const char *input, const char *name) {
  if (!make_room(b))
    return false;
  char *output = NULL;
  if (b->cli->output && asprintf(&output, "%s%s%s", b->cli->output,
                                 tool_has_suffix(b->cli->output, "/") ? "" : "/", name) < 0)
    output = NULL;
  b->inputs[b->count] = strdup(input);
  b->outputs[b->count++] = output;
  return (b->inputs[b->count - 1] && (output || !b->cli->output)) || tool_batch_no_memory();
}

/* Is the folder not the output folder? The output folder may be below an input folder, but files
 * that an earlier run wrote there are not inputs. */
static bool enter(void *batch, const char *folder) {
  const Batch *b = batch;
  return !b->cli->output || !os_folder_is_same(b->cli->output, folder);
}

/* Is a file below a folder compiled? Only the lint, which writes no module, reads shaders there; a
 * name without a stage is that of a file to include, except that HLSL may be a compute shader. */
static bool is_linted(const Cli *cli, const char *path) {
  CompileLanguage language;
  CompileStage stage;
  return cli->lint && compile_kind_of(path, &language, &stage) &&
         (stage != COMPILE_NO_STAGE || language == COMPILE_HLSL ||
          cli->source.stage != COMPILE_NO_STAGE);
}

static bool add_below(void *batch, const char *path, const char *below) {
  Batch *b = batch;
  if (tool_is_module(path) || is_linted(b->cli, path))
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
  if (!enter(b, folder)) {
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
    return tool_batch_no_memory();
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
  char **const *x = a, **const *y = b;
  return strcmp(**x, **y);
}

/* Checks that no two modules have the same output. */
static bool check_outputs(const Batch *b) {
  bool ok = true;
  char ***sorted = calloc(b->count, sizeof *sorted);
  if (!sorted)
    return tool_batch_no_memory();
  for (size_t i = 0; i < b->count; i++)
    sorted[i] = &b->outputs[i];
  qsort(sorted, b->count, sizeof *sorted, by_output);
  for (size_t i = 1; i < b->count && ok; i++)
    if (strcmp(*sorted[i - 1], *sorted[i]) == 0) {
      tool_say(*sorted[i], "would be the output of %s and of %s: transform them separately",
               b->inputs[sorted[i - 1] - b->outputs], b->inputs[sorted[i] - b->outputs]);
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
  if (cli->stats_file)
    return tool_wrong("--stats=%s is about one module; of several, --stats and --json print on "
                      "standard output",
                      cli->stats_file);
  if (cli->input_count == 0)
    return tool_wrong("the module of standard input has no name below the folder '%s': name a file",
                      cli->output);
  for (int i = 0; i < cli->input_count; i++)
    if (strcmp(cli->inputs[i], "-") == 0)
      return tool_wrong("standard input is one module: name it alone, with a file after -o");
  return true;
}

/* ---- the work ---- */

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
static int run_one(void *batch, size_t i) {
  Batch *b = batch;
  b->cli->several = true;
  b->cli->module_index = i;
  b->cli->input = b->inputs[i];
  b->cli->output = b->outputs[i];
  if (b->outputs[i] && !make_folders(b->outputs[i]))
    return TOOL_BAD_INPUT;
  return b->run(b->cli);
}

static void print_line(void *batch, size_t i, const ToolDone *done) {
  (void)batch;
  (void)i;
  tool_batch_copy_object(done, cli_report_start);
}

static int run_all(Batch *b) {
  return tool_batch_run(&(ToolBatch){.inputs = (const char *const *)b->inputs,
                                     .count = b->count,
                                     .what = "modules",
                                     .jobs = b->cli->jobs,
                                     .run = run_one,
                                     .done = b->cli->json ? print_line : NULL,
                                     .user = b});
}

/* With --sarif, what the modules' processes find is gathered in one file, to which they append. */
static int run_with_sarif(Batch *b) {
  FILE *parts = os_task_shared_file();
  if (!parts) {
    tool_failed(b->cli->sarif);
    return TOOL_BAD_INPUT;
  }
  b->cli->sarif_parts = fileno(parts);
  int code = run_all(b);
  if (!cli_lint_join(b->cli, parts, b->count) && code == EXIT_SUCCESS)
    code = TOOL_BAD_INPUT;
  fclose(parts);
  return code;
}

int cli_batch(Cli *cli, int (*run)(Cli *cli)) {
  Batch b = {.cli = cli, .run = run};
  int code = TOOL_USAGE;
  if (tool_batch_possible() && check_options(cli)) {
    code = TOOL_BAD_INPUT;
    if (add_inputs(&b) && (!cli->output || check_outputs(&b)))
      code = cli->sarif ? run_with_sarif(&b) : run_all(&b);
  }
  for (size_t i = 0; i < b.count; i++) {
    free(b.inputs[i]);
    free(b.outputs[i]);
  }
  free(b.inputs);
  free(b.outputs);
  return code;
}
