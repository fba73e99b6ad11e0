/* SPDX-License-Identifier: Apache-2.0 */
/* Failing Vulkan calls: every one in turn is made to report VK_ERROR_OUT_OF_DEVICE_MEMORY, on an
 * open device and while opening. The message must name the call; then the same device must run the
 * script without error; closing must leave nothing allocated, according to the validation layer and
 * the sanitizers. To be linked with --wrap=vh_check. */
#include "tests/unit/unit.h"

#include "harness/vulkan/backend_vk_run.h"
#include "tests/harness/vk_case.h"

#include <stdlib.h>
#include <string.h>

/* ---- the fault ------------------------------------------------------------------------------ */

static struct {
  unsigned calls, failing; /* `failing` counts from 1; 0: none */
  const char *name;        /* of the failed call */
} fault;

bool __real_vh_check(VhError *error, VkResult result, const char *call);
bool __wrap_vh_check(VhError *error, VkResult result, const char *call);

/* Calls that must not be reported as failed, because their effect remains and the clean-up would
 * then be wrong. */
static bool cannot_fail(const char *call) {
  return !strcmp(call, "vkCreateInstance") || !strcmp(call, "vkCreateDevice") ||
         !strcmp(call, "vkQueueSubmit");
}

bool __wrap_vh_check(VhError *error, VkResult result, const char *call) {
  if (cannot_fail(call) || ++fault.calls != fault.failing)
    return __real_vh_check(error, result, call);
  fault.name = call;
  return __real_vh_check(error, VK_ERROR_OUT_OF_DEVICE_MEMORY, call);
}

static void arm(unsigned failing) {
  fault.calls = 0;
  fault.failing = failing;
  fault.name = NULL;
}

/* ---- every call of a case ------------------------------------------------------------------- */

static void check_message(const char *message) {
  assert_non_null(message);
  assert_ptr_equal(strstr(message, fault.name), message);
  assert_non_null(strstr(message, ": VK_ERROR_OUT_OF_DEVICE_MEMORY"));
}

static HnBackend *open_driver(const VkCase *test) {
  HnBackendOptions options = {.icd = vk_case_drivers()[1].icd, .validation = true};
  HnBackend *backend;
  char *message;
  HnOutcome outcome = hn_backend_open(&options, test->script, &backend, &message);
  assert_int_equal(outcome == HN_PASS, backend != NULL);
  if (outcome != HN_PASS) {
    assert_int_equal(outcome, HN_FAIL);
    check_message(message);
  }
  free(message);
  return backend;
}

static void close_driver(HnBackend *backend) {
  char *closing = hn_backend_close(backend);
  if (closing)
    fail_msg("after a failed %s: %s", fault.name, closing);
}

static HnOutcome run(HnBackend *backend, const VkCase *test) {
  HnReport report;
  hn_backend_run(backend, test->modules, &report);
  HnOutcome outcome = report.outcome;
  if (outcome != HN_PASS && fault.name)
    check_message(report.message);
  else if (outcome != HN_PASS)
    fail_msg("without a fault: %s", report.message);
  hn_report_clear(&report);
  return outcome;
}

static void fail_while_opening(const VkCase *test) {
  arm(0);
  close_driver(open_driver(test));
  unsigned calls = fault.calls;
  assert_true(calls > 10);
  for (unsigned i = 1; i <= calls; i++) {
    arm(i);
    assert_null(open_driver(test));
  }
}

static void fail_while_running(const VkCase *test) {
  arm(0);
  HnBackend *backend = open_driver(test);
  arm(0);
  assert_int_equal(run(backend, test), HN_PASS);
  unsigned calls = fault.calls;
  assert_true(calls > 4);
  for (unsigned i = 1; i <= calls; i++) {
    arm(i);
    assert_int_equal(run(backend, test), HN_FAIL);
    arm(0);
    assert_int_equal(run(backend, test), HN_PASS);
  }
  close_driver(backend);
}

static void fail_every_call(const char *path) {
  VkCase test = vk_case_read(path);
  fail_while_opening(&test);
  fail_while_running(&test);
  vk_case_free(&test);
}

static void test_compute(void **state) {
  (void)state;
  fail_every_call("tests/harness/vk/compute.amber");
}

static void test_texel(void **state) {
  (void)state;
  fail_every_call("tests/harness/vk/texel.amber");
}

static void test_graphics(void **state) {
  (void)state;
  fail_every_call("tests/harness/vk/graphics.amber");
}

static void test_mip_levels(void **state) {
  (void)state;
  fail_every_call("tests/harness/vk/mip.amber");
}

static void test_samples(void **state) {
  (void)state;
  fail_every_call("tests/harness/vk/resolve.amber");
}

/* ---- a lost device --------------------------------------------------------------------------- */

static VKAPI_ATTR VkResult VKAPI_CALL lose(VkQueue queue, uint32_t count,
                                           const VkSubmitInfo *submits, VkFence fence) {
  (void)queue, (void)count, (void)submits, (void)fence;
  return VK_ERROR_DEVICE_LOST;
}

static void expect_report(HnBackend *backend, const VkCase *test, HnOutcome outcome,
                          const char *message) {
  HnReport report;
  hn_backend_run(backend, test->modules, &report);
  assert_int_equal(report.outcome, outcome);
  assert_string_equal(report.message, message);
  hn_report_clear(&report);
}

static void test_device_lost(void **state) {
  (void)state;
  VkCase test = vk_case_read("tests/harness/vk/graphics.amber");
  arm(0);
  HnBackend *backend = open_driver(&test);
  ((HnVulkan *)backend)->device.vk.QueueSubmit = lose;
  expect_report(backend, &test, HN_CRASH, "vkQueueSubmit: VK_ERROR_DEVICE_LOST (-4)");
  expect_report(backend, &test, HN_CRASH, "the device was lost by an earlier run");
  close_driver(backend);
  vk_case_free(&test);
}

static void test_wrong_module(void **state) {
  (void)state;
  VkCase test = vk_case_read("tests/harness/vk/compute.amber");
  arm(0);
  HnBackend *backend = open_driver(&test);
  HnModule whole = test.modules[0];
  test.modules[0].count = 0;
  expect_report(backend, &test, HN_FAIL, "shader cs has no module");
  uint32_t words[5] = {whole.words[0], 0x00010700};
  test.modules[0] = (HnModule){words, 5};
  expect_report(backend, &test, HN_SKIP, "shader cs is SPIR-V 1.7, too new for Vulkan 1.3");
  test.modules[0] = whole;
  assert_int_equal(run(backend, &test), HN_PASS);
  close_driver(backend);
  vk_case_free(&test);
}

int main(void) {
  vk_case_keep_drivers();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compute),      cmocka_unit_test(test_texel),
      cmocka_unit_test(test_graphics),     cmocka_unit_test(test_device_lost),
      cmocka_unit_test(test_wrong_module), cmocka_unit_test(test_mip_levels),
      cmocka_unit_test(test_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
