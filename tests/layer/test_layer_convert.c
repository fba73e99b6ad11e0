/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of modules, without Vulkan: results, settings, failures, limits, dumps, and the cache
 * under damage, several threads and several processes. */
#include "tests/unit/unit.h"

#include "harness/layer/convert.h"
#include "tests/layer/folders.h"
#include "tests/layer/words.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect_log(size_t lines, const char *text) {
  char *log = folder_text(folder_log);
  if (folder_lines(folder_log) != lines || !strstr(log, text))
    fail_msg("log: not %zu lines with '%s': %s", lines, text, log);
  free(log);
}

static LyConverter *converter_new(void) {
  LyConverter *converter = ly_converter_new(NULL);
  assert_non_null(converter);
  return converter;
}

static void expect_kept(LyConverter *converter, Words words) {
  LyResult result;
  assert_false(ly_convert(converter, NULL, words.at, words.bytes, &result));
  assert_null(result.memory);
}

static void expect_changed(LyConverter *converter, Words words, Words wanted) {
  LyResult result;
  assert_true(ly_convert(converter, NULL, words.at, words.bytes, &result));
  assert_int_equal(result.bytes, wanted.bytes);
  assert_memory_equal(result.words, wanted.at, wanted.bytes);
  ly_result_clear(&result);
}

/* The module must be kept, or changed, by a new converter with the current environment. */
static void keeps(Words words) {
  LyConverter *converter = converter_new();
  expect_kept(converter, words);
  ly_converter_release(converter);
}

static void changes(Words words, Words wanted) {
  LyConverter *converter = converter_new();
  expect_changed(converter, words, wanted);
  ly_converter_release(converter);
}

/* ---- results and failures ---- */

static void test_changes(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  changes(wild, tame);
  keeps(tame);
  setenv("SPVRECONV_VALIDATE", "1", 1);
  changes(wild, tame);
  setenv("SPVRECONV_CHECK", "1", 1);
  changes(wild, tame);
  unsetenv("SPVRECONV_CHECK");
  setenv("SPVRECONV_TRANSFORM", "none", 1);
  unsetenv("SPVRECONV_VALIDATE");
  keeps(wild);
  assert_int_equal(folder_lines(folder_log), 0);
  free(wild.at);
  free(tame.at);
}

/* Transforms that together result in the module itself change nothing. */
static void test_back_again(void **state) {
  (void)state;
  Words tame = words_structurized(WORDS_UNSTRUCTURED);
  char *folder = folder_new();
  setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1);
  setenv("SPVRECONV_CACHE", folder, 1);
  keeps(tame);
  keeps(tame);
  assert_int_equal(folder_count(folder, "", NULL), 1);
  free(folder);
  free(tame.at);
}

static void test_what_is_no_module(void **state) {
  (void)state;
  uint32_t garbage[64];
  for (size_t i = 0; i < 64; i++)
    garbage[i] = (uint32_t)i * 2654435761u;
  LyConverter *converter = converter_new();
  expect_kept(converter, (Words){garbage, sizeof garbage});
  expect_log(1, "; the original is used");
  expect_kept(converter, (Words){garbage, 0});
  expect_kept(converter, (Words){garbage, 7});
  expect_kept(converter, (Words){NULL, 64});
  assert_int_equal(folder_lines(folder_log), 1);
  expect_kept(NULL, (Words){garbage, sizeof garbage});
  ly_converter_release(converter);
  ly_converter_release(NULL);
}

static void test_refused(void **state) {
  (void)state;
  Words bad = words_of(WORDS_REFUSED), wild = words_of(WORDS_UNSTRUCTURED);
  setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1);
  keeps(bad);
  expect_log(1, "block %12: %13 is used where its definition does not dominate (word 64)");
  setenv("SPVRECONV_TRANSFORM", "reconverge", 1); /* no transform that structures it */
  keeps(wild);
  expect_log(2, "let the list end in structurize");
  free(bad.at);
  free(wild.at);
}

