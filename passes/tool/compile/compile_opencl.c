/* SPDX-License-Identifier: Apache-2.0 */
/* compile_opencl: see compile_opencl.h.
 *
 * clang writes LLVM's bitcode and llvm-spirv the module, both to files in a temporary folder. A
 * target limits the version of SPIR-V and, if it is one of OpenCL, the version of the language. For
 * target spirv64 clang's own code generator writes the module, if a clang that has it is installed.
 * llvm-spirv cannot translate some optimized kernels (with freeze, or integers of odd widths);
 * these are compiled with less optimization. llvm-spirv may write blocks before their dominators;
 * the transform `auto` orders them and changes nothing else, since kernels need no structure.
 * Before that, compile_repair.h moves or drops other misplaced instructions. */
#include "passes/tool/compile/compile_opencl.h"

#include "passes/tool/compile/compile_ir.h"
#include "passes/tool/compile/compile_kept.h"
#include "passes/tool/compile/compile_lines.h"
#include "passes/tool/compile/compile_log.h"
#include "passes/tool/compile/compile_parts.h"
#include "passes/tool/compile/compile_program.h"
#include "passes/tool/compile/compile_repair.h"
#include "passes/tool/os/os_path.h"

#include <errno.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, MOST_VERSION = 14 /* of SPIR-V, of all translators */ };

/* ---- the programs ---------------------------------------------------------------------------- */

/* Versions of LLVM that distributions ship with llvm-spirv. Before version 16 llvm-spirv
 * needs pointers with types. */
static const struct {
  const char *clang, *translator, *pointers;
} compilers[] = {
    {"clang-15", "llvm-spirv-15", "-no-opaque-pointers"},
    {"clang-19", "llvm-spirv-19", NULL},
    {"clang-18", "llvm-spirv-18", NULL},
    {"clang-17", "llvm-spirv-17", NULL},
    {"clang-16", "llvm-spirv-16", NULL},
};

enum { COMPILERS = sizeof compilers / sizeof *compilers };

/* The clang whose own code generator writes SPIR-V. */
static const char generator[] = "clang-22";

static size_t find_compiler(void) {
  size_t i = 0;
  while (i < COMPILERS &&
         !(os_path_has_program(compilers[i].clang) && os_path_has_program(compilers[i].translator)))
    i++;
  return i;
}

const char *compile_opencl_missing(void) {
  return find_compiler() < COMPILERS
             ? NULL
             : "OpenCL C needs clang and llvm-spirv of one version (Debian: clang-15, "
               "llvm-spirv-15), which are not in PATH";
}

/* ---- the steps ------------------------------------------------------------------------------- */

typedef struct Kernel {
  CompileWork work;
  const CompileSource *source;
  const CompileText *text;
  size_t compiler;
  bool direct; /* clang writes the module */
  CompileResult *result;
} Kernel;

static CompileOutcome fail(const Kernel *k, const char *what) {
  return compile_wrong(k->result, k->text->name, what);
}

static CompileOutcome fail_with_option(const Kernel *k, const char *option) {
  char text[256];
  snprintf(text, sizeof text,
           "COMPILE_OPTIONS of OpenCL C are -D, -U, -I, -cl-... and some of clspv, not %.80s",
           option);
  return fail(k, text);
}

static CompileOutcome fail_with_log(const Kernel *k) {
  CompilePath path;
  char *log = compile_work_log(&k->work);
  free(k->result->log);
  k->result->log =
      log && *log ? compile_log_clang(log, compile_work_file(&k->work, "k.cl", path), k->text->name)
                  : NULL;
  free(log);
  return k->result->log ? COMPILE_WRONG : fail(k, "the compiler fails");
}

/* Is the option harmless? Cases are not trusted: an option must not name a file to write, or a
 * plugin to load. */
static bool is_harmless(const char *option) {
  static const char *const starts[] = {"-D", "-U", "-I", "-cl-"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(option, starts[i], strlen(starts[i])) == 0 && option[strlen(starts[i])])
      return true;
  return false;
}

/* Is it an option of clspv, google/amber's compiler, about translating a kernel to a Vulkan shader?
 * Here the module stays a kernel, so these options have no effect. */
