/* SPDX-License-Identifier: Apache-2.0 */
/* opencl_math: measures how far the functions of OpenCL.std are from the exact results.
 *
 *   opencl_math DEVICE POINTS [--native] [FUNCTION…]
 *
 * DEVICE is
 *   code                       the functions of math.def, compiled as C
 *   kernel                     the emulator, which runs the kernel as it is
 *   emu lavapipe swiftshader   the shader that kernel-to-shader makes of the kernel
 *
 * Prints a line for each function: its name, OpenCL's bound, the largest error in units in the last place, and the
 * point and the result which have it. Exit code 1 if an error is beyond its bound; 77 if the device is not there. */
#include "tests/math/math_function.h"
#include "tests/math/math_run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64, LANES = 4 * GROUP /* points of a workgroup */, MISSING = 77 };

static const char kernel[] = "SHADER compute measure SPIRV-ASM TARGET_ENV spv1.2\n"
                             "OpCapability Addresses\n"
                             "OpCapability Kernel\n"
                             "OpCapability Int64\n"
                             "%%std = OpExtInstImport \"OpenCL.std\"\n"
                             "OpMemoryModel Physical64 OpenCL\n"
                             "OpEntryPoint Kernel %%measure \"measure\" %%id\n"
                             "OpDecorate %%id BuiltIn GlobalInvocationId\n"
                             "%%uint = OpTypeInt 32 0\n"
                             "%%ulong = OpTypeInt 64 0\n"
                             "%%ulong3 = OpTypeVector %%ulong 3\n"
                             "%%float = OpTypeFloat 32\n"
                             "%%vf = OpTypeVector %%float 4\n"
                             "%%vi = OpTypeVector %%uint 4\n"
                             "%%void = OpTypeVoid\n"
                             "%%pf = OpTypePointer CrossWorkgroup %%vf\n"
                             "%%pi = OpTypePointer CrossWorkgroup %%vi\n"
                             "%%pid = OpTypePointer Input %%ulong3\n"
                             "%%ft = OpTypeFunction %%void %%pf %%pf %%pf %%pi %%p%c %%p%c\n"
                             "%%id = OpVariable %%pid Input\n"
                             "%%measure = OpFunction %%void None %%ft\n"
                             "%%x = OpFunctionParameter %%pf\n"
                             "%%y = OpFunctionParameter %%pf\n"
                             "%%z = OpFunctionParameter %%pf\n"
                             "%%n = OpFunctionParameter %%pi\n"
                             "%%out = OpFunctionParameter %%p%c\n"
                             "%%more = OpFunctionParameter %%p%c\n"
                             "%%entry = OpLabel\n"
                             "%%all = OpLoad %%ulong3 %%id Aligned 32\n"
                             "%%i = OpCompositeExtract %%ulong %%all 0\n"
                             "%%xp = OpInBoundsPtrAccessChain %%pf %%x %%i\n"
                             "%%yp = OpInBoundsPtrAccessChain %%pf %%y %%i\n"
                             "%%zp = OpInBoundsPtrAccessChain %%pf %%z %%i\n"
                             "%%np = OpInBoundsPtrAccessChain %%pi %%n %%i\n"
                             "%%op = OpInBoundsPtrAccessChain %%p%c %%out %%i\n"
                             "%%mp = OpInBoundsPtrAccessChain %%p%c %%more %%i\n"
                             "%%xv = OpLoad %%vf %%xp Aligned 16\n"
                             "%%yv = OpLoad %%vf %%yp Aligned 16\n"
                             "%%zv = OpLoad %%vf %%zp Aligned 16\n"
                             "%%nv = OpLoad %%vi %%np Aligned 16\n"
                             "%%value = OpExtInst %%v%c %%std %s %%xv%s\n"
                             "OpStore %%%cp %%value Aligned 16\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n"
                             "END\n";

static const char pipeline[] = "BUFFER out DATA_TYPE uint32 SIZE %u FILL 0\n"
                               "BUFFER more DATA_TYPE uint32 SIZE %u FILL 0\n"
                               "PIPELINE compute pipeline\n"
                               "  ATTACH measure ENTRY_POINT measure SPECIALIZE 0 AS uint32 %u\n"
                               "  BIND BUFFER x AS storage KERNEL ARG_NUMBER 0\n"
                               "  BIND BUFFER y AS storage KERNEL ARG_NUMBER 1\n"
                               "  BIND BUFFER z AS storage KERNEL ARG_NUMBER 2\n"
                               "  BIND BUFFER n AS storage KERNEL ARG_NUMBER 3\n"
                               "  BIND BUFFER out AS storage KERNEL ARG_NUMBER 4\n"
                               "  BIND BUFFER more AS storage KERNEL ARG_NUMBER 5\n"
                               "END\n"
                               "RUN pipeline %u 1 1\n";

typedef struct Measure {
  const MathFunction *function;
  const char *device;
  MathRun run;
  uint32_t count;    /* of points, a multiple of LANES */
  uint32_t *results; /* bits; owned */
} Measure;

/* ---- the case -------------------------------------------------------------------------------- */

