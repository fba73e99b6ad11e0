/* SPDX-License-Identifier: Apache-2.0 */
/* app_many: creates many modules through the layer on lavapipe, from several threads: all must
 * succeed, nothing may be logged, and the memory of the process must not grow with their number.
 *
 *   app_many [--count=N] [--distinct=N] [--threads=N] [--no-cache]
 *
 * Of `count` modules `distinct` differ; half of them are unstructured. So the layer's cache, unless
 * it is off, has both hits and misses. */
#include "passes/base/clock.h"
#include "tests/layer/app_case.h"

#include "tests/layer/folders.h"
#include "tests/layer/words.h"
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROWTH_KIB = 4096, ROUNDS = 10, MOST_THREADS = 64, GENERATOR = 2 };

typedef struct Settings {
  uint32_t count, distinct, threads;
  bool cached;
} Settings;

typedef struct Work {
  const VhDevice *device;
  const Words *sources; /* two: unstructured, structured */
  uint32_t first, step, end, distinct;
  uint32_t failed;
} Work;

/* Makes a module distinct by the generator word of the header, which has no effect. */
static void number_module(Words words, uint32_t number) {
  words.at[GENERATOR] = number;
}

static bool make_module(const VhDevice *device, Words words) {
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = words.bytes,
                                   .pCode = words.at};
  VkShaderModule module;
  if (device->vk.CreateShaderModule(device->handle, &info, NULL, &module) != VK_SUCCESS)
    return false;
  device->vk.DestroyShaderModule(device->handle, module, NULL);
  return true;
}

static void *run_work(void *user) {
  Work *work = user;
  for (uint32_t i = work->first; i < work->end; i += work->step) {
    Words source = work->sources[i & 1], words = {malloc(source.bytes), source.bytes};
    memcpy(words.at, source.at, source.bytes);
    number_module(words, i % work->distinct);
    work->failed += !make_module(work->device, words);
    free(words.at);
  }
  return NULL;
}

/* Creates modules `first` to `end`, split among the threads; returns how many failed. */
static uint32_t run_round(const Settings *settings, const VhDevice *device, const Words *sources,
                          uint32_t first, uint32_t end) {
  Work work[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  uint32_t failed = 0;
  for (uint32_t i = 0; i < settings->threads; i++) {
    work[i] = (Work){device, sources, first + i, settings->threads, end, settings->distinct, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, run_work, &work[i]), 0);
  }
  for (uint32_t i = 0; i < settings->threads; i++) {
    pthread_join(threads[i], NULL);
    failed += work[i].failed;
  }
  return failed;
}

static long resident_kib(void) {
  long total = 0, resident = 0;
  FILE *in = fopen("/proc/self/statm", "r");
  if (!in || fscanf(in, "%ld %ld", &total, &resident) != 2)
    fail_msg("/proc/self/statm cannot be read");
  fclose(in);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The first round warms up. */
static bool run_all(const Settings *settings, const VhDevice *device, const char *log) {
  const Words sources[] = {words_of(WORDS_UNSTRUCTURED), words_structurized(WORDS_UNSTRUCTURED)};
  uint32_t failed = 0;
  long begin = 0, end = 0;
  double start = sr_now();
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint64_t all = settings->count;
    failed += run_round(settings, device, sources, (uint32_t)(all * i / ROUNDS),
                        (uint32_t)(all * (i + 1) / ROUNDS));
    end = resident_kib();
    begin = i == 0 ? end : begin;
  }
  double us = 1e6 * (sr_now() - start) / settings->count;
  char *lines = folder_text(log);
  printf("%u modules, %u distinct, %u threads, cache %s: %.1f us each, %ld KiB resident after the "
         "first tenth, %ld at the end, %u failed\n%s",
         settings->count, settings->distinct, settings->threads, settings->cached ? "on" : "off",
         us, begin, end, failed, lines);
  bool good = failed == 0 && end - begin < GROWTH_KIB && !*lines;
  free(lines);
  free(sources[0].at);
  free(sources[1].at);
  return good;
}

static bool read_settings(int argc, char **argv, Settings *settings) {
  *settings = (Settings){.count = 4000, .distinct = 500, .threads = 4, .cached = true};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--no-cache") == 0)
      settings->cached = false;
    else if (sscanf(argv[i], "--count=%u", &settings->count) != 1 &&
             sscanf(argv[i], "--distinct=%u", &settings->distinct) != 1 &&
             sscanf(argv[i], "--threads=%u", &settings->threads) != 1)
      return false;
  return settings->distinct && settings->threads && settings->threads <= MOST_THREADS;
}

int main(int argc, char **argv) {
  Settings settings;
  if (!read_settings(argc, argv, &settings)) {
    fprintf(stderr, "usage: app_many [--count=N] [--distinct=N] [--threads=N] [--no-cache]\n");
    return 2;
  }
  folder_clear_environment();
  app_use_layer(true);
  char *folder = folder_new(), *log = folder_file(folder, "log"),
       *cache = folder_file(folder, "cache");
  setenv("SPVRECONV_LOG", log, 1);
  if (settings.cached)
    setenv("SPVRECONV_CACHE", cache, 1);
  VkCase test = vk_case_read("shaders/irreducible/two_entries.amber");
  HnBackendOptions options = {.icd = vk_case_drivers()[0].icd};
  HnBackend *backend;
  char *message;
  if (hn_backend_open(&options, test.script, &backend, &message) != HN_PASS)
    fail_msg("%s", message);
  bool good = run_all(&settings, &((HnVulkan *)backend)->device, log);
  free(hn_backend_close(backend));
  vk_case_free(&test);
  free(folder);
  free(log);
  free(cache);
  return !good;
}
