/* SPDX-License-Identifier: Apache-2.0 */
/* converge_report: see converge_report.h. */
#include "harness/converge/converge_report.h"

#include "harness/converge/converge_reduce.h"
#include "harness/converge/converge_script.h"
#include "harness/converge/generate.h"
#include "harness/converge/glsl.h"
#include "passes/tool/tool_file.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

void cv_totals_add(CvTotals *t, uint64_t seed, const CvVerdict *verdict) {
  char name[64], other[64];
  uint32_t i = 0;
  t->wrong++;
  cv_fault_name(verdict, name);
  for (; i < t->kind_count; i++) {
    cv_fault_name(&t->kinds[i].verdict, other);
    if (strcmp(name, other) == 0)
      break;
  }
  if (i == CV_KINDS)
    i--; /* the last kind stands for all others */
  if (i == t->kind_count)
    t->kinds[t->kind_count++].verdict = *verdict;
  CvMistake *k = &t->kinds[i];
  if (k->programs < CV_SEEDS)
    k->seeds[k->programs] = seed;
  k->programs++;
}

void cv_report_device(const CvDevice *d) {
  static const char *const promises[CV_MODES] = {"VK_KHR_shader_maximal_reconvergence",
                                                 "VK_KHR_shader_subgroup_uniform_control_flow", ""};
  printf("%s, subgroups of %u, mode %s", d->device->name, d->size, cv_mode_names[d->mode]);
  if (d->policy)
    printf(", policy %s", d->policy);
  if (!d->promises)
    printf(": without %s, so a difference is not a driver bug", promises[d->mode]);
  putchar('\n');
}

/* ---- a reduced program ---- */

static void put_rows(const CvProgram *p, uint32_t first, uint64_t *rows) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next) {
    const CvStatement *at = &p->at[s];
    bool uses = at->kind == CV_IF || at->kind == CV_LOOP || at->kind == CV_SWITCH ||
                (at->kind == CV_TELL && at->tell == CV_VOTE);
    for (uint32_t k = 0; uses && k <= (at->counter ? CV_ITERATIONS : 0); k++)
      if (at->row + k < 64)
        *rows |= UINT64_C(1) << (at->row + k);
    for (uint32_t i = 0; i < cv_parts(at); i++)
      put_rows(p, at->parts[i], rows);
  }
}

static void print_rows(const CvProgram *p, const CvVerdict *v, uint32_t size) {
  uint64_t rows = 0;
  uint32_t from = v->state == CV_WRONG ? v->lane / size * size : 0;
  for (uint32_t f = 0; f < p->function_count; f++)
    put_rows(p, p->functions[f], &rows);
  for (uint32_t row = 0; row < CV_ROWS; row++) {
    if (!(rows >> row & 1))
      continue;
    printf("  value(%u) of lanes 0 to %u:", row, size - 1);
    for (uint32_t lane = 0; lane < size; lane++)
      printf(" %u", cv_value(row, from + lane, size));
    putchar('\n');
  }
}

/* The functions after the first, main, that all programs have: tell, value and begin. */
enum { FIRST_HELPER = 1, HELPERS = 3 };

/* Prints the program's own functions; the text has a line for each instruction. */
static void print_functions(const char *text) {
  uint32_t function = 0;
  bool inside = false;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    const char *start = line + strspn(line, " ");
    bool begins = memmem(line, length, "= OpFunction ", strlen("= OpFunction "));
    bool helper = function >= FIRST_HELPER && function < FIRST_HELPER + HELPERS;
    if (begins && helper)
      printf("    ; %.*s is %s\n", (int)strcspn(start, " "), start,
             (const char *const[]){"tell", "value", "begin"}[function - FIRST_HELPER]);
    inside |= begins && !helper;
    function += begins;
    if (inside)
      printf("    %.*s\n", (int)(length - (size_t)(start - line)), start);
    if (memmem(line, length, "OpFunctionEnd", strlen("OpFunctionEnd")))
      inside = false;
    line += length + (line[length] == '\n');
  }
}