static uint32_t bits_of(const MathPoint *p, char argument) {
  uint32_t bits;
  memcpy(&bits, argument == 'x' ? &p->x : argument == 'y' ? &p->y : &p->z, sizeof bits);
  return argument == 'n' ? (uint32_t)p->n : bits;
}

static void write_buffer(FILE *out, const Measure *m, char argument) {
  fprintf(out, "BUFFER %c DATA_TYPE uint32 DATA\n", argument);
  for (uint32_t i = 0; i < m->count; i++) {
    MathPoint p = math_point(m->function, i);
    fprintf(out, "%u%c", bits_of(&p, argument), i % 16 == 15 ? '\n' : ' ');
  }
  fprintf(out, "END\n");
}

/* The assembler's name: in small letters, without what follows __. */
static void name_of(const MathFunction *f, char *name, size_t room) {
  const char *end = strstr(f->name, "__");
  size_t length = end ? (size_t)(end - f->name) : strlen(f->name), i;
  for (i = 0; i < length && i + 1 < room; i++)
    name[i] = (char)tolower(f->name[i]);
  name[i] = 0;
}

/* The operands after the first. */
static void operands_of(const MathFunction *f, char *text, size_t room) {
  const char *floats[] = {" %yv", " %zv"};
  uint32_t count = 0;
  *text = 0;
  for (const char *a = f->arguments + 2; *a; a++) {
    strncat(text,
            *a == 'f'   ? floats[count++]
            : *a == 'i' ? " %nv"
            : *a == 'p' ? " %mp"
                        : " %op",
            room - strlen(text) - 1);
    if (*a == 'p' || *a == 'o')
      break;
  }
}

/* The case, as text that the caller frees. */
static char *write_case(const Measure *m) {
  const MathFunction *f = m->function;
  const char *stored = strchr(f->arguments, 'p'), *out = strchr(f->arguments, 'o');
  char *text, name[32], operands[32], result = f->arguments[0];
  char more = stored ? stored[1] : 'f', value = out ? 'f' : result;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return NULL;
  name_of(f, name, sizeof name);
  operands_of(f, operands, sizeof operands);
  fprintf(file, kernel, result, more, result, more, result, more, value, name, operands,
          out ? 'm' : 'o');
  for (const char *b = "xyzn"; *b; b++)
    write_buffer(file, m, *b);
  fprintf(file, pipeline, m->count, m->count, GROUP, m->count / LANES);
  return fclose(file) == 0 ? text : NULL;
}

/* ---- running it ------------------------------------------------------------------------------ */

static HnOutcome measure(Measure *m, char **message) {
  *message = NULL;
  if (strcmp(m->device, "code") != 0) {
    char *text = write_case(m);
    HnOutcome outcome =
        text ? math_run(&m->run, text, m->results, m->count * sizeof *m->results, message)
             : HN_FAIL;
    free(text);
    return outcome;
  }
  for (uint32_t i = 0; i < m->count; i++)
    m->results[i] = m->function->code(math_point(m->function, i));
  return HN_PASS;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static bool print_worst(const Measure *m) {
  const MathFunction *f = m->function;
  double worst = -1;
  uint32_t at = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    double error = math_error(f, math_point(f, i), m->results[i]);
    if (error > worst)
      worst = error, at = i;
  }
  MathPoint p = math_point(f, at);
  bool good = worst <= f->bound;
  printf("%s %g %.2f x=%a y=%a z=%a n=%d result=0x%08x exact=%La%s\n", f->name, f->bound, worst,
         p.x, p.y, p.z, p.n, m->results[at], f->exact(p.x, p.y, p.z, p.n),
         good ? "" : " BEYOND ITS BOUND");
  return good;
}

static bool is_named(const MathFunction *f, char **names, int count) {
  bool any = count == 0;
  for (int i = 0; i < count; i++)
    any = any || strcmp(names[i], f->name) == 0;
  return any;
}

int main(int argc, char **argv) {
  bool native = argc > 3 && strcmp(argv[3], "--native") == 0;
  int first = native ? 4 : 3, exit_code = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: opencl_math DEVICE POINTS [--native] [FUNCTION...]\n");
    return 2;
  }
  if (!math_run_is_there(argv[1]))
    return MISSING;
  Measure m = {.device = argv[1],
               .run = {argv[1], native},
               .count = ((uint32_t)strtoul(argv[2], NULL, 10) + LANES - 1) / LANES * LANES};
  m.results = calloc(m.count, sizeof *m.results);
  for (size_t i = 0; i < math_function_count; i++) {
    char *message;
    m.function = &math_functions[i];
    if (!is_named(m.function, argv + first, argc - first) ||
        (!m.function->code && strcmp(m.device, "code") == 0))
      continue;
    HnOutcome outcome = measure(&m, &message);
    if (outcome == HN_PASS)
      exit_code |= !print_worst(&m);
    else
      printf("%s: %s\n", m.function->name, message ? message : "did not run");
    if (outcome != HN_PASS)
      exit_code = outcome == HN_SKIP ? MISSING : 1;
    free(message);
  }
  free(m.results);
  return exit_code;
}
