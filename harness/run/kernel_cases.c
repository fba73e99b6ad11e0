/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_cases: see kernel_cases.h.
 *
 * A kernel works on an image or a grid of EXTENT x EXTENT items, one invocation each; integers
 * named like a size are EXTENT, others are small, floats are between 0 and 1. Buffers have several
 * times as many elements as there are items, so that most indices that a kernel computes from such
 * sizes are inside. If some are outside, the emulator says so. Another seed may help then: integers
 * are smaller for even seeds, and buffers are larger for seeds of 3 and above. The numbers depend
 * only on the seed and on the names. */
#include "harness/run/kernel_cases.h"

#include "harness/shader/case_file.h"
#include "harness/shader/kernel_parameters.h"
#include "passes/tool/compile/compile.h"
#include "passes/tool/compile/compile_file.h"
#include "spv-emu/cases/guess.h"
#include "spv-emu/cases/random.h"

#include "passes/tool/tool_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { EXTENT = 16, GROUP = 8, ITEMS = 4 * EXTENT * EXTENT, LOCAL_BYTES = 16384 };

typedef struct Writer {
  const HnKernelCases *wanted;
  const char *source; /* absolute path */
  const char *name;   /* name of the kernel */
  const HnKernel *kernel;
  FILE *out;
  uint64_t random; /* state of the random numbers */
} Writer;

static uint64_t next(Writer *w) {
  return emu_random(&w->random);
}