static bool is_of_clspv(const char *option) {
  static const char *const names[] = {"arch",
                                      "cluster-pod-kernel-args",
                                      "constant-args-ubo",
                                      "distinct-kernel-descriptor-sets",
                                      "fp16",
                                      "fp64",
                                      "global-offset",
                                      "global-offset-push-constant",
                                      "inline-entry-points",
                                      "int8",
                                      "max-pushconstant-size",
                                      "max-ubo-size",
                                      "module-constants-in-storage-buffer",
                                      "no-16bit-storage",
                                      "no-8bit-storage",
                                      "no-inline-single",
                                      "pod-pushconstant",
                                      "pod-ubo",
                                      "rewrite-packed-structs",
                                      "spv-version",
                                      "std430-ubo-layout",
                                      "uniform-workgroup-size",
                                      "work-dim"};
  size_t length = strcspn(option + 1, "=");
  for (size_t i = 0; *option == '-' && i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && strncmp(option + 1, names[i], length) == 0)
      return true;
  return false;
}

const char *compile_opencl_option(const char *option) {
  option += strncmp(option, "--", 2) == 0; /* clspv takes either */
  return is_of_clspv(option) ? NULL : option;
}

/* The file's own folder, where #include looks first. */
static char *own_folder(const char *name) {
  const char *slash = strrchr(name, '/');
  char *option;
  return asprintf(&option, "-I%.*s",
                  slash == name ? 1
                  : slash       ? (int)(slash - name)
                                : 1,
                  slash ? name : ".") < 0
             ? NULL
             : option;
}

/* The version of the language that a target has; NULL: the compiler's. */
static const char *standard_of(const CompileTarget *target) {
  if (!target || strncmp(target->name, "opencl", strlen("opencl")) != 0)
    return NULL;
  return strcmp(target->name, "opencl1.2") == 0 ? "-cl-std=CL1.2" : "-cl-std=CL2.0";
}

/* `text`: LLVM's text, not optimized yet. The optimization level is the last argument. */
static CompileOutcome compile(const Kernel *k, const char *folder, const char *level, bool text,
                              bool debug) {
  CompilePath source, output;
  const char *arguments[MOST_OPTIONS] = {k->direct ? generator : compilers[k->compiler].clang,
                                         "-target",
                                         k->direct ? "spirv64-unknown-unknown"
                                                   : "spir64-unknown-unknown",
                                         "-x",
                                         "cl",
                                         "-Xclang",
                                         "-finclude-default-header",
                                         "-fno-discard-value-names",
                                         "-ffp-contract=off",
                                         "-fgnu89-inline",
                                         "-w",
                                         text ? "-S" : "-c",
                                         "-o",
                                         compile_work_file(&k->work,
                                                           k->direct ? "k.spv"
                                                           : text    ? "k.ll"
                                                                     : "k.bc",
                                                           output),
                                         compile_work_file(&k->work, "k.cl", source)};
  size_t count = 15;
  if (!k->direct)
    arguments[count++] = "-emit-llvm";
  if (standard_of(k->source->target))
    arguments[count++] = standard_of(k->source->target);
  if (!k->direct && compilers[k->compiler].pointers) {
    arguments[count++] = "-Xclang";
    arguments[count++] = compilers[k->compiler].pointers;
  }
  if (debug)
    arguments[count++] = "-gline-tables-only";
  if (text) {
    arguments[count++] = "-Xclang";
    arguments[count++] = "-disable-llvm-passes";
  }
  for (uint32_t i = 0; i < k->source->option_count; i++) {
    const char *option = compile_opencl_option(k->source->options[i]);
    if (count + 6 > MOST_OPTIONS)
      return fail(k, "too many COMPILE_OPTIONS");
    if (option && !is_harmless(option))
      return fail_with_option(k, option);
    if (option)
      arguments[count++] = option;
  }
  if (*k->text->name)
    arguments[count++] = folder;
  arguments[count] = level;
  return compile_work_run(&k->work, arguments) ? COMPILE_DONE : fail_with_log(k);
}

static bool translate(const Kernel *k) {
  CompilePath bitcode, module;
  char version[32];
  const CompileTarget *target = k->source->target;
  unsigned most = target && target->spirv < MOST_VERSION ? target->spirv : MOST_VERSION;
  snprintf(version, sizeof version, "--spirv-max-version=%u.%u", most / 10, most % 10);
  const char *const arguments[] = {compilers[k->compiler].translator,
                                   compile_work_file(&k->work, "k.bc", bitcode),
                                   "-o",
                                   compile_work_file(&k->work, "k.spv", module),
                                   target ? version : NULL,
                                   NULL};
  return k->direct || compile_work_run(&k->work, arguments);
}