static spvreconv_result *assembly(const CvDevice *device, const CvProgram *program) {
  spvreconv_options options;
  spvreconv_result *result = NULL;
  size_t count;
  uint32_t *words = cv_device_module(device, program, &count);
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_ASSEMBLY;
  if (words && spvreconv_run(&options, words, count, &result) != SPVRECONV_OK) {
    spvreconv_result_destroy(result);
    result = NULL;
  }
  free(words);
  return result;
}

static bool write_file(const char *folder, uint64_t seed, const char *ending, const char *text) {
  char *path;
  if (!text || asprintf(&path, "%s/seed_%llu.%s", folder, (unsigned long long)seed, ending) < 0)
    return false;
  bool good = tool_write(path, text, strlen(text));
  free(path);
  return good;
}

static bool write_artifacts(const CvDevice *device, const CvProgram *program, uint64_t seed,
                            const char *spirv, const char *folder) {
  const CvScript wanted = {.program = program,
                           .mode = device->mode,
                           .subgroup_size = device->size,
                           .declares = device->promises,
                           .expects = true,
                           .seed = seed};
  char *text = cv_script(&wanted);
  bool good = tool_make_folder(folder) && write_file(folder, seed, "amber", text) &&
              (!spirv || write_file(folder, seed, "spvasm", spirv));
  free(text);
  return good;
}

/* Writes the program's functions to memory; *lines: how many. */
static char *functions_of(const CvProgram *program, uint32_t *lines) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  *lines = cv_glsl_functions(program, "", out);
  fclose(out);
  return text;
}

static void print_indented(const char *text) {
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    printf("    %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static bool report_reduced(const CvDevice *device, uint64_t seed, CvVerdict verdict,
                           const char *artifacts) {
  CvProgram program;
  uint32_t before = 0, lines = 0, runs;
  char name[64];
  cv_generate(seed, device->mode, device->two_exits, &program);
  free(functions_of(&program, &before));
  if (!cv_reduce(device, &program, &verdict, &runs))
    return false;
  char *text = functions_of(&program, &lines);
  spvreconv_result *result = assembly(device, &program);
  const char *spirv = result ? spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY) : NULL;
  cv_fault_name(&verdict, name);
  printf("\nseed %llu: %s; reduced from %u lines to %u in %u runs\n  ", (unsigned long long)seed,
         name, before, lines, runs);
  cv_explain(&program, &verdict, device->size, stdout);
  printf("  rule: %s\n", cv_rule(&verdict, device->mode));
  print_rows(&program, &verdict, device->size);
  puts("  GLSL:");
  print_indented(text ? text : "");
  puts("  SPIR-V:");
  print_functions(spirv ? spirv : "");
  bool good = text && (!artifacts || write_artifacts(device, &program, seed, spirv, artifacts));
  spvreconv_result_destroy(result);
  free(text);
  return good;
}

/* ---- the totals ---- */

static int by_programs(const void *a, const void *b) {
  const CvMistake *first = a, *second = b;
  return (first->programs < second->programs) - (first->programs > second->programs);
}

static void print_mistake(const CvMistake *k) {
  char name[64];
  cv_fault_name(&k->verdict, name);
  printf("  %8zu  %s; seeds", k->programs, name);
  for (size_t i = 0; i < k->programs && i < CV_SEEDS; i++)
    printf(" %llu", (unsigned long long)k->seeds[i]);
  puts(k->programs > CV_SEEDS ? " …" : "");
}

bool cv_report_totals(const CvDevice *device, CvTotals *t, unsigned reduce, const char *artifacts) {
  qsort(t->kinds, t->kind_count, sizeof *t->kinds, by_programs);
  if (t->kind_count)
    printf("  %8s  first mistake of a program\n", "programs");
  for (uint32_t i = 0; i < t->kind_count; i++)
    print_mistake(&t->kinds[i]);
  if (t->skipped)
    printf("  %8zu  skipped: %s\n", t->skipped, t->why_skipped);
  fflush(stdout);
  for (uint32_t i = 0; i < t->kind_count && i < reduce; i++)
    if (!report_reduced(device, t->kinds[i].seeds[0], t->kinds[i].verdict, artifacts))
      return false;
  if (reduce && t->kind_count)
    putchar('\n');
  return true;
}