/* A random number from 0 to below 1 that a float holds exactly. */
static double real(Writer *w) {
  return (double)(next(w) >> 40) / (1 << 24);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Small integers are below this. */
static uint64_t most(const Writer *w) {
  return w->wanted->seed % 2 ? 4 : 2;
}

/* The number of elements of a buffer. */
static uint32_t items(const Writer *w) {
  return w->wanted->seed < 3 ? ITEMS : 4 * ITEMS;
}

/* The value that the caller gives to an argument; NULL: none. */
static const char *setting_of(const Writer *w, const HnArgument *a) {
  size_t length = strlen(a->name);
  for (uint32_t i = 0; a->kind == HN_ARGUMENT_VALUE && i < w->wanted->setting_count; i++)
    if (strncmp(w->wanted->settings[i], a->name, length) == 0 &&
        w->wanted->settings[i][length] == '=')
      return w->wanted->settings[i] + length + 1;
  return NULL;
}

static void write_number(Writer *w, const HnArgument *a) {
  if (setting_of(w, a))
    fprintf(w->out, " %s", setting_of(w, a));
  else if (a->is_float)
    fprintf(w->out, " %.9g", real(w));
  else
    fprintf(w->out, " %u",
            (unsigned)(emu_is_size(a->name) && a->kind == HN_ARGUMENT_VALUE ? EXTENT
                                                                            : next(w) % most(w)));
}

/* Writes the type of the scalars of an argument: "vec3<float>". */
static void write_type(const Writer *w, const HnArgument *a, uint32_t components) {
  const char *kind = a->is_float ? (a->bits == 64 ? "double" : "float") : "uint";
  char scalar[16];
  snprintf(scalar, sizeof scalar, "%s", kind);
  if (!a->is_float || a->bits == 16)
    snprintf(scalar, sizeof scalar, "%s%u", kind, a->bits);
  if (components > 1)
    fprintf(w->out, "vec%u<%s>", components, scalar);
  else
    fprintf(w->out, "%s", scalar);
}

static void write_data(Writer *w, const HnArgument *a, uint64_t count) {
  fputs(" DATA", w->out);
  for (uint64_t i = 0; i < count; i++) {
    if (i % 16 == 0)
      fputc('\n', w->out);
    write_number(w, a);
  }
  fputs("\nEND\n", w->out);
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* Declares a buffer of single scalars, so that its layout in memory is that of OpenCL. A struct is
 * zeros. */
static void declare_buffer(Writer *w, const HnArgument *a, uint32_t i) {
  uint32_t slots = a->components == 3 ? 4 : a->components;
  fprintf(w->out, "BUFFER b%u DATA_TYPE ", i);
  if (!a->components) {
    fprintf(w->out, "uint32 SIZE %u FILL 0\n", items(w));
    return;
  }
  write_type(w, a, 1);
  fprintf(w->out, " SIZE %u", items(w) * slots);
  write_data(w, a, (uint64_t)items(w) * slots);
}

static void declare_image(Writer *w, const HnArgument *a, uint32_t i) {
  const HnArgument texel = {.name = "", .is_float = !a->whole, .bits = 32};
  uint32_t depth = a->dimensions > 2 ? EXTENT : 1, height = a->dimensions > 1 ? EXTENT : 1;
  fprintf(w->out, "IMAGE b%u FORMAT R32G32B32A32_%s DIM_%uD WIDTH %u HEIGHT %u DEPTH %u", i,
          a->whole ? "UINT" : "SFLOAT", a->dimensions, (unsigned)EXTENT, height, depth);
  write_data(w, &texel, UINT64_C(4) * EXTENT * height * depth);
}

static void declare(Writer *w, uint32_t i) {
  const HnArgument *a = &w->kernel->arguments[i];
  fprintf(w->out, "# %s\n", a->name);
  if (a->kind == HN_ARGUMENT_BUFFER)
    declare_buffer(w, a, i);
  else if (a->kind == HN_ARGUMENT_IMAGE)
    declare_image(w, a, i);
  else if (a->kind == HN_ARGUMENT_LOCAL)
    fprintf(w->out, "BUFFER b%u DATA_TYPE uint32 SIZE %u FILL 0\n", i, LOCAL_BYTES / 4);
  else if (a->kind == HN_ARGUMENT_SAMPLER)
    fprintf(w->out,
            "SAMPLER b%u UNNORMALIZED_COORDS ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V "
            "clamp_to_edge ADDRESS_MODE_W clamp_to_edge\n",
            i);
}

static void bind(Writer *w, uint32_t i) {
  const HnArgument *a = &w->kernel->arguments[i];
  switch (a->kind) {
  case HN_ARGUMENT_VALUE:
    fprintf(w->out, "  SET KERNEL ARG_NUMBER %u AS ", i);
    write_type(w, a, a->components);
    for (uint32_t k = 0; k < a->components; k++)
      write_number(w, a);
    fputc('\n', w->out);
    break;
  case HN_ARGUMENT_SAMPLER:
    fprintf(w->out, "  BIND SAMPLER b%u KERNEL ARG_NUMBER %u\n", i, i);
    break;
  case HN_ARGUMENT_IMAGE:
    fprintf(w->out, "  BIND BUFFER b%u AS %s KERNEL ARG_NUMBER %u\n", i,
            a->access == HN_READ_ONLY ? "sampled_image" : "storage_image", i);
    break;
  default:
    fprintf(w->out, "  BIND BUFFER b%u KERNEL ARG_NUMBER %u\n", i, i);
  }
}

/* ---- one case -------------------------------------------------------------------------------- */

/* Why the argument cannot be made up; NULL: it can. */
static const char *obstacle(const HnArgument *a) {
  switch (a->kind) {
  case HN_ARGUMENT_OTHER:
    return "is of a kind that no case can give";
  case HN_ARGUMENT_IMAGE:
    return a->dimensions ? NULL : "is an array of images, or one that is not plain";
  case HN_ARGUMENT_VALUE:
    return a->components && a->components <= 4 ? NULL : "is a struct or a long vector by value";
  default:
    return NULL;
  }
}

#define SHADER_LINE "SHADER compute kernel OPENCL-C FILE "

static void write_case(Writer *w) {
  const HnKernelCases *wanted = w->wanted;
  const char *slash = strrchr(w->source, '/');
  fprintf(w->out, "#!amber\n# Kernel %s with made-up arguments, seed %llu.\n", w->name,
          (unsigned long long)wanted->seed);
  fprintf(w->out, SHADER_LINE "%s\n", w->source);
  for (uint32_t i = 0; i < w->kernel->argument_count; i++)
    declare(w, i);
  fprintf(w->out, "PIPELINE compute pipeline\n  ATTACH kernel ENTRY_POINT %s", w->name);
  if (w->kernel->needs_size)
    fprintf(w->out, " SPECIALIZE 0 AS uint32 %u SPECIALIZE 1 AS uint32 %u", (unsigned)GROUP,
            (unsigned)GROUP);
  fputs("\n  COMPILE_OPTIONS kernel\n", w->out);
  if (!memchr(w->source, ' ', (size_t)(slash - w->source))) /* an option is one word, without
                                                               blanks */
    fprintf(w->out, "    -I%.*s\n", (int)(slash - w->source), w->source);
  for (uint32_t i = 0; i < wanted->option_count; i++)
    fprintf(w->out, "    %s\n", wanted->options[i]);
  fputs("  END\n", w->out);
  for (uint32_t i = 0; i < w->kernel->argument_count; i++)
    bind(w, i);
  const uint32_t *size = w->kernel->size;
  uint32_t x = w->kernel->needs_size || !size[0] ? GROUP : size[0],
           y = w->kernel->needs_size || !size[1] ? GROUP : size[1];
  fprintf(w->out, "END\nRUN pipeline %u %u 1\n", (EXTENT + x - 1) / x, (EXTENT + y - 1) / y);
}

/* Is there no file at the path, or only a case made earlier from the same source? Files of several
 * folders may have the same name. */
static bool is_free(const char *path, const char *source) {
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &size))
    return true;
  char *text = strndup((const char *)bytes, size);
  const char *line = text ? strstr(text, "\n" SHADER_LINE) : NULL;
  line = line ? line + strlen("\n" SHADER_LINE) : "";
  size_t length = strcspn(line, "\n");
  bool same = length == strlen(source) && memcmp(line, source, length) == 0;
  free(text);
  free(bytes);
  return same;
}

