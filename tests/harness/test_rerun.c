/* SPDX-License-Identifier: Apache-2.0 */
/* The command that runs a case again: it names each option that changes results and is not what it
 * would be without, each shader option as it was given, and nothing else. */
#include "tests/unit/unit.h"

#include "harness/run/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options in the command for that run. */
static char *options_of(const HnRun *run, const HnNewCase *shader) {
  char *command = hn_rerun_command(run, shader);
  assert_non_null(command);
  assert_int_equal(strncmp(command, "cd ", 3), 0);
  const char *at = strstr(strstr(command, " && "), " run");
  assert_non_null(at);
  char *options = strdup(at + strlen(" run"));
  free(command);
  return options;
}

static void expect(const HnRun *run, const HnNewCase *shader, const char *expected) {
  char *options = options_of(run, shader);
  assert_string_equal(options, expected);
  free(options);
}

static void options_of_a_run(void **state) {
  (void)state;
  HnDevice devices[] = {{.name = (char *)"emu", .emulated = 32}, {.name = (char *)"lavapipe"}};
  HnDevice other = {.name = (char *)"my driver"};
  HnRun run = {.timeout = 60, .devices = {devices, 2}, .jobs = 7, .retries = 3};
  expect(&run, NULL, "");
  run.validation = true;
  expect(&run, NULL, " --validation");
  run.check = true;
  expect(&run, NULL, " --validation --check");
  run.validation = run.check = false;
  run.timeout = 2.5;
  devices[0].emulated = 8;
  expect(&run, NULL, " --timeout=2.5 --emu-subgroup-size=8");
  run.timeout = 60;
  devices[0].emulated = 32;
  run.against = (HnDevices){&other, 1};
  expect(&run, NULL, " --against='my driver'");
  run.ulps = 4000000000;
  expect(&run, NULL, " --against='my driver' --ulps=4000000000");
}

static void options_of_a_shader(void **state) {
  (void)state;
  const HnRun run = {.timeout = 60, .check = true};
  EmuGiven given = {.seed = 5};
  HnNewCase shader = {.path = "x.comp", .source = tool_source_none(), .given = &given};
  expect(&run, &shader, " --check --seed=5");
  assert_true(emu_given_read(&given, EMU_GIVEN_DISPATCH, "4,3,2"));
  assert_true(emu_given_read(&given, EMU_GIVEN_SEED, "7"));
  expect(&run, &shader, " --check --dispatch=4,3,2 --seed=7");
  emu_given_free(&given);
  given.seed = 5;
  assert_true(emu_given_read(&given, EMU_GIVEN_BUFFER, "0:1:u32[2]=1,2"));
  assert_true(emu_given_read(&given, EMU_GIVEN_ENTRY, "a b"));
  expect(&run, &shader, " --check '--buffer=0:1:u32[2]=1,2' '--entry=a b' --seed=5");
  emu_given_free(&given);
  given.seed = 5;
  const char *options[] = {"-DTAG=1 + 2", "-Iparts"};
  shader.source.options = options;
  shader.source.option_count = 2;
  shader.source.stage = COMPILE_COMPUTE;
  shader.source.target = "vulkan1.2";
  expect(&run, &shader,
         " --check '-DTAG=1 + 2' -Iparts --stage=comp --target-env=vulkan1.2 --seed=5");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(options_of_a_run),
                                     cmocka_unit_test(options_of_a_shader)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