/* Whatever transforms are listed, neither a driver nor a cache gets an unstructured shader. */
static void test_lists_that_leave_no_structure(void **state) {
  (void)state;
  static const char *const lists[] = {"strip-merges",
                                      "unstructure:1",
                                      "structurize,strip-merges",
                                      "reconverge,unstructure:2",
                                      "strip-merges,none",
                                      "strip-merges,merge-copies"};
  enum { LISTS = sizeof lists / sizeof *lists };
  Words tame = words_structurized(WORDS_UNSTRUCTURED);
  char *folder = folder_new(), *dumps = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  setenv("SPVRECONV_DUMP", dumps, 1);
  for (size_t i = 0; i < LISTS; i++) {
    setenv("SPVRECONV_TRANSFORM", lists[i], 1);
    keeps(tame);
    expect_log(2 * i + 1, "let the list end in structurize");
    keeps(tame);
    expect_log(2 * i + 2, "; the original is used");
    assert_int_equal(folder_count(folder, "", NULL), 0);
    assert_int_equal(folder_count(dumps, ".after.spv", NULL), 0);
  }
  setenv("SPVRECONV_TRANSFORM", "unstructure:1,structurize", 1);
  LyConverter *converter = converter_new();
  LyResult result;
  assert_true(ly_convert(converter, NULL, tame.at, tame.bytes, &result));
  ly_result_clear(&result);
  ly_converter_release(converter);
  assert_int_equal(folder_lines(folder_log), 2 * LISTS);
  assert_int_equal(folder_count(folder, "", NULL), 1);
  free(tame.at);
  free(folder);
  free(dumps);
}

static void test_settings_that_mean_nothing(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  setenv("SPVRECONV_TRANSFORM", "structurise", 1);
  keeps(wild);
  expect_log(1, "SPVRECONV_TRANSFORM: unknown transform 'structurise', nearest: structurize");
  setenv("SPVRECONV_TRANSFORM", "", 1); /* as if unset */
  setenv("SPVRECONV_MAX_MIB", "-3", 1);
  changes(wild, tame);
  expect_log(2, "SPVRECONV_MAX_MIB: invalid value '-3'; it is a number of MiB above 0");
  free(wild.at);
  free(tame.at);
}

static void test_limits(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED);
  setenv("SPVRECONV_MAX_MIB", "0.02", 1);
  keeps(wild);
  expect_log(1, "it needs more memory than SPVRECONV_MAX_MIB; the original is used");
  unsetenv("SPVRECONV_MAX_MIB");
  setenv("SPVRECONV_MAX_SECONDS", "1e-9", 1);
  keeps(wild);
  expect_log(2, "it takes longer than SPVRECONV_MAX_SECONDS; the original is used");
  free(wild.at);
}

/* Whatever the limit of memory: the right module, or the original and a reason. */
static void test_every_budget(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  size_t failures = 0;
  for (size_t kib = 1; kib < 400; kib += kib < 64 ? 1 : 16) {
    char mib[32];
    snprintf(mib, sizeof mib, "%.6f", (double)kib / 1024);
    setenv("SPVRECONV_MAX_MIB", mib, 1);
    LyConverter *converter = converter_new();
    LyResult result;
    if (!ly_convert(converter, NULL, wild.at, wild.bytes, &result))
      failures++;
    else
      assert_memory_equal(result.words, tame.at, tame.bytes);
    ly_result_clear(&result);
    ly_converter_release(converter);
  }
  assert_true(failures > 5);
  assert_int_equal(folder_lines(folder_log), failures);
  free(wild.at);
  free(tame.at);
}

/* ---- dumps ---- */

static void expect_file(const char *folder, const char *ending, Words wanted) {
  char *path;
  assert_int_equal(folder_count(folder, ending, &path), 1);
  int fd = open(path, O_RDONLY);
  char *bytes = malloc(wanted.bytes + 1);
  assert_int_equal(read(fd, bytes, wanted.bytes + 1), wanted.bytes);
  assert_memory_equal(bytes, wanted.at, wanted.bytes);
  close(fd);
  free(bytes);
  free(path);
}

static void test_dump(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  char *folder = folder_new(), *below = folder_file(folder, "new");
  setenv("SPVRECONV_DUMP", below, 1);
  changes(wild, tame);
  changes(wild, tame);
  expect_file(below, ".before.spv", wild);
  expect_file(below, ".after.spv", tame);
  assert_int_equal(folder_count(below, "", NULL), 2);
  /* A failure leaves no module "after". */
  Words bad = words_of(WORDS_REFUSED);
  setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1);
  keeps(bad);
  assert_int_equal(folder_count(below, ".before.spv", NULL), 2);
  assert_int_equal(folder_count(below, ".after.spv", NULL), 1);
  free(bad.at);
  free(wild.at);
  free(tame.at);
  free(folder);
  free(below);
}

/* ---- the cache ---- */

/* Overwrites the file with a result that the library would not produce, so that its use is
 * visible. */
