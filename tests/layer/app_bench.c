/* SPDX-License-Identifier: Apache-2.0 */
/* app_bench: measures the time that the layer adds for each module, and compares it with lavapipe's
 * time for the pipeline.
 *
 *   layer-bench [--runs=N] [CASE.amber…]
 *
 * Without named cases it fails if a warm cache costs more than two percent of the pipelines' time,
 * summed over the cases.
 *
 * It runs compute cases only; each time is the least of N runs. "module" is vkCreateShaderModule
 * without the layer. "cold" and "warm" are the times that the layer adds to it, without and with
 * the module in its cache: cold is conversion and writing the result, warm is reading the layer's
 * files on disk (the layer has no cache in memory). "pipeline" is vkCreateComputePipelines without
 * the layer and without a pipeline cache. lavapipe defers most of the compilation, LLVM's part, to
 * the first dispatch, which no column includes. */
#include "passes/base/clock.h"
#include "tests/layer/app_case.h"

#include "tests/layer/folders.h"
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_RUNS = 100, GENERATOR = 2, MOST_MODULES = 8, PERCENT = 2 };

static const char *const default_cases[] = {
    "tests/harness/bench/trivial.amber",  "shaders/irreducible/two_entries.amber",
    "shaders/bench/arithmetic.amber",     "shaders/bench/hash.amber",
    "shaders/bench/mandelbrot.amber",     "shaders/bench/reduction.amber",
    "shaders/barrier/bitonic_sort.amber", "shaders/barrier/histogram.amber",
    "shaders/early-exit/guards.amber",    "shaders/early-exit/string_match.amber",
};

static const char *const transforms[] = {"auto", "strip-merges,structurize"};
enum { TRANSFORMS = sizeof transforms / sizeof *transforms };

/* Microseconds. */
typedef struct Times {
  double module, pipeline, cold[TRANSFORMS], warm[TRANSFORMS];
} Times;

static double now_us(void) {
  return 1e6 * sr_now();
}

static void keep_least(double *least, double value) {
  if (*least == 0 || value < *least)
    *least = value;
}

/* ---- modules ---- */

static double create_us(const VhDevice *device, const uint32_t *words, size_t count) {
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = count * sizeof *words,
                                   .pCode = words};
  VkShaderModule module;
  double start = now_us();
  VkResult result = device->vk.CreateShaderModule(device->handle, &info, NULL, &module);
  double took = now_us() - start;
  assert_int_equal(result, VK_SUCCESS);
  device->vk.DestroyShaderModule(device->handle, module, NULL);
  return took;
}

/* Changing the generator word of the header makes a module new to the cache. */
static void time_module(const VhDevice *plain, const VhDevice *layered, const HnModule *module,
                        unsigned runs, double *without, double *cold, double *warm) {
  uint32_t *words = malloc(module->count * sizeof *words);
  double least[3] = {0};
  memcpy(words, module->words, module->count * sizeof *words);
  for (unsigned i = 0; i < runs; i++) {
    words[GENERATOR] = i;
    keep_least(&least[0], create_us(plain, words, module->count));
    keep_least(&least[1], create_us(layered, words, module->count));
    keep_least(&least[2], create_us(layered, words, module->count));
  }
  *without = least[0];
  *cold = least[1] - least[0];
  *warm = least[2] - least[0];
  free(words);
}

/* ---- pipelines ---- */

static PFN_vkCreateComputePipelines real_create;
static double last_pipeline;

static VkResult VKAPI_CALL create_timed(VkDevice device, VkPipelineCache cache, uint32_t count,
                                        const VkComputePipelineCreateInfo *infos,
                                        const VkAllocationCallbacks *allocator,
                                        VkPipeline *pipelines) {
  double start = now_us();
  VkResult result = real_create(device, cache, count, infos, allocator, pipelines);
  last_pipeline += now_us() - start;
  return result;
}

/* Times pipelines of structured modules, which are what the driver would get. */
static void time_pipelines(HnVulkan *vulkan, const HnModule *modules, unsigned runs, Times *times) {
  real_create = vulkan->device.vk.CreateComputePipelines;
  vulkan->device.vk.CreateComputePipelines = create_timed;
  for (unsigned i = 0; i < runs; i++) {
    HnReport report;
    last_pipeline = 0;
    hn_backend_run(&vulkan->head, modules, &report);
    keep_least(&times->pipeline, last_pipeline);
    hn_report_clear(&report);
  }
}

/* ---- cases ---- */

