/* SPDX-License-Identifier: Apache-2.0 */
/* opencl: see opencl.h.
 *
 * clang writes LLVM's bitcode, llvm-spirv the module, both to files of a folder of their own. What
 * LLVM's optimizer makes of some kernels, llvm-spirv cannot translate (freeze, integers of odd
 * widths); these are compiled with less optimization. llvm-spirv puts blocks before their
 * dominators; `auto` orders them and changes nothing else, since kernels need no structure. */
#include "shader/opencl.h"

#include "shader/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_OPTIONS = 64, MOST_MODULE = 64 << 20, LONGEST_FOLDER = 40 /* of TMPDIR */ };

/* ---- the programs ---------------------------------------------------------------------------- */

/* Versions of LLVM that distributions have with its translator. Before 16 pointers have types,
 * which the translator of that version needs. */
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

static bool in_path(const char *program) {
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

static size_t find_compiler(void) {
  size_t i = 0;
  while (i < COMPILERS && !(in_path(compilers[i].clang) && in_path(compilers[i].translator)))
    i++;
  return i;
}

const char *hn_opencl_missing(void) {
  return find_compiler() < COMPILERS
             ? NULL
             : "OpenCL C needs clang and llvm-spirv of one version (Debian: clang-15, "
               "llvm-spirv-15), which are not in PATH";
}

/* ---- running one ----------------------------------------------------------------------------- */

typedef struct Work {
  char folder[64];
  const AmberShader *shader;
  unsigned *line;
  char *text;
  size_t text_size;
} Work;

static const char *file_of(const Work *w, const char *name, char path[128]) {
  snprintf(path, 128, "%s/%s", w->folder, name);
  return path;
}

static bool fail(const Work *w, unsigned line, const char *what) {
  *w->line = line;
  snprintf(w->text, w->text_size, "%s", what);
  w->text[strcspn(w->text, "\r\n")] = 0;
  return false;
}

/* Messages go to the file "log". */
static bool run(const Work *w, const char *const *arguments) {
  char log[128];
  posix_spawn_file_actions_t files;
  pid_t child;
  int status = -1;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, file_of(w, "log", log),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  int error = posix_spawnp(&child, arguments[0], &files, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (error)
    return fail(w, 0, strerror(error));
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first error of the log, "PATH:LINE:COLUMN: error: TEXT", or its first line. */
static bool fail_with_log(const Work *w) {
  static const char mark[] = "error: ";
  char path[128];
  uint8_t *bytes;
  size_t size;
  if (!hn_file_read(file_of(w, "log", path), 1 << 20, &bytes, &size))
    return fail(w, 0, "the compiler fails");
  char *log = strndup((const char *)bytes, size);
  free(bytes);
  const char *what = log ? strstr(log, mark) : NULL;
  unsigned line = 0;
  if (what) {
    const char *start = what;
    while (start > log && start[-1] != '\n')
      start--;
    const char *own = strstr(start, "/k.cl:");
    if (own && own < what)
      line = (unsigned)strtoul(own + strlen("/k.cl:"), NULL, 10);
    what += strlen(mark);
  }
  fail(w, line, what ? what : log && *log ? log : "the compiler fails");
  free(log);
  return false;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static bool write_source(const Work *w) {
  char path[128];
  FILE *out = fopen(file_of(w, "k.cl", path), "w");
  if (!out)
    return fail(w, 0, strerror(errno));
  fputs(HN_OPENCL_PREFIX, out);
  fwrite(w->shader->source, 1, w->shader->source_size, out);
  return fclose(out) == 0 || fail(w, 0, strerror(errno));
}

/* Cases come from anywhere: an option must not name a file to write, or a plugin to load. */
static bool is_harmless(const char *option) {
  static const char *const starts[] = {"-D", "-U", "-I", "-cl-"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(option, starts[i], strlen(starts[i])) == 0 && option[strlen(starts[i])])
      return true;
  return false;
}

/* The optimization level is the last argument. */
static bool compile(const Work *w, size_t compiler, const char *level) {
  char source[128], bitcode[128];
  const char *arguments[MOST_OPTIONS] = {compilers[compiler].clang,
                                         "-target",
                                         "spir64-unknown-unknown",
                                         "-x",
                                         "cl",
                                         "-Xclang",
                                         "-finclude-default-header",
                                         "-fno-discard-value-names",
                                         "-ffp-contract=off",
                                         "-fgnu89-inline",
                                         "-w",
                                         "-emit-llvm",
                                         "-c",
                                         "-o",
                                         file_of(w, "k.bc", bitcode),
                                         file_of(w, "k.cl", source)};
  size_t count = 16;
  if (compilers[compiler].pointers) {
    arguments[count++] = "-Xclang";
    arguments[count++] = compilers[compiler].pointers;
  }
  for (uint32_t i = 0; i < w->shader->option_count; i++) {
    if (count + 3 > MOST_OPTIONS)
      return fail(w, 0, "too many COMPILE_OPTIONS");
    if (!is_harmless(w->shader->options[i]))
      return fail(w, 0, "COMPILE_OPTIONS of OpenCL C are -D, -U, -I and -cl-..., nothing else");
    arguments[count++] = w->shader->options[i];
  }
  arguments[count] = level;
  return run(w, arguments) || fail_with_log(w);
}

static bool translate(const Work *w, size_t compiler) {
  char bitcode[128], module[128];
  const char *const arguments[] = {compilers[compiler].translator, file_of(w, "k.bc", bitcode),
                                   "-o", file_of(w, "k.spv", module), NULL};
  return run(w, arguments) || fail_with_log(w);
}

static bool keep_ordered(const Work *w, const uint32_t *words, size_t count, HnModule *module) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "auto";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  bool good = spvreconv_run(&options, words, count, &result) == SPVRECONV_OK;
  size_t ordered_count;
  const uint32_t *ordered = spvreconv_result_words(result, &ordered_count);
  uint32_t *copy = good ? malloc(ordered_count * sizeof *copy) : NULL;
  if (copy) {
    memcpy(copy, ordered, ordered_count * sizeof *copy);
    *module = (HnModule){copy, ordered_count};
  } else {
    good = fail(w, 0, good ? "out of memory" : spvreconv_result_message(result));
  }
  spvreconv_result_destroy(result);
  return good;
}

static bool keep(const Work *w, HnModule *module) {
  char path[128];
  uint8_t *bytes;
  size_t size;
  if (!hn_file_read(file_of(w, "k.spv", path), MOST_MODULE, &bytes, &size))
    return fail(w, 0, "llvm-spirv wrote no module");
  uint32_t *words = malloc(size + sizeof *words);
  if (words)
    memcpy(words, bytes, size);
  free(bytes);
  bool good =
      words ? keep_ordered(w, words, size / sizeof *words, module) : fail(w, 0, "out of memory");
  free(words);
  return good;
}

static bool make(const Work *w, HnModule *module) {
  static const char *const levels[] = {"-O2", "-O1", "-O0"};
  size_t compiler = find_compiler();
  bool made = false;
  if (compiler == COMPILERS)
    return fail(w, 0, hn_opencl_missing());
  if (!write_source(w))
    return false;
  for (size_t i = 0; i < sizeof levels / sizeof *levels && !made; i++) {
    if (!compile(w, compiler, levels[i]))
      return false;
    made = translate(w, compiler);
  }
  return made && keep(w, module);
}

static void remove_files(const Work *w) {
  static const char *const names[] = {"k.cl", "k.bc", "k.spv", "log"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlink(file_of(w, names[i], path));
  rmdir(w->folder);
}

bool hn_opencl_make(const AmberShader *shader, HnModule *module, unsigned *line, char *text,
                    size_t text_size) {
  Work w = {.shader = shader, .line = line, .text = text, .text_size = text_size};
  const char *temporary = getenv("TMPDIR");
  if (!temporary || strlen(temporary) > LONGEST_FOLDER)
    temporary = "/tmp";
  snprintf(w.folder, sizeof w.folder, "%s/spv-opencl-XXXXXX", temporary);
  if (!mkdtemp(w.folder))
    return fail(&w, 0, strerror(errno));
  bool made = make(&w, module);
  remove_files(&w);
  return made;
}
