/* SPDX-License-Identifier: Apache-2.0 */
/* fit: see fit.h. */
#include "harness/fit/fit.h"

#include "harness/converge/converge_script.h"
#include "harness/converge/generate.h"
#include "harness/fit/fit_programs.h"
#include "harness/fit/fit_report.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frees the message. */
static bool complain(char *message) {
  fprintf(stderr, "spv-harness: %s\n", message ? message : "out of memory");
  free(message);
  return false;
}

/* ---- the programs: those of fit_programs.h, then random ones ---- */

static uint32_t fixed_count(void) {
  uint32_t count = 0;
  while (ft_program_at(count))
    count++;
  return count;
}

static uint64_t random_seed(const FtOptions *o, uint32_t index) {
  return o->seed + index - fixed_count();
}

/* The first statement from here on that is neither an observation nor a call of an empty
 * function. */
static uint32_t skip(const CvProgram *p, uint32_t s) {
  while (s != CV_NONE && (p->at[s].kind == CV_TELL ||
                          (p->at[s].kind == CV_CALL && p->functions[p->at[s].callee] == CV_NONE)))
    s = p->at[s].next;
  return s;
}

/* The log observes every block, so the program's own observations only take time to compile. A
 * function calls earlier ones only. */
static void remove_tells(CvProgram *p) {
  for (uint32_t f = 0; f < p->function_count; f++)
    p->functions[f] = skip(p, p->functions[f]);
  for (uint32_t s = 0; s < p->count; s++) {
    p->at[s].next = skip(p, p->at[s].next);
    for (uint32_t i = 0; i < cv_parts(&p->at[s]); i++)
      p->at[s].parts[i] = skip(p, p->at[s].parts[i]);
    p->at[s].tells = false;
  }
}

/* Random programs have the shapes of mode maximal, where most control flow diverges. */
static char *random_text(const FtOptions *o, uint32_t index, uint32_t size) {
  CvProgram program;
  const CvScript script = {.program = &program, .mode = CV_MAXIMAL, .subgroup_size = size};
  cv_generate(random_seed(o, index), CV_MAXIMAL, false, &program);
  remove_tells(&program);
  return cv_script(&script);
}

static char *program_text(const FtOptions *o, uint32_t index, uint32_t size) {
  const FtProgram *program = ft_program_at(index);
  return program ? ft_program_script(program, size) : random_text(o, index, size);
}

static void name_program(const FtOptions *o, uint32_t index, char name[32]) {
  const FtProgram *program = ft_program_at(index);
  if (program)
    snprintf(name, 32, "%s", program->name);
  else
    snprintf(name, 32, "random_%llu", (unsigned long long)random_seed(o, index));
}

/* ---- a device ---- */

static bool run_all(FtFit *f) {
  f->run_count = fixed_count() + f->options->count;
  f->runs = calloc(f->run_count, sizeof *f->runs);
  for (uint32_t i = 0; f->runs && i < f->run_count; i++) {
    FtRun *run = &f->runs[i];
    const FtProgram *program = ft_program_at(i);
    char *text = program_text(f->options, i, f->device.size);
    name_program(f->options, i, run->name);
    bool good = text && ft_run(f, text, program ? program->transform : NULL, run);
    free(text);
    if (!good) {
      fprintf(stderr, "spv-harness: program %s: %s\n", run->name,
              *run->why ? run->why : "out of memory");
      return false;
    }
  }
  return f->runs || complain(NULL);
}

/* The policies that form tangles of a subgroup of the device's size. */
static void choose_policies(FtFit *f) {
  uint32_t known = hn_policies(f->policies);
  for (uint32_t i = 0; i < known; i++)
    if (strcmp(f->policies[i].name, "scalar") != 0)
      f->policies[f->policy_count++] = f->policies[i];
}

static bool open_device(FtFit *f, HnShaderTables *tables) {
  char *message = NULL;
  choose_policies(f);
  return cv_device_open(&f->device, tables, &message) || complain(message);
}

static bool is_bad(const FtFit *f) {
  for (uint32_t i = 0; i < f->run_count; i++)
    if (f->runs[i].outcome != HN_PASS && f->runs[i].outcome != HN_SKIP)
      return true;
  return !f->observations;
}

static void clear(FtFit *f) {
  for (uint32_t i = 0; i < f->policy_count; i++)
    ft_score_free(&f->scores[i]);
  ft_score_free(&f->repeat);
  free(f->runs);
  free(f);
}

/* Adds the device to `array`, or prints it if that is NULL. *bad: a program was not observed. */
static bool fit_device(const FtOptions *o, const HnDevice *found, HnShaderTables *tables,
                       json_t *array, bool *bad) {
  FtFit *f = calloc(1, sizeof *f);
  if (!f)
    return complain(NULL);
  f->options = o;
  f->device = (CvDevice){.device = found,
                         .policy = o->policy,
                         .mode = o->mode,
                         .size = o->subgroup_size,
                         .timeout = o->timeout,
                         .jobs = 1};
  bool good = open_device(f, tables) && run_all(f);
  if (good) {
    ft_times_measure(&f->device, &f->times);
    *bad |= is_bad(f);
    if (array)
      json_array_append_new(array, ft_report_json(f));
    else
      ft_report_text(f, stdout);
  }
  clear(f);
  return good;
}

/* ---- the command ---- */

static bool write_case(const FtOptions *o, uint32_t index) {
  char name[32], path[4096];
  char *text = program_text(o, index, o->subgroup_size ? o->subgroup_size : 32);
  name_program(o, index, name);
  int length = snprintf(path, sizeof path, "%s/%s.amber", o->write, name);
  if (!text || length >= (int)sizeof path) {
    free(text);
    return complain(strdup("out of memory, or the folder's name is too long"));
  }
  bool good = tool_write(path, text, strlen(text));
  free(text);
  return good;
}

static int write_cases(const FtOptions *o) {
  uint32_t count = fixed_count() + o->count;
  bool good = tool_make_folder(o->write);
  for (uint32_t i = 0; good && i < count; i++)
    good = write_case(o, i);
  if (good)
    printf("%u cases in %s\n", count, o->write);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int ft_fit(const FtOptions *o) {
  bool good = true, bad = false;
  if (o->write)
    return write_cases(o);
  json_t *array = o->json ? json_array() : NULL;
  HnShaderTables *tables = hn_shader_tables_open();
  for (size_t i = 0; good && i < o->devices->count; i++)
    good = fit_device(o, &o->devices->at[i], tables, array, &bad);
  if (good && array)
    good = ft_report_print(array, stdout) || complain(strdup("cannot write to standard output"));
  hn_shader_tables_close(tables);
  json_decref(array);
  return good && !bad ? EXIT_SUCCESS : EXIT_FAILURE;
}
