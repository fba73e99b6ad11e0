/* SPDX-License-Identifier: Apache-2.0 */
/* Every compute case of shaders/ on the emulator and on one of two drivers, in turn, at the driver's
 * subgroup size; those of shaders/subgroup on both: they must leave the same buffers, bit for bit if
 * these hold integers. (Floats must pass the case's EXPECTs on both.) Each driver has its own process,
 * since a process can load only one. tests/harness/corpus.sh runs all cases on both drivers. */
#include "tests/unit/unit.h"

#include "harness/backend/compare.h"
#include "harness/shader/variant.h"
#include "tests/harness/vk_case.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint32_t subgroup_sizes[VK_CASE_DRIVERS] = {8, 4};

static bool is_compute(const AmberScript *script) {
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (script->pipelines[i].graphics)
      return false;
  return true;
}

static bool has_floats(const AmberBuffer *buffer) {
  for (uint32_t i = 0; i < buffer->layout.field_count; i++)
    if (buffer->layout.fields[i].kind == EMU_FORMAT_FLOAT)
      return true;
  return false;
}

/* Excludes the buffers with floats from the comparison. */
static void forget_floats(const AmberScript *script, HnReport *report) {
  for (uint32_t i = 0; i < script->buffer_count; i++)
    if (has_floats(&script->buffers[i])) {
      free(report->buffers[i].bytes);
      report->buffers[i].bytes = NULL;
    }
}

/* Runs the case on a device. False: the device lacks something, which has been printed. */
static bool run_on(const HnBackendOptions *options, const VkCase *test, const HnModule *modules,
                   const char *path, HnReport *report) {
  HnBackend *backend;
  char *message;
  HnOutcome outcome = hn_backend_open(options, test->script, &backend, &message);
  if (outcome == HN_PASS) {
    hn_backend_run(backend, modules, report);
    free(hn_backend_close(backend));
    if (report->outcome == HN_PASS)
      return true;
    outcome = report->outcome;
    message = strdup(report->message);
    hn_report_clear(report);
  }
  if (outcome != HN_SKIP)
    fail_msg("%s on %s: %s", path, options->emulated ? "emu" : options->icd, message);
  printf("%s: skipped: %s\n", path, message);
  free(message);
  return false;
}

/* Was the case compared? */
static bool compare_case(const char *path, const VkCaseDriver *driver, uint32_t size) {
  VkCase test = vk_case_read(path);
  HnVariant variant = hn_variant_make(test.script, test.modules, "auto", true);
  if (variant.outcome != HN_PASS)
    fail_msg("%s: %s", path, variant.message);
  const HnModule *modules = variant.modules ? variant.modules : test.modules;
  const HnBackendOptions vulkan = {.icd = driver->icd}, emulator = {.emulated = size};
  HnReport a, b;
  bool compared = false;
  char *message = NULL;
  if (is_compute(test.script) && run_on(&vulkan, &test, modules, path, &a)) {
    if (run_on(&emulator, &test, modules, path, &b)) {
      forget_floats(test.script, &a);
      if (!hn_compare(test.script, &b, &a, driver->name, &message))
        fail_msg("%s: emulator, %u lanes: %s", path, size, message);
      compared = true;
      hn_report_clear(&b);
    }
    hn_report_clear(&a);
  }
  hn_variant_free(&variant, test.script);
  vk_case_free(&test);
  return compared;
}

static void compare_all(size_t k) {
  const VkCaseDriver *driver = &vk_case_drivers()[k];
  glob_t found;
  size_t compared = 0;
  assert_int_equal(glob("shaders/*/*.amber", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (i % VK_CASE_DRIVERS == k || strstr(found.gl_pathv[i], "/subgroup/"))
      compared += compare_case(found.gl_pathv[i], driver, subgroup_sizes[k]);
  globfree(&found);
  printf("%zu cases leave the same on the emulator and on %s\n", compared, driver->name);
  assert_true(compared >= 30);
}

static void test_driver(void **state) {
  size_t i = *(const size_t *)*state;
  fflush(stdout);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    vk_case_keep_drivers();
    compare_all(i);
    fflush(stdout);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  static size_t first = 0, second = 1;
  const struct CMUnitTest tests[] = {
      {"lavapipe", test_driver, NULL, NULL, &first},
      {"swiftshader", test_driver, NULL, NULL, &second},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
