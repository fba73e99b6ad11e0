/* SPDX-License-Identifier: Apache-2.0 */
/* Every case of tests/harness/vk on both drivers under the validation layer, twice on one device. A
 * line "# lavapipe: skip: ..." of the file gives the expected outcome and a part of the message. */
#include "tests/unit/unit.h"

#include "tests/harness/vk_case.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES "tests/harness/vk/*.amber"

/* The expected outcome on a driver; to be freed. */
static char *expected(const VkCase *test, const char *driver) {
  char *key = NULL;
  if (asprintf(&key, "\n# %s: ", driver) < 0)
    fail();
  const char *line = strstr(test->text, key);
  assert_non_null(line);
  line += strlen(key);
  free(key);
  return strndup(line, strcspn(line, "\n"));
}

/* The outcome must be the same, and the message must contain the expected one. */
static void compare(const char *path, const char *driver, const char *got, const char *want) {
  size_t word = strcspn(want, ":");
  const char *part = want[word] ? want + word + 2 : "";
  if (strncmp(got, want, word) || !strstr(got, part) || (!*part && got[word]) || strchr(got, '\n'))
    fail_msg("%s on %s: '%s', wanted '%s'", path, driver, got, want);
}

static void run_twice(const char *path, const char *driver, const VkCase *test, HnBackend *backend,
                      const char *want) {
  for (int i = 0; i < 2; i++) {
    HnReport report;
    hn_backend_run(backend, test->modules, &report);
    char *got = vk_case_outcome(report.outcome, report.message);
    compare(path, driver, got, want);
    free(got);
    if (report.outcome == HN_PASS)
      for (size_t k = 0; k < report.buffer_count; k++)
        assert_true(!test->script->buffers[k].uses || report.buffers[k].bytes ||
                    test->script->buffers[k].samples > 1);
    hn_report_clear(&report);
  }
}

static void run_case(const char *path, const VkCaseDriver *driver) {
  VkCase test = vk_case_read(path);
  char *want = expected(&test, driver->name);
  HnBackendOptions options = {.icd = driver->icd, .validation = true};
  HnBackend *backend;
  char *message;
  HnOutcome outcome = hn_backend_open(&options, test.script, &backend, &message);
  if (outcome == HN_PASS) {
    run_twice(path, driver->name, &test, backend, want);
    char *closing = hn_backend_close(backend);
    if (closing)
      fail_msg("%s on %s, closing: %s", path, driver->name, closing);
  } else {
    assert_null(backend);
    char *got = vk_case_outcome(outcome, message);
    compare(path, driver->name, got, want);
    free(got);
  }
  free(message);
  free(want);
  vk_case_free(&test);
}

static void run_cases(const VkCaseDriver *driver) {
  glob_t found;
  assert_int_equal(glob(CASES, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++)
    run_case(found.gl_pathv[i], driver);
  globfree(&found);
}

static void test_lavapipe(void **state) {
  (void)state;
  run_cases(&vk_case_drivers()[0]);
}

static void test_swiftshader(void **state) {
  (void)state;
  run_cases(&vk_case_drivers()[1]);
}

static void test_list(void **state) {
  (void)state;
  static const char *const wanted[VK_CASE_DRIVERS] = {"subgroup size 8\n", "subgroup size 4\n"};
  for (int i = 0; i < VK_CASE_DRIVERS; i++) {
    HnBackendOptions options = {.icd = vk_case_drivers()[i].icd};
    char *text;
    assert_true(hn_backend_list(&options, &text));
    assert_non_null(strstr(text, wanted[i]));
    free(text);
  }
}

static void open_fails(const HnBackendOptions *options, const char *want) {
  VkCase test = vk_case_read("tests/harness/vk/compute.amber");
  HnBackend *backend;
  char *message;
  assert_int_equal(hn_backend_open(options, test.script, &backend, &message), HN_FAIL);
  assert_null(backend);
  assert_string_equal(message, want);
  free(message);
  vk_case_free(&test);
}

static void test_no_driver(void **state) {
  (void)state;
  HnBackendOptions options = {.icd = "/nonexistent.json"};
  const char *want = "vkCreateInstance: no usable Vulkan driver by /nonexistent.json";
  open_fails(&options, want);
  char *text;
  assert_false(hn_backend_list(&options, &text));
  assert_string_equal(text, want);
  free(text);
}

static void test_no_device(void **state) {
  (void)state;
  HnBackendOptions options = {.icd = vk_case_drivers()[1].icd, .device_name = "GeForce"};
  open_fails(&options, "no Vulkan device is called 'GeForce'");
}

int main(void) {
  vk_case_keep_drivers();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lavapipe),  cmocka_unit_test(test_swiftshader),
      cmocka_unit_test(test_list),      cmocka_unit_test(test_no_driver),
      cmocka_unit_test(test_no_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