static void forge(const char *path, Words words) {
  int fd = open(path, O_WRONLY | O_TRUNC);
  assert_int_equal(write(fd, words.at, words.bytes), words.bytes);
  close(fd);
}

static void test_cache(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  Words bad = words_of(WORDS_REFUSED);
  char *folder = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  changes(wild, tame);
  assert_int_equal(folder_count(folder, "", NULL), 1);
  changes(wild, tame);
  keeps(tame);
  assert_int_equal(folder_count(folder, "", NULL), 2);
  setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1); /* another key in the cache */
  changes(wild, tame);
  keeps(bad);
  assert_int_equal(folder_count(folder, "", NULL), 4);
  expect_log(1, "does not dominate");
  keeps(bad); /* the failure is cached, and reported again */
  expect_log(2, "does not dominate");
  /* Cached results meet every limit: limits apply to work, and there is none. */
  setenv("SPVRECONV_MAX_SECONDS", "1e-9", 1);
  changes(wild, tame);
  assert_int_equal(folder_count(folder, "", NULL), 4);
  free(wild.at);
  free(tame.at);
  free(bad.at);
  free(folder);
}

/* Each setting that a result depends on has entries of its own. */
static void test_settings_in_the_key(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  static const char *const settings[][2] = {
      {"SPVRECONV_CHECK", "1"},
      {"SPVRECONV_VALIDATE", "1"},
      {"SPVRECONV_TRANSFORM", "structurize"},
  };
  char *folder = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  for (size_t set = 0; set < 8; set++) {
    for (size_t k = 0; k < 3; k++)
      if (set >> k & 1)
        setenv(settings[k][0], settings[k][1], 1);
      else
        unsetenv(settings[k][0]);
    changes(wild, tame);
    changes(wild, tame);
    assert_int_equal(folder_count(folder, "", NULL), set + 1);
  }
  free(wild.at);
  free(tame.at);
  free(folder);
}

/* A module that exceeded a limit is tried again later. */
static void test_limits_are_not_kept(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  char *folder = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  setenv("SPVRECONV_MAX_SECONDS", "1e-9", 1);
  keeps(wild);
  assert_int_equal(folder_count(folder, "", NULL), 0);
  unsetenv("SPVRECONV_MAX_SECONDS");
  changes(wild, tame);
  free(wild.at);
  free(tame.at);
  free(folder);
}

static void expect_entry_again(const char *path, Words entry) {
  Words now = {malloc(entry.bytes + 1), 0};
  int fd = open(path, O_RDONLY);
  now.bytes = (size_t)read(fd, now.at, entry.bytes + 1);
  close(fd);
  assert_int_equal(now.bytes, entry.bytes);
  assert_memory_equal(now.at, entry.at, entry.bytes);
  free(now.at);
}

/* A file truncated at any length, with any byte changed, or of another module is detected and
 * replaced. */
static void test_damage(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  char *folder = folder_new(), *path;
  setenv("SPVRECONV_CACHE", folder, 1);
  changes(wild, tame);
  assert_int_equal(folder_count(folder, "", &path), 1);
  struct stat status;
  stat(path, &status);
  Words entry = {malloc((size_t)status.st_size), (size_t)status.st_size};
  int fd = open(path, O_RDONLY);
  assert_int_equal(read(fd, entry.at, entry.bytes), entry.bytes);
  close(fd);
  LyConverter *converter = converter_new();
  for (size_t cut = 0; cut < entry.bytes; cut += cut < 64 ? 1 : 37) {
    forge(path, (Words){entry.at, cut});
    expect_changed(converter, wild, tame);
    expect_entry_again(path, entry);
  }
  for (size_t byte = 0; byte < entry.bytes; byte += byte < 64 ? 1 : 13) {
    ((uint8_t *)entry.at)[byte] ^= 0x10;
    forge(path, entry);
    ((uint8_t *)entry.at)[byte] ^= 0x10;
    expect_changed(converter, wild, tame);
    expect_entry_again(path, entry);
  }
  assert_int_equal(folder_count(folder, "", NULL), 1);
  expect_changed(converter, wild, tame);
  expect_kept(converter, tame);
  unlink(path);
  char *other;
  assert_int_equal(folder_count(folder, "", &other), 1);
  assert_int_equal(rename(other, path), 0);
  expect_changed(converter, wild, tame);
  assert_int_equal(folder_lines(folder_log), 0);
  ly_converter_release(converter);
  free(entry.at);
  free(wild.at);
  free(tame.at);
  free(path);
  free(other);
  free(folder);
}

