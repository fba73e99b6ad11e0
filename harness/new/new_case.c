/* SPDX-License-Identifier: Apache-2.0 */
/* new_case: see new_case.h. */
#include "harness/new/new_case.h"

#include "harness/new/new_parts.h"
#include "passes/tool/tool_shell.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, MOST_ROOM = 256, DEFAULT_SIDE = 32 /* pixels */ };

bool hn_new_case_is(const char *path) {
  CompileLanguage language;
  CompileStage stage;
  return compile_kind_of(path, &language, &stage);
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Fails with the commands that make cases of the file's kernels, and run them. */
static bool fail_kernels(HnNew *n) {
  const ToolSource *source = &n->wanted->source;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return hn_new_fail(n, "out of memory");
  fputs("this is OpenCL C, each kernel of which is a case; type: spv-harness kernels ", out);
  tool_shell_word(out, n->wanted->path);
  fputs(" cases", out);
  for (uint32_t i = 0; i < source->option_count; i++) {
    fputs(i ? " " : " -- ", out);
    tool_shell_word(out, source->options[i]);
  }
  fputs(" && spv-harness run --device=emu cases", out);
  bool good = !fclose(out);
  hn_new_fail(n, good ? text : "out of memory");
  free(text);
  return false;
}

static bool fail_stage(HnNew *n, const char *stage) {
  char text[MESSAGE];
  snprintf(text, sizeof text,
           "this is a %s shader, and a case is made of a compute or fragment shader: write the "
           "case, with the shader in it; docs/cases.md has one to begin with ('A graphics case')",
           stage);
  return hn_new_fail(n, text);
}

static bool fail_option(HnNew *n, const char *option, const char *applies, const char *stage) {
  char text[MESSAGE];
  snprintf(text, sizeof text, "--%s applies to %s shaders, and this is a %s shader", option,
           applies, stage);
  return hn_new_fail(n, text);
}

/* Sets what the module is: by its name if it is a source, else by its entry points. */
static bool find_stage(HnNew *n) {
  HnTrialModule *m = &n->module;
  const EmuGiven *given = n->wanted->given;
  size_t count;
  const uint32_t *words = hn_trial_words(m, &count);
  spv_emu_stage stage = m->stage == COMPILE_NO_STAGE  ? spv_emu_stage_of(words, count, given->entry)
                        : m->stage == COMPILE_COMPUTE ? SPV_EMU_COMPUTE
                                                      : SPV_EMU_FRAGMENT;
  if (m->stage == COMPILE_KERNEL)
    return fail_kernels(n);
  if (stage == SPV_EMU_VERTEX)
    return fail_stage(n, "vertex");
  if (stage == SPV_EMU_FRAGMENT && m->stage != COMPILE_NO_STAGE && m->stage != COMPILE_FRAGMENT)
    return fail_stage(n, compile_stage_name(m->stage));
  if (stage == SPV_EMU_FRAGMENT && (given->groups[0] || given->local_size[0]))
    return fail_option(n, given->groups[0] ? "dispatch" : "local-size", "compute", "fragment");
  if (stage == SPV_EMU_COMPUTE && given->framebuffer[0])
    return fail_option(n, "framebuffer", "fragment", "compute");
  n->draws = stage == SPV_EMU_FRAGMENT;
  m->run = stage;
  return true;
}

static bool read_module(HnNew *n) {
  if (!hn_trial_read(&n->wanted->source, n->wanted->given, n->wanted->path, &n->module, n->message))
    return hn_new_fail(n, "out of memory");
  return find_stage(n);
}

/* ---- contents and dispatch ------------------------------------------------------------------- */

static bool make_contents(HnNew *n, uint32_t room) {
  char message[MESSAGE];
  const EmuGiven *given = n->wanted->given;
  EmuBareOptions options = emu_given_options(given);
  options.draw = n->draws;
  memcpy(options.groups, n->groups, sizeof options.groups);
  if (!emu_contents_make(n->program, &options, given->guess ? &given->seed : NULL, room,
                         &n->contents, message, sizeof message) ||
      !emu_bare_check(n->program, &n->contents.options, message, sizeof message))
    return hn_new_fail(n, message);
  n->buffers = calloc(n->contents.options.buffer_count + 2u, sizeof *n->buffers);
  return n->buffers || hn_new_fail(n, "out of memory");
}

static void drop_contents(HnNew *n) {
  hn_trial_free(&n->trial);
  free(n->buffers);
  emu_values_free(&n->pushed);
  n->buffers = NULL;
  n->buffer_count = 0;
  emu_contents_free(&n->contents);
}

/* `clean`: if the first run accesses memory out of bounds, or races, the others are not needed. */
static bool run_all(HnNew *n, bool clean) {
  char message[MESSAGE] = "";
  const HnTrialHow how = {.rounds = true, .clean = clean, .path = n->wanted->path};
  const HnTrialDraw draw = {&n->vertex, n->groups[0], n->groups[1]};
  if (!hn_trial_run(&n->module, n->draws ? &draw : NULL, &n->contents.options, &how, &n->trial,
                    message, sizeof message))
    return hn_new_fail(n, *message ? message : "out of memory");
  for (int run = 0; run < HN_TRIAL_ALL; run++)
    for (uint32_t i = 0; n->trial.after[run] && i < n->buffer_count; i++)
      if (n->buffers[i].binding)
        n->buffers[i].after[run] = n->trial.after[run][n->buffers[i].index];
  return true;
}

static bool try_with(HnNew *n, uint32_t room, bool clean) {
  drop_contents(n);
  return make_contents(n, room) && hn_new_buffers(n) && run_all(n, clean);
}

/* Makes arrays larger until no access is out of bounds. */
static bool try_rooms(HnNew *n) {
  for (uint32_t room = 1; room <= MOST_ROOM; room *= 4)
    if (!try_with(n, room, true) || !n->trial.outside)
      return !*n->message;
  return true;
}

static bool is_given(const HnNew *n) {
  return n->wanted->given->groups[0] || n->wanted->given->framebuffer[0];
}

static void choose_framebuffer(HnNew *n) {
  for (int i = 0; i < 2; i++)
    n->groups[i] = is_given(n) ? n->wanted->given->framebuffer[i] : DEFAULT_SIDE;
  n->groups[2] = 1;
}

static void choose_dispatch(HnNew *n) {
  if (n->draws)
    choose_framebuffer(n);
  else if (is_given(n))
    memcpy(n->groups, n->wanted->given->groups, sizeof n->groups);
  else
    emu_guess_dispatch(n->program, n->groups);
}

/* Makes arrays larger, or, if their lengths are fixed, the dispatch smaller, until no access is out
 * of bounds: drivers may crash on such accesses. Then makes the dispatch smaller while workgroups
 * race. */
static bool try_sizes(HnNew *n) {
  choose_dispatch(n);
  if (!try_rooms(n))
    return false;
  bool fixed = n->trial.outside;
  while ((n->trial.outside || n->trial.races) && !is_given(n) && emu_guess_fewer(n->groups)) {
    n->raced |= n->trial.races != 0;
    if (fixed ? !try_with(n, 1, true) : !try_rooms(n))
      return false;
  }
  if (!n->trial.outside)
    return true;
  choose_dispatch(n);
  return try_with(n, MOST_ROOM, false);
}

/* ---- the text -------------------------------------------------------------------------------- */

static void write_head(const HnNew *n, FILE *out) {
  const EmuGiven *given = n->wanted->given;
  bool some = given->buffer_count || given->push_constant_count;
  fprintf(out, "#!amber\n# %s with ", n->wanted->path);
  if (some && !n->contents.guess.count)
    fputs("contents that were given.\n\n", out);
  else
    fprintf(out,
            "made-up contents%s, seed %llu. A template: change the numbers to those that\n"
            "# matter, and the EXPECTs with them.\n\n",
            some ? " where none were given" : "", (unsigned long long)given->seed);
  if (n->trial.outside)
    fputs("# With these contents the shader accesses memory out of bounds, on which drivers may "
          "crash.\n\n",
          out);
  if (n->raced && !n->trial.races)
    fputs("# In a larger dispatch, workgroups write what others read or write, and no barrier "
          "orders\n# them.\n\n",
          out);
  hn_new_features(n, out);
}

static bool is_written(const HnNewBuffer *b) {
  return b->binding && b->binding->written && b->after[0];
}

static uint32_t written_count(const HnNew *n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->buffer_count; i++)
    count += is_written(&n->buffers[i]);
  return count;
}