static HnVulkan *open_device(const VkCase *test, const char *transform, const char *cache) {
  app_use_layer(transform);
  if (transform)
    setenv("SPVRECONV_TRANSFORM", transform, 1);
  setenv("SPVRECONV_CACHE", cache, 1);
  HnBackendOptions options = {.icd = vk_case_drivers()[0].icd};
  HnBackend *backend;
  char *message;
  if (hn_backend_open(&options, test->script, &backend, &message) != HN_PASS)
    fail_msg("%s", message);
  return (HnVulkan *)backend;
}

/* The modules after `auto`, which a driver accepts. */
static void structurize(const HnModule *in, size_t count, HnModule *out,
                        spvreconv_result **results) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  for (size_t i = 0; i < count; i++) {
    out[i] = in[i];
    results[i] = NULL;
    if (!in[i].count)
      continue;
    assert_int_equal(spvreconv_run(&options, in[i].words, in[i].count, &results[i]), SPVRECONV_OK);
    out[i].words = spvreconv_result_words(results[i], &out[i].count);
  }
}

static size_t count_words(const VkCase *test) {
  size_t words = 0;
  for (uint32_t i = 0; i < test->script->shader_count; i++)
    words += test->modules[i].count;
  return words;
}

static Times time_case(const VkCase *test, unsigned runs) {
  Times times = {0};
  uint32_t count = test->script->shader_count;
  HnModule valid[MOST_MODULES];
  spvreconv_result *results[MOST_MODULES];
  assert_true(count <= MOST_MODULES);
  structurize(test->modules, count, valid, results);
  HnVulkan *plain = open_device(test, NULL, "");
  for (int k = 0; k < TRANSFORMS; k++) {
    char *cache = folder_new();
    HnVulkan *layered = open_device(test, transforms[k], cache);
    times.module = 0;
    for (uint32_t i = 0; i < count; i++) {
      double module = 0, cold = 0, warm = 0;
      if (valid[i].count)
        time_module(&plain->device, &layered->device, &test->modules[i], runs, &module, &cold,
                    &warm);
      times.module += module;
      times.cold[k] += cold;
      times.warm[k] += warm;
    }
    free(hn_backend_close(&layered->head));
    free(cache);
  }
  time_pipelines(plain, valid, runs, &times);
  free(hn_backend_close(&plain->head));
  for (uint32_t i = 0; i < count; i++)
    spvreconv_result_destroy(results[i]);
  return times;
}

static void print_row(const char *name, size_t words, const Times *t) {
  const char *slash = strrchr(name, '/');
  printf("%-20s %6zu %8.1f %9.1f |", slash ? slash + 1 : name, words, t->module, t->pipeline);
  for (int k = 0; k < TRANSFORMS; k++)
    printf(" %8.1f %6.1f %6.2f%% %s", t->cold[k], t->warm[k], 100 * t->warm[k] / t->pipeline,
           k + 1 < TRANSFORMS ? "|" : "\n");
}

/* Over all cases: does a warm cache exceed the limit? */
static bool over_limit(const Times *all) {
  bool over = false;
  for (int k = 0; k < TRANSFORMS; k++)
    over |= 100 * all->warm[k] > PERCENT * all->pipeline;
  if (over)
    printf("FAILED: more than %d%% with a warm cache\n", PERCENT);
  return over;
}

int main(int argc, char **argv) {
  unsigned runs = DEFAULT_RUNS;
  int first = 1;
  if (argc > 1 && sscanf(argv[1], "--runs=%u", &runs) == 1)
    first = 2;
  bool given = argc > first;
  size_t count = given ? (size_t)(argc - first) : sizeof default_cases / sizeof *default_cases;
  Times all = {0};
  size_t all_words = 0;
  folder_clear_environment();
  printf(
      "microseconds, least of %u runs, lavapipe; the layer's part: cold, warm, warm / pipeline\n",
      runs);
  printf("%-20s %6s %8s %9s | %-23s | %s\n", "case", "words", "module", "pipeline", transforms[0],
         transforms[1]);
  for (size_t i = 0; i < count; i++) {
    const char *path = given ? argv[(size_t)first + i] : default_cases[i];
    VkCase test = vk_case_read(path);
    Times times = time_case(&test, runs);
    size_t words = count_words(&test);
    print_row(path, words, &times);
    all_words += words;
    all.module += times.module;
    all.pipeline += times.pipeline;
    for (int k = 0; k < TRANSFORMS; k++) {
      all.cold[k] += times.cold[k];
      all.warm[k] += times.warm[k];
    }
    vk_case_free(&test);
  }
  print_row("all", all_words, &all);
  return given ? 0 : over_limit(&all);
}