static void test_no_folder(void **state) {
  (void)state;
  Words wild = words_of(WORDS_UNSTRUCTURED), tame = words_structurized(WORDS_UNSTRUCTURED);
  setenv("SPVRECONV_CACHE", folder_log, 1); /* a file */
  changes(wild, tame);
  changes(wild, tame);
  expect_log(2, "SPVRECONV_CACHE: ");
  expect_log(2, ": Not a directory");
  setenv("SPVRECONV_CACHE", "/proc/self/fdinfo", 1); /* no file can be created there */
  LyConverter *converter = converter_new();
  expect_changed(converter, wild, tame);
  expect_changed(converter, wild, tame);
  expect_log(3, "SPVRECONV_CACHE: /proc/self/fdinfo: ");
  ly_converter_release(converter);
  setenv("SPVRECONV_LOG", "/proc/self/fdinfo/log", 1); /* lines go to standard error */
  unsetenv("SPVRECONV_CACHE");
  changes(wild, tame);
  free(wild.at);
  free(tame.at);
}

/* ---- several threads and processes ---- */

enum { THREADS = 8, ROUNDS = 40 };

typedef struct Shared {
  LyConverter *converter;
  Words wild, tame;
} Shared;

static void *convert_often(void *user) {
  const Shared *shared = user;
  size_t wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    LyResult result;
    bool changed =
        ly_convert(shared->converter, NULL, shared->wild.at, shared->wild.bytes, &result);
    wrong += !changed || result.bytes != shared->tame.bytes ||
             memcmp(result.words, shared->tame.at, result.bytes) != 0;
    ly_result_clear(&result);
    wrong += ly_convert(shared->converter, NULL, shared->tame.at, shared->tame.bytes, &result);
  }
  return (void *)wrong;
}

static size_t run_threads(Shared *shared) {
  pthread_t threads[THREADS];
  size_t wrong = 0;
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, convert_often, shared), 0);
  for (int i = 0; i < THREADS; i++) {
    void *count;
    pthread_join(threads[i], &count);
    wrong += (size_t)count;
  }
  return wrong;
}

static void test_threads(void **state) {
  (void)state;
  char *folder = folder_new();
  Shared shared = {.wild = words_of(WORDS_UNSTRUCTURED),
                   .tame = words_structurized(WORDS_UNSTRUCTURED)};
  for (int cached = 0; cached < 2; cached++) {
    if (cached) {
      setenv("SPVRECONV_CACHE", folder, 1);
      setenv("SPVRECONV_DUMP", folder, 1);
    }
    shared.converter = converter_new();
    assert_int_equal(run_threads(&shared), 0);
    ly_converter_release(shared.converter);
  }
  assert_int_equal(folder_count(folder, "", NULL), 6);
  assert_int_equal(folder_lines(folder_log), 0);
  free(shared.wild.at);
  free(shared.tame.at);
  free(folder);
}

/* One of several processes that share a cache, while another one damages it repeatedly. */
static int run_process(const char *folder, int number) {
  Shared shared = {.wild = words_of(WORDS_UNSTRUCTURED),
                   .tame = words_structurized(WORDS_UNSTRUCTURED)};
  size_t wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char *path;
    if (number == 0 && folder_count(folder, "", &path)) {
      if (truncate(path, i * 8))
        unlink(path);
      free(path);
      usleep(200);
      continue;
    }
    shared.converter = ly_converter_new(NULL);
    wrong += number > 0 && (size_t)convert_often(&shared);
    ly_converter_release(shared.converter);
  }
  free(shared.wild.at);
  free(shared.tame.at);
  return wrong > 0;
}

static void test_processes(void **state) {
  (void)state;
  enum { PROCESSES = 4 };
  char *folder = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    if (children[i] == 0)
      _exit(run_process(folder, i));
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    waitpid(children[i], &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  assert_int_equal(folder_lines(folder_log), 0);
  assert_int_equal(folder_count(folder, ".part", NULL), 0);
  free(folder);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_set_up, folder_tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_changes),
      TEST(test_back_again),
      TEST(test_what_is_no_module),
      TEST(test_refused),
      TEST(test_lists_that_leave_no_structure),
      TEST(test_settings_that_mean_nothing),
      TEST(test_limits),
      TEST(test_every_budget),
      TEST(test_dump),
      TEST(test_cache),
      TEST(test_settings_in_the_key),
      TEST(test_limits_are_not_kept),
      TEST(test_damage),
      TEST(test_no_folder),
      TEST(test_threads),
      TEST(test_processes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
