/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command spv-graph. It reads a graph, or makes one from a function, and writes it as a
 * graph or as a kernel. */
#include "passes/tool/tool_arguments.h"
#include "passes/tool/tool_run.h"
#include "passes/tool/tool_source.h"
#include "passes/tool/tool_usage.h"
#include "spv-graph/function.h"
#include "spv-graph/graph_dot.h"
#include "spv-graph/graph_json.h"
#include "spv-graph/graph_kernel.h"
#include "spv-graph/graph_options.h"
#include "spv-graph/graph_walk.h"

#include <ctype.h>
#include <inttypes.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading --------------------------------------------------------------------------------- */

typedef enum Input { INPUT_JSON, INPUT_DOT, INPUT_MODULE } Input;

static bool starts(const char *text, const char *word) {
  return strncmp(text, word, strlen(word)) == 0;
}

/* The kind of input: by the file's name, or for standard input by the first character. */
static Input kind_of(const char *path, const ToolInput *in) {
  const char *text = in->bytes;
  if (tool_has_suffix(path, ".json"))
    return INPUT_JSON;
  if (tool_has_suffix(path, ".dot") || tool_has_suffix(path, ".gv"))
    return INPUT_DOT;
  if (strcmp(path, "-") != 0 || in->binary)
    return INPUT_MODULE;
  while (isspace((unsigned char)*text))
    text++;
  return *text == '{'                                        ? INPUT_JSON
         : starts(text, "digraph") || starts(text, "strict") ? INPUT_DOT
                                                             : INPUT_MODULE;
}

static Graph *read_dot(SrArena *arena, const char *path, const ToolInput *in) {
#ifdef SPV_GRAPH_HAS_DOT
  return graph_dot_read(arena, path, in->bytes);
#else
  (void)arena, (void)in;
  tool_say(path, "this build cannot read Graphviz' language, since libcgraph was missing; give the "
                 "graph as .json");
  return NULL;
#endif
}

static Graph *read_module(SrArena *arena, const Options *o, ToolInput *in) {
  spvreconv_options options;
  spvreconv_result *result;
  ToolSource source = tool_source_none();
  CompileStage stage;
  Graph *graph = NULL;
  size_t count;
  if (tool_source_is(&source, o->input) && !tool_source_compile(&source, o->input, in, &stage))
    return NULL;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  if (tool_run(&options, in, &result) == SPVRECONV_OK) {
    const uint32_t *words = spvreconv_result_words(result, &count);
    graph = function_graph(arena, o->input, words, count, o->function, o->profile);
  } else {
    tool_say(o->input, "%s", spvreconv_result_message(result));
  }
  spvreconv_result_destroy(result);
  return graph;
}

static Graph *read_graph(SrArena *arena, const Options *o, ToolInput *in, bool *was_graph) {
  Input kind = kind_of(o->input, in);
  *was_graph = kind != INPUT_MODULE;
  if (kind == INPUT_MODULE)
    return read_module(arena, o, in);
  if (o->function) {
    tool_say(o->input, "--function is about modules, and this is a graph");
    return NULL;
  }
  if (o->profile) {
    tool_say(o->input, "--profile is about modules, and this is a graph: give the module, or set "
                       "\"taken\" in the graph");
    return NULL;
  }
  return kind == INPUT_JSON ? graph_json_read(arena, o->input, in->bytes, in->count)
                            : read_dot(arena, o->input, in);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void say_what_differs(const Options *o, const Code *code) {
  if (code->dropped)
    tool_say(o->input, "note: blocks that cannot be reached are left out: %" PRIu32, code->dropped);
  if (code->heavier)
    tool_say(o->input,
             "note: blocks that need more instructions than their weight: %" PRIu32 ", by %" PRIu64
             " in all",
             code->heavier, code->surplus);
}

/* Assembles the text to a binary module, which is written to `out`. */
static bool assemble(const Options *o, const char *text, size_t size, FILE *out) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  bool good = spvTextToBinary(context, text, size, &binary, &diagnostic) == SPV_SUCCESS;
  if (good)
    fwrite(binary->code, sizeof *binary->code, binary->wordCount, out);
  else
    tool_say(o->input, "SPIRV-Tools cannot assemble the kernel: %s",
             diagnostic ? diagnostic->error : "out of memory");
  spvDiagnosticDestroy(diagnostic);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return good;
}

static bool write_binary(SrArena *arena, const Options *o, const Code *code, FILE *out) {
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  if (memory)
    kernel_write(arena, code, memory);
  bool good = memory && fclose(memory) == 0 && assemble(o, text, size, out);
  free(text);
  return good;
}

static bool write_case(SrArena *arena, const Options *o, const Code *code, FILE *out) {
  const uint32_t *results = walk(arena, code);
  if (results) {
    kernel_write_case(arena, code, results, out);
    return true;
  }
  tool_say(
      o->input,
      "the lanes run more than %d blocks: use fewer --turns, a smaller --budget, or fewer lanes",
      (int)WALK_MOST_BLOCKS);
  return false;
}

static bool write_format(SrArena *arena, const Options *o, const Graph *graph, Format format,
                         FILE *out) {
  if (format == FORMAT_JSON)
    graph_json_write(graph, out);
  else if (format == FORMAT_DOT)
    graph_dot_write(graph, out);
  if (format == FORMAT_JSON || format == FORMAT_DOT)
    return true;
  const Code *code = code_new(arena, graph, &o->code);
  say_what_differs(o, code);
  if (format == FORMAT_SPIRV)
    return write_binary(arena, o, code, out);
  if (format == FORMAT_CASE)
    return write_case(arena, o, code, out);
  kernel_write(arena, code, out);
  return true;
}

static bool write_output(SrArena *arena, const Options *o, const Graph *graph, Format format) {
  char *bytes = NULL;
  size_t size;
  FILE *out = open_memstream(&bytes, &size);
  bool good = out && write_format(arena, o, graph, format, out);
  good = out && fclose(out) == 0 && good && tool_write(o->output, bytes, size);
  free(bytes);
  return good;
}

/* Runs the command, and returns the exit status. */
static int run(SrHeap *heap, const Options *o, ToolInput *in) {
  Format format;
  bool was_graph;
  if (setjmp(heap->out_of_memory)) {
    tool_say(o->input, "out of memory");
    return TOOL_BAD_INPUT;
  }
  SrArena arena = sr_arena_new(heap);
  const Graph *graph = read_graph(&arena, o, in, &was_graph);
  if (!graph)
    return TOOL_BAD_INPUT;
  if (!options_format(o, was_graph, &format))
    return TOOL_USAGE;
  return write_output(&arena, o, graph, format) ? EXIT_SUCCESS : TOOL_BAD_INPUT;
}

static int read_and_run(const Options *o) {
  ToolInput in;
  SrHeap heap = {0};
  if (!tool_read(o->input, &in))
    return TOOL_BAD_INPUT;
  sr_heap_init(&heap);
  int code = run(&heap, o, &in);
  sr_heap_free_all(&heap);
  free(in.bytes);
  return code;
}

int main(int argc, char **argv) {
  Options options;
  ToolArguments arguments;
  int code = TOOL_BAD_INPUT;
  if (tool_arguments(argc, argv, &arguments) &&
      options_parse(&options, arguments.count, arguments.at, &code))
    code = read_and_run(&options);
  tool_arguments_free(&arguments);
  return code;
}