static void write_expects(const HnNew *n, FILE *out) {
  if (n->trial.races) {
    fputs("# Nothing is expected: workgroups write what others read or write, and no barrier\n"
          "# orders them. A smaller dispatch may have no such race.\n",
          out);
    return;
  }
  if (*n->trial.why) {
    fprintf(out,
            "# Nothing is expected: the shader depends on variables or shared memory that nothing\n"
            "# has written: where these are not zero,\n# %s\n",
            n->trial.why);
    return;
  }
  if (n->draws)
    hn_new_draw_expect(n, out);
  if (written_count(n))
    fputs("# As the emulator computes them. Floats may differ by a ten-thousandth of the largest,\n"
          "# and all numbers by what other rounding changes, as Vulkan allows it.\n",
          out);
  for (uint32_t i = 0; i < n->buffer_count; i++)
    if (is_written(&n->buffers[i]))
      hn_new_expect(out, &n->buffers[i]);
}

static bool write_case(HnNew *n, FILE *out) {
  bool glsl;
  write_head(n, out);
  if (n->draws)
    hn_new_draw_declare(n, out);
  if (!hn_new_shader(n, out, &glsl))
    return false;
  for (uint32_t i = 0; i < n->buffer_count; i++)
    hn_new_declare(out, &n->buffers[i]);
  hn_new_samplers(n, out);
  fputc('\n', out);
  hn_new_pipeline(n, out, glsl);
  write_expects(n, out);
  return true;
}