static bool make_case(Writer *w) {
  const HnKernelCases *wanted = w->wanted;
  const char *slash = strrchr(w->source, '/');
  for (uint32_t i = 0; i < w->kernel->argument_count; i++) {
    const char *why = obstacle(&w->kernel->arguments[i]);
    if (why) {
      tool_say(wanted->path, "kernel %s: no case: argument %s %s", w->name,
               w->kernel->arguments[i].name, why);
      return true;
    }
  }
  char *path;
  if (asprintf(&path, "%s/%s.%s.amber", wanted->folder, slash + 1, w->name) < 0)
    return false;
  if (!is_free(path, w->source)) {
    tool_say(path, "is the case of another file's kernel: choose another folder");
    free(path);
    return false;
  }
  w->out = fopen(path, "w");
  w->random = XXH3_64bits_withSeed(w->name, strlen(w->name), wanted->seed);
  if (w->out)
    write_case(w);
  bool good = w->out && fclose(w->out) == 0;
  if (good)
    puts(path);
  else
    tool_say(path, "%s", strerror(errno));
  free(path);
  return good;
}

/* ---- the cases of all kernels ---------------------------------------------------------------- */

static bool make_cases(const HnKernelCases *wanted, const char *source, HnModule module) {
  bool good = tool_make_folder(wanted->folder);
  const char *name;
  for (uint32_t i = 0; good && (name = hn_kernel_name(module, i)); i++) {
    HnKernel kernel;
    good = hn_kernel_read(module, name, &kernel);
    Writer w = {.wanted = wanted, .source = source, .name = name, .kernel = &kernel};
    good = good && make_case(&w);
    hn_kernel_clear(&kernel);
  }
  return good;
}

static bool compile(const HnKernelCases *wanted, const char *source, const uint8_t *bytes,
                    size_t size, HnModule *module) {
  const CompileText text = {source, (const char *)bytes, size};
  const CompileSource all = {.language = COMPILE_OPENCL_C,
                             .stage = COMPILE_KERNEL,
                             .texts = &text,
                             .text_count = 1,
                             .options = wanted->options,
                             .option_count = wanted->option_count};
  CompileResult result;
  CompileError error = {0};
  CompileOutcome outcome = compile_run(&all, &result);
  *module = (HnModule){result.words, result.count};
  result.words = NULL;
  if (outcome != COMPILE_DONE && result.log && compile_first_error(result.log, &error))
    tool_say(wanted->path, "line %u: %.*s", error.line, (int)error.text_length, error.text);
  else if (outcome != COMPILE_DONE)
    tool_say(wanted->path, "%s", result.log ? result.log : "out of memory");
  compile_free(&result);
  return outcome == COMPILE_DONE;
}

bool hn_kernel_cases(const HnKernelCases *wanted) {
  char *source = realpath(wanted->path, NULL);
  uint8_t *bytes = NULL;
  size_t size;
  HnModule module = {0};
  bool good = source && compile_file_read(source, HN_FILE_MOST, &bytes, &size);
  if (!good)
    tool_say(wanted->path, "cannot be read: %s", strerror(errno));
  good =
      good && compile(wanted, source, bytes, size, &module) && make_cases(wanted, source, module);
  free((void *)module.words);
  free(bytes);
  free(source);
  return good;
}