/* Replaces the words by the result of the transform `auto`. */
static CompileOutcome order(const Kernel *k) {
  CompileResult *made = k->result;
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "auto";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  bool good = spvreconv_run(&options, made->words, made->count, &result) == SPVRECONV_OK;
  CompileOutcome outcome = COMPILE_DONE;
  size_t count;
  const uint32_t *ordered = spvreconv_result_words(result, &count);
  uint32_t *copy = good ? malloc(count * sizeof *copy) : NULL;
  if (copy)
    memcpy(copy, ordered, count * sizeof *copy);
  else
    outcome = fail(k, good || !result ? "out of memory" : spvreconv_result_message(result));
  free(made->words);
  made->words = copy;
  made->count = copy ? count : 0;
  spvreconv_result_destroy(result);
  return outcome;
}

/* Writes the source after a #line with the file's name, so that debug lines name the file; without
 * the #line if it cannot state the name. */
static bool write_source(const Kernel *k) {
  char *head;
  bool quote = *k->text->name && !strpbrk(k->text->name, "\"\\\n");
  if (!quote)
    return compile_work_write(&k->work, "k.cl", COMPILE_OPENCL_PREFIX, k->text);
  if (asprintf(&head, "%.*s \"%s\"\n", (int)strlen(COMPILE_OPENCL_PREFIX) - 1,
               COMPILE_OPENCL_PREFIX, k->text->name) < 0)
    return false;
  bool good = compile_work_write(&k->work, "k.cl", head, k->text);
  free(head);
  return good;
}

/* Compiles with some optimization to a file for llvm-spirv. `text`: by way of LLVM's text
 * (compile_ir.h). */
static bool optimize(const Kernel *k, const char *folder, const char *level, bool text, bool debug,
                     CompileOutcome *outcome) {
  const char *clang = compilers[k->compiler].clang, *pointers = compilers[k->compiler].pointers;
  *outcome = compile(k, folder, level, text, debug);
  return *outcome == COMPILE_DONE && (!text || compile_ir(&k->work, clang, pointers, level));
}

/* Compiles with less and less optimization, then again without debug lines, until llvm-spirv can
 * translate the result. */
static CompileOutcome make(const Kernel *k, const char *folder) {
  CompilePath path;
  static const struct {
    const char *level;
    bool text;
  } levels[] = {{"-O2", false}, {"-O1", false}, {"-O2", true}, {"-O1", true}, {"-O0", false}};
  enum { LEVELS = sizeof levels / sizeof *levels };
  size_t attempts = k->source->debug ? 2 * LEVELS : LEVELS;
  bool made = false;
  if (!write_source(k))
    return fail(k, strerror(errno));
  for (size_t i = 0; i < attempts && !made; i++) {
    bool text = levels[i % LEVELS].text;
    CompileOutcome outcome;
    if (k->direct && text)
      continue;
    made = optimize(k, folder, levels[i % LEVELS].level, text, k->source->debug && i < LEVELS,
                    &outcome) &&
           translate(k);
    if (outcome != COMPILE_DONE)
      return COMPILE_WRONG;
  }
  if (!made)
    return fail_with_log(k);
  if (!compile_work_module(&k->work, "k.spv", k->result))
    return fail(k, "llvm-spirv wrote no module");
  compile_repair(k->result);
  if (k->source->debug)
    compile_lines_keep(k->result, k->text, compile_work_file(&k->work, "k.cl", path));
  return COMPILE_DONE;
}

CompileOutcome compile_opencl(const CompileSource *source, CompileResult *result) {
  Kernel k = {.source = source, .text = source->texts, .result = result};
  k.compiler = find_compiler();
  k.direct = source->target && !source->target->spirv;
  if (k.direct ? !os_path_has_program(generator) : k.compiler == COMPILERS) {
    result->log = strdup(k.direct ? "--target-env=spirv64 needs clang-22, which is not in PATH: "
                                    "leave it out, to translate with llvm-spirv"
                                  : compile_opencl_missing());
    return COMPILE_MISSING;
  }
  CompileKept kept;
  if (compile_kept_find(&kept, source, k.direct ? generator : compilers[k.compiler].clang, result))
    return COMPILE_DONE;
  if (!compile_work_open(&k.work, result, k.text->name))
    return COMPILE_WRONG;
  char *folder = own_folder(k.text->name);
  CompileOutcome outcome = folder ? make(&k, folder) : fail(&k, "out of memory");
  compile_work_close(&k.work);
  free(folder);
  if (outcome == COMPILE_DONE)
    outcome = order(&k);
  if (outcome == COMPILE_DONE)
    compile_kept_put(&kept, result);
  return outcome;
}