/* Finds the buffers that are given, and reads their files. */
static bool find_given(HnNew *n) {
  char message[MESSAGE];
  EmuGiven *given = n->wanted->given;
  return (emu_given_find(given, n->program, NULL, message, sizeof message) &&
          emu_given_read_files(given, message, sizeof message)) ||
         hn_new_fail(n, message);
}

static bool make(HnNew *n, FILE *out) {
  char message[MESSAGE];
  if (!read_module(n))
    return false;
  n->program = hn_trial_load(&n->module, 32, message, sizeof message);
  if (!n->program)
    return hn_new_fail(n, message);
  if (spv_emu_notice(n->program))
    tool_say(n->wanted->path, "note: %s", spv_emu_notice(n->program));
  return find_given(n) && hn_new_constants(n) && (!n->draws || hn_new_vertex(n)) && try_sizes(n) &&
         write_case(n, out);
}

static void clear(HnNew *n) {
  drop_contents(n);
  free(n->vertex_text);
  hn_trial_module_free(&n->vertex);
  hn_trial_module_free(&n->module);
}

char *hn_new_case(const HnNewCase *wanted, HnNewRisks *risks, char **message) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  HnNew n = {.wanted = wanted, .message = message};
  *message = NULL;
  bool good = out && make(&n, out);
  if (out && fclose(out) != 0)
    good = false;
  *risks = (HnNewRisks){n.trial.outside != 0, n.trial.races != 0, n.trial.quad_breaks != 0};
  clear(&n);
  if (good)
    return text;
  if (!*message)
    *message = strdup("out of memory");
  free(text);
  return NULL;
}
