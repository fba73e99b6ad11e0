/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder and the engine, from module to buffers: the programs of tests/emu/programs, or those
 * named on the command line. Each runs under all its policies and subgroup sizes and must give the
 * results in its comments (program_file.h), without accesses out of bounds except those that the
 * comments announce; values proven uniform are checked while it runs. */
#include "spv-emu/engine/half.h"
#include "tests/emu/program_file.h"
#include "tests/unit/unit.h"

#include <glob.h>
#include <math.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_SHOWN = 8 }; /* elements of one buffer */

typedef struct Runner {
  const char *path;
  Program program;
  uint8_t *bytes[PROGRAM_MEMORIES];
  const char *policy;
  uint32_t size, failed;
} Runner;

static void complain(Runner *r, const char *what) {
  print_error("%s, %s, subgroup size %u: %s\n", r->path, r->policy, r->size, what);
  r->failed++;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static uint32_t width_of(const EmuValues *v) {
  return (uint32_t)strtoul(v->type + 1, NULL, 10);
}

static uint64_t bits_at(const EmuValues *v, const uint8_t *bytes, uint64_t i) {
  uint64_t bits = 0;
  uint32_t size = width_of(v) / 8;
  memcpy(&bits, bytes + i * size, size);
  return bits;
}

static double number_of(uint64_t bits, uint32_t width) {
  if (width == 16)
    return emu_half_to_float((uint16_t)bits);
  float single;
  double wide;
  memcpy(&single, &bits, sizeof single);
  memcpy(&wide, &bits, sizeof wide);
  return width == 32 ? single : wide;
}

/* The unit in the last place of a number, also for subnormal ones. */
static double unit_of(double number, uint32_t width) {
  int digits = width == 16 ? 11 : width == 32 ? 24 : 53;
  int least = width == 16 ? -24 : width == 32 ? -149 : -1074, exponent;
  frexp(number, &exponent);
  return ldexp(1, exponent - digits > least ? exponent - digits : least);
}

static bool is_near(const ProgramMemory *m, double got, double want, uint32_t width) {
  double far = fabs(got - want);
  if (m->match == PROGRAM_ULP)
    return far <= m->tolerance * unit_of(want, width);
  return far <= m->tolerance || far <= m->tolerance * fabs(want);
}

static bool is_equal(const ProgramMemory *m, uint64_t got, uint64_t want) {
  uint32_t width = width_of(&m->wanted);
  if (got == want || m->wanted.type[0] != 'f')
    return got == want;
  double a = number_of(got, width), b = number_of(want, width);
  if (isnan(b))
    return isnan(a);
  return m->match != PROGRAM_EXACT && isfinite(a) && isfinite(b) && is_near(m, a, b, width);
}

static void show(const ProgramMemory *m, uint64_t i, uint64_t got, uint64_t want) {
  uint32_t width = width_of(&m->wanted);
  if (m->wanted.type[0] == 'f')
    print_error("  %u:%u[%u] %s %u: %.17g, not %.17g\n", m->set, m->binding, m->element,
                m->wanted.type, (unsigned)i, number_of(got, width), number_of(want, width));
  else
    print_error("  %u:%u[%u] %s %u: 0x%llx, not 0x%llx\n", m->set, m->binding, m->element,
                m->wanted.type, (unsigned)i, (unsigned long long)got, (unsigned long long)want);
}

static void compare(Runner *r, uint32_t at) {
  const ProgramMemory *m = &r->program.memories[at];
  uint32_t wrong = 0;
  for (uint64_t i = 0; i < m->wanted.count; i++) {
    uint64_t got = bits_at(&m->wanted, r->bytes[at], i);
    uint64_t want = bits_at(&m->wanted, m->wanted.bytes, i);
    if (!is_equal(m, got, want) && wrong++ < WRONG_SHOWN)
      show(m, i, got, want);
  }
  if (wrong)
    complain(r, "a buffer differs");
}

/* ---- running --------------------------------------------------------------------------------- */

static uint64_t size_of(const ProgramMemory *m) {
  return m->start.bytes ? m->start.size : m->wanted.size;
}

static void reset(Runner *r) {
  for (uint32_t i = 0; i < r->program.memory_count; i++) {
    const ProgramMemory *m = &r->program.memories[i];
    memset(r->bytes[i], 0, size_of(m));
    if (m->start.bytes)
      memcpy(r->bytes[i], m->start.bytes, m->start.size);
  }
}

static void judge(Runner *r, const spv_emu_result *result) {
  char text[128];
  if (result->outcome == SPV_EMU_SKIP && strcmp(r->policy, "structured") == 0)
    return;
  if (result->outcome != SPV_EMU_RAN) {
    complain(r, result->message);
    return;
  }
  if (result->out_of_bounds != r->program.dropped) {
    snprintf(text, sizeof text, "%llu accesses out of bounds, not %llu: %.60s",
             (unsigned long long)result->out_of_bounds, (unsigned long long)r->program.dropped,
             result->message);
    complain(r, text);
  }
  for (uint32_t i = 0; i < r->program.memory_count; i++)
    if (r->program.memories[i].wanted.bytes)
      compare(r, i);
}

static void run_under(Runner *r, const spv_emu_program *loaded) {
  const Program *p = &r->program;
  spv_emu_buffer buffers[PROGRAM_MEMORIES];
  spv_emu_image images[PROGRAM_MEMORIES];
  spv_emu_run_options run = {.policy = r->policy,
                             .buffers = buffers,
                             .images = images,
                             .samplers = p->samplers,
                             .sampler_count = p->sampler_count,
                             .push_constants = p->push,
                             .push_constant_bytes = p->push_bytes};
  memcpy(run.groups, p->groups, sizeof run.groups);
  reset(r);
  for (uint32_t i = 0; i < p->memory_count; i++) {
    const ProgramMemory *m = &p->memories[i];
    if (m->image.width == 0) {
      buffers[run.buffer_count++] =
          (spv_emu_buffer){m->set, m->binding, m->element, r->bytes[i], size_of(m)};
      continue;
    }
    images[run.image_count] = m->image;
    images[run.image_count].bytes = r->bytes[i];
    images[run.image_count++].size = size_of(m);
  }
  char message[PROGRAM_MESSAGE];
  spv_emu_result *result;
  if (spv_emu_run(loaded, &run, &result, message, sizeof message) != SPV_EMU_OK) {
    complain(r, message);
    return;
  }
  judge(r, result);
  spv_emu_result_free(result);
}

/* Does the message contain one of the parts, which " | " separates? */
static bool says_one_of(const char *message, const char *parts) {
  const char *bar = strstr(parts, " | ");
  size_t length = bar ? (size_t)(bar - parts) : strlen(parts);
  return memmem(message, strlen(message), parts, length) ||
         (bar && says_one_of(message, bar + strlen(" | ")));
}

static void load_refused(Runner *r, const char *message) {
  const char *refused = r->program.refused;
  if (!refused || !says_one_of(message, refused) || strchr(message, '\n'))
    complain(r, message);
}

static spv_emu_program *load(Runner *r, const uint32_t *words, size_t count,
                             const char *transform) {
  const Program *p = &r->program;
  spv_emu_load_options options = {.specs = p->specs,
                                  .spec_count = p->spec_count,
                                  .subgroup_size = r->size,
                                  .transform = transform,
                                  .check_uniform = true};
  memcpy(options.local_size, p->local, sizeof options.local_size);
  char message[PROGRAM_MESSAGE];
  spv_emu_program *loaded;
  if (spv_emu_load(words, count, &options, &loaded, message, sizeof message) == SPV_EMU_OK)
    return loaded;
  load_refused(r, message);
  return NULL;
}

static bool is_exec(const char *policy) {
  return strcmp(policy, "exec") == 0;
}

/* Policy exec takes reconverging functions. */
static void run_exec(Runner *r, const uint32_t *words, size_t count) {
  r->policy = "exec";
  spv_emu_program *loaded = load(r, words, count, "reconverge");
  if (loaded)
    run_under(r, loaded);
  spv_emu_free(loaded);
}

static void run_sized(Runner *r, const uint32_t *words, size_t count) {
  const Program *p = &r->program;
  r->policy = "load";
  spv_emu_program *loaded = load(r, words, count, NULL);
  if (loaded && p->refused)
    complain(r, "it is not refused");
  for (uint32_t i = 0; i < p->policy_count && loaded && !p->refused; i++) {
    r->policy = p->policies[i];
    if (is_exec(r->policy))
      run_exec(r, words, count);
    else
      run_under(r, loaded);
  }
  spv_emu_free(loaded);
}

/* ---- a program ------------------------------------------------------------------------------- */

static bool make_memory(Runner *r) {
  for (uint32_t i = 0; i < r->program.memory_count; i++) {
    const ProgramMemory *m = &r->program.memories[i];
    if (m->wanted.bytes && m->wanted.size != size_of(m)) {
      complain(r, "what a buffer starts with and what is expected differ in size");
      return false;
    }
    r->bytes[i] = malloc(size_of(m));
    assert_non_null(r->bytes[i]);
  }
  return true;
}

static void run_text(Runner *r) {
  spvreconv_options none;
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *assembled;
  if (spvreconv_run_text(&none, r->program.source, r->program.length, &assembled) == SPVRECONV_OK) {
    size_t count;
    const uint32_t *words = spvreconv_result_words(assembled, &count);
    for (uint32_t i = 0; i < r->program.size_count; i++) {
      r->size = r->program.sizes[i];
      run_sized(r, words, count);
    }
  } else {
    complain(r, spvreconv_result_message(assembled));
  }
  spvreconv_result_destroy(assembled);
}

static uint32_t run_program(const char *path) {
  Runner r = {.path = path, .policy = "read"};
  char message[PROGRAM_MESSAGE] = "";
  if (!program_read(path, &r.program, message))
    complain(&r, message);
  else if (make_memory(&r))
    run_text(&r);
  for (uint32_t i = 0; i < r.program.memory_count; i++)
    free(r.bytes[i]);
  program_free(&r.program);
  return r.failed;
}

static char **named; /* on the command line; NULL: all */

static void programs(void **state) {
  (void)state;
  glob_t found = {0};
  uint32_t failed = 0;
  if (!named)
    assert_int_equal(glob("tests/emu/programs/*.spvasm", 0, NULL, &found), 0);
  for (char **path = named ? named : found.gl_pathv; *path; path++)
    failed += run_program(*path) > 0;
  globfree(&found);
  if (failed)
    fail_msg("%u programs went wrong", failed);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs)};
  if (argc > 1)
    named = argv + 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
