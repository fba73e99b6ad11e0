/* SPDX-License-Identifier: Apache-2.0 */
/* app_pictures: draws and computes with and without the layer, on both drivers, under the
 * validation layer.
 *
 *   app_pictures [CASE.amber…]
 *   app_pictures --unchecked CASE.amber…
 *
 * A case with valid modules must give the same bytes with and without the layer. One with
 * unstructured modules must be refused without the layer, and pass its EXPECTs with it. With
 * --unchecked only prints what each driver does with a case's modules without any layer. */
#include "tests/layer/app_case.h"

#include "tests/layer/folders.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const default_cases[] = {
    "tests/layer/picture.amber",
    "shaders/graphics/discard_in_loop.amber",
    "shaders/graphics/frag_depth.amber",
    "shaders/graphics/two_targets.amber",
    "shaders/graphics/vertex_loop.amber",
    "shaders/graphics/irreducible.amber",
    "shaders/irreducible/two_entries.amber",
};

static unsigned same, unstructured, skipped, failed;

static bool is(const AppAnswer *answer, const char *outcome) {
  return strncmp(answer->outcome, outcome, strlen(outcome)) == 0;
}

static void wrong(const AppRun *run, const char *path, const char *what, const AppAnswer *answer) {
  printf("FAILED %s %s: %s: %s\n%s", run->driver->name, path, what, answer->outcome, answer->said);
  failed++;
}

static void compare(const AppRun *run, const char *path, const AppAnswer *without,
                    const AppAnswer *with) {
  if (!is(with, "pass") || *with->said)
    wrong(run, path, "with the layer", with);
  else if (with->size != without->size || memcmp(with->bytes, without->bytes, with->size) != 0)
    wrong(run, path, "other contents with the layer", with);
  else
    same++;
}

/* Did the validation layer refuse a module? With the message of version 1.3.239 or of 1.4.309. */
static bool is_refused(const AppAnswer *answer) {
  return strstr(answer->said, "-Shader-InconsistentSpirv: SPIR-V module not valid: ") ||
         strstr(answer->said, "(spirv-val produced an error): ");
}

static void run_case(const VkCaseDriver *driver, const char *path) {
  VkCase test = vk_case_read(path);
  AppRun run = {.driver = driver, .test = &test};
  AppAnswer without = app_run(&run), with = {0};
  run.transform = is(&without, "pass") ? "strip-merges,structurize" : "auto";
  if (is(&without, "skip")) {
    printf("%s %s: %s\n", driver->name, path, without.outcome);
    skipped++;
  } else {
    with = app_run(&run);
    if (is(&without, "pass"))
      compare(&run, path, &without, &with);
    else if (!is_refused(&without))
      wrong(&run, path, "without the layer", &without);
    else if (!is(&with, "pass") || *with.said)
      wrong(&run, path, "unstructured, with the layer", &with);
    else
      unstructured++;
  }
  app_answer_free(&without);
  app_answer_free(&with);
  vk_case_free(&test);
}

static int print_unchecked(char **paths) {
  for (; *paths; paths++) {
    VkCase test = vk_case_read(*paths);
    for (int k = 0; k < VK_CASE_DRIVERS; k++) {
      AppRun run = {.driver = &vk_case_drivers()[k], .test = &test, .unchecked = true};
      AppAnswer answer = app_run(&run);
      printf("%s %s: %s\n", run.driver->name, *paths, answer.outcome);
      app_answer_free(&answer);
    }
    vk_case_free(&test);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--unchecked") == 0)
    return print_unchecked(argv + 2);
  bool given = argc > 1;
  size_t count = given ? (size_t)argc - 1 : sizeof default_cases / sizeof *default_cases;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < VK_CASE_DRIVERS; k++)
      run_case(&vk_case_drivers()[k], given ? argv[1 + i] : default_cases[i]);
  printf("%u cases the same with the layer, %u unstructured ones run only with it, %u skipped, %u "
         "failed\n",
         same, unstructured, skipped, failed);
  return failed || !same || (!given && !unstructured);
}
