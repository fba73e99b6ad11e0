/* SPDX-License-Identifier: Apache-2.0 */
/* The layer's variables: unknown names, invalid values, the choice of modules and applications,
 * levels of the log, the line at exit, and logs that are pipes. */
#include "tests/unit/unit.h"

#include "harness/layer/convert.h"
#include "harness/layer/select.h"
#include "harness/layer/settings.h"
#include "harness/layer/support/hash.h"
#include "tests/layer/folders.h"
#include "tests/layer/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static Words wild, bad;
static char wild_hash[LY_HASH_TEXT];

static bool changes_for(const char *application, Words words) {
  LyConverter *converter = ly_converter_new(application);
  assert_non_null(converter);
  LyResult result;
  bool changed = ly_convert(converter, NULL, words.at, words.bytes, &result);
  ly_result_clear(&result);
  ly_converter_release(converter);
  return changed;
}

static bool changes(void) {
  return changes_for(NULL, wild);
}

/* Expects a log of one line that contains `text` ("": an empty log), and removes it. */
static void expect_log(const char *text) {
  char *log = folder_text(folder_log);
  if (*text ? !strstr(log, text) || folder_lines(folder_log) != 1 : *log)
    fail_msg("log: not one line with '%s': %s", text, log);
  free(log);
  unlink(folder_log);
}

/* ---- names and values ---- */

static void test_unknown_variables(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
  } cases[] = {
      {"SPVRECONV_TRANSFROM", "unknown variable SPVRECONV_TRANSFROM, nearest: SPVRECONV_TRANSFORM; "
                              "after SPVRECONV_ there are: TRANSFORM, ONLY, "},
      {"SPVRECONV_MAX_MB", "nearest: SPVRECONV_MAX_MIB; "},
      {"SPVRECONV_LOGLEVEL", "nearest: SPVRECONV_LOG_LEVEL; "},
      {"SPVRECONV_", "unknown variable SPVRECONV_; after "},
      {"SPVRECONV_SOMETHING_ELSE", "unknown variable SPVRECONV_SOMETHING_ELSE; after "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    setenv(cases[i].name, "1", 1);
    assert_true(changes());
    expect_log(cases[i].text);
    unsetenv(cases[i].name);
  }
  setenv("SPVRECONV_ENABLE", "1", 1); /* the loader's */
  setenv("SPVRECON", "1", 1);         /* not of the layer */
  assert_true(changes());
  expect_log("");
  unsetenv("SPVRECON");
}

static void test_invalid_values(void **state) {
  (void)state;
  static const struct {
    const char *name, *value, *text;
  } cases[] = {
      {"SPVRECONV_CHECK", "yes", "SPVRECONV_CHECK: invalid value 'yes'; it is 0 or 1; 0 is used"},
      {"SPVRECONV_STATS", "2", "SPVRECONV_STATS: invalid value '2'; it is 0 or 1; 1 is used"},
      {"SPVRECONV_MAX_SECONDS", "0", "'0'; it is a number of seconds above 0; 10 is used"},
      {"SPVRECONV_MAX_SECONDS", "1e99", "'1e99'; it is a number of seconds above 0; 10 is used"},
      {"SPVRECONV_MAX_MIB", "1 GiB", "'1 GiB'; it is a number of MiB above 0; 1024 is used"},
      {"SPVRECONV_LOG_LEVEL", "inof",
       "invalid value 'inof', nearest: info; there are: quiet, error, "
       "info, debug; error is used"},
      {"SPVRECONV_LOG_LEVEL", "loud", "invalid value 'loud'; there are: quiet, "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    setenv(cases[i].name, cases[i].value, 1);
    assert_true(changes());
    expect_log(cases[i].text);
    unsetenv(cases[i].name);
  }
}

/* A MiB has 2^20 bytes. */
static void test_memory_limit(void **state) {
  (void)state;
  static const struct {
    const char *value;
    size_t bytes;
  } cases[] = {{NULL, (size_t)1 << 30}, {"1", 1 << 20}, {"0.5", 1 << 19}, {"96", 96 << 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    LyLog log = ly_log_open(NULL);
    LySettings settings;
    if (cases[i].value)
      setenv("SPVRECONV_MAX_MIB", cases[i].value, 1);
    assert_true(ly_settings_read(&settings, NULL, &log));
    assert_int_equal(settings.bytes, cases[i].bytes);
    ly_settings_clear(&settings);
    unsetenv("SPVRECONV_MAX_MIB");
  }
}

/* ---- the log ---- */

/* A message is one line, without characters that control terminals. */
static void test_one_line(void **state) {
  (void)state;
  LyLog log = ly_log_open(folder_log);
  ly_log(&log, LY_ERROR, "%s", "a\tb\033[0m\r\nc");
  ly_log_close(&log);
  char *text = folder_text(folder_log);
  assert_string_equal(text, "spvreconv: a b [0m  c\n");
  free(text);
}

/* ---- SPVRECONV_ONLY and SPVRECONV_APPS ---- */

static bool changes_only(const char *only) {
  setenv("SPVRECONV_ONLY", only, 1);
  return changes();
}

/* The module's hash with its digit at `place` one lower or higher. */
static char *moved(int place, int by, char text[LY_HASH_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  strcpy(text, wild_hash);
  int digit = (int)(strchr(digits, text[place]) - digits) + by;
  if (digit < 0 || digit > 15)
    return moved(place - 1, by, text);
  text[place] = digits[digit];
  for (int i = place + 1; i < LY_HASH_TEXT - 1; i++)
    text[i] = by < 0 ? 'f' : '0';
  return text;
}

static void test_only(void **state) {
  (void)state;
  char below[LY_HASH_TEXT], above[LY_HASH_TEXT], list[4 * LY_HASH_TEXT];
  moved(LY_HASH_TEXT - 2, -1, below);
  moved(LY_HASH_TEXT - 2, 1, above);
  assert_true(changes_only(wild_hash));
  assert_true(changes_only("0-f"));
  assert_false(changes_only(below));
  assert_false(changes_only(above));
  for (int digits = 1; digits < LY_HASH_TEXT; digits++) {
    snprintf(list, sizeof list, "%.*s", digits, wild_hash);
    assert_true(changes_only(list));
    snprintf(list, sizeof list, "%s,%.*s", below, digits, wild_hash);
    assert_true(changes_only(list));
    snprintf(list, sizeof list, "0-%.*s", digits, wild_hash); /* with all that begin so */
    assert_true(changes_only(list));
  }
  snprintf(list, sizeof list, "%s-%s", below, wild_hash);
  assert_true(changes_only(list));
  snprintf(list, sizeof list, "%s-%s", wild_hash, above);
  assert_true(changes_only(list));
  snprintf(list, sizeof list, "0-%s", below);
  assert_false(changes_only(list));
  snprintf(list, sizeof list, "%s-f", above);
  assert_false(changes_only(list));
  snprintf(list, sizeof list, "0-%s,%s-f", below, above);
  assert_false(changes_only(list));
  snprintf(list, sizeof list, "%s-f,%s,0-%s", above, wild_hash, below);
  for (char *p = list; *p; p++)
    *p = (char)(*p >= 'a' && *p <= 'f' ? *p - 'a' + 'A' : *p);
  assert_true(changes_only(list));
  expect_log("");
}

static void test_invalid_only(void **state) {
  (void)state;
  static const char *const lists[] = {
      "xyz", ",",     "0-f,", "0-",  "-f",
      "-",   "0-f-f", "0x12", "8-7", "0123456789abcdef0123456789abcdef0"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    assert_false(changes_only(lists[i]));
    expect_log("SPVRECONV_ONLY: invalid entry '");
  }
  assert_false(changes_only("0-f,wrong,0"));
  expect_log("invalid entry 'wrong'; an entry is the first 1 to 32 hexadecimal digits of hashes");
}

static void test_applications(void **state) {
  (void)state;
  char pattern[64];
  snprintf(pattern, sizeof pattern, "other,%s", program_invocation_short_name);
  static const struct {
    const char *patterns, *application;
    bool chosen;
  } cases[] = {{"vkcube", "vkcube", true},  {"vkcube", "vkcube2", false},   {"vkcube", NULL, false},
               {"a,vk*,b", "vkcube", true}, {"tests_lay*", "vkcube", true}, {"?", "a,b", false},
               {"", "vkcube", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    setenv("SPVRECONV_APPS", cases[i].patterns, 1);
    assert_int_equal(changes_for(cases[i].application, wild), cases[i].chosen);
  }
  setenv("SPVRECONV_APPS", pattern, 1);
  assert_true(changes());
  expect_log("");
  setenv("SPVRECONV_APPS", "vkcube", 1);
  setenv("SPVRECONV_LOG_LEVEL", "info", 1);
  assert_false(changes_for("glxgears", wild));
  expect_log("application 'glxgears' (program tests_layer) is not in SPVRECONV_APPS; no "
             "module is changed");
}

/* ---- levels ---- */

static size_t lines_at(const char *level, Words words) {
  setenv("SPVRECONV_LOG_LEVEL", level, 1);
  changes_for(NULL, words);
  size_t lines = folder_lines(folder_log);
  unlink(folder_log);
  return lines;
}

static void test_levels(void **state) {
  (void)state;
  Words tame = words_structurized(WORDS_UNSTRUCTURED);
  static const char *const levels[] = {"quiet", "error", "info", "debug"};
  static const size_t of_bad[] = {0, 1, 2, 2}, of_wild[] = {0, 0, 2, 2}, of_tame[] = {0, 0, 1, 2};
  for (int i = 0; i < 4; i++) {
    setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1);
    assert_int_equal(lines_at(levels[i], bad), of_bad[i]);
    setenv("SPVRECONV_TRANSFORM", "structurize", 1);
    assert_int_equal(lines_at(levels[i], wild), of_wild[i]);
    assert_int_equal(lines_at(levels[i], tame), of_tame[i]);
  }
  changes();
  char *log = folder_text(folder_log), wanted[128];
  assert_non_null(strstr(log, "transforms structurize\n"));
  snprintf(wanted, sizeof wanted, "module %s: changed, %zu words to ", wild_hash,
           wild.bytes / sizeof(uint32_t));
  assert_non_null(strstr(log, wanted));
  assert_non_null(strstr(log, " ms, repaired\n"));
  free(log);
  unlink(folder_log);
  setenv("SPVRECONV_ONLY", "0", 1); /* the module's hash begins with another digit */
  assert_true(*wild_hash != '0');
  changes();
  log = folder_text(folder_log);
  snprintf(wanted, sizeof wanted, "module %s: left out\n", wild_hash);
  assert_non_null(strstr(log, wanted));
  free(log);
  free(tame.at);
}

/* ---- the line at exit ---- */

/* Runs `work` in a process of its own that ends as an application does. */
static void run_to_exit(void (*work)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60); /* fails the test if it hangs */
    work();
    exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void convert_several(void) {
  Words tame = words_structurized(WORDS_UNSTRUCTURED);
  changes();
  changes_for(NULL, tame);
  changes();
  setenv("SPVRECONV_TRANSFORM", "guard,structurize", 1);
  changes_for(NULL, tame); /* changed, but there was nothing to repair */
  setenv("SPVRECONV_TRANSFORM", "strip-merges,structurize", 1);
  changes_for(NULL, bad);
  setenv("SPVRECONV_MAX_SECONDS", "1e-9", 1);
  changes();
  setenv("SPVRECONV_ONLY", "0", 1);
  changes();
  free(tame.at);
}

static void convert_none(void) {
  ly_converter_release(ly_converter_new(NULL));
}

static void convert_twice(void) {
  changes();
  changes();
}

static void convert_nothing(void) {}

/* Leaves its folder, and forks two children that end before it: one with an instance and one
 * without. */
static void convert_elsewhere(void) {
  changes();
  run_to_exit(convert_none);
  run_to_exit(convert_nothing);
  if (chdir("/proc") != 0)
    abort();
}

static void test_exit_line(void **state) {
  (void)state;
  run_to_exit(convert_several);
  char *log = folder_text(folder_log);
  if (!strstr(log, "spvreconv: tests_layer: 7 modules: 3 changed, 1 unchanged, 2 refused (1 "
                   "not accepted, 1 over the time limit), 1 left out; 2 repaired; "))
    fail_msg("log: %s", log);
  assert_string_equal(log + strlen(log) - 4, " ms\n");
  assert_int_equal(folder_lines(folder_log), 3); /* with the two refusals */
  free(log);
}

static void test_exit_line_where(void **state) {
  (void)state;
  run_to_exit(convert_none);
  expect_log(": 0 modules: 0 changed, 0 unchanged, 0 refused; 0.0 ms");
  setenv("SPVRECONV_STATS", "0", 1);
  run_to_exit(convert_none);
  expect_log("");
  setenv("SPVRECONV_STATS", "1", 1);
  setenv("SPVRECONV_LOG_LEVEL", "quiet", 1);
  run_to_exit(convert_none);
  expect_log(": 0 modules: ");
  unsetenv("SPVRECONV_STATS");
  char *folder = folder_new();
  setenv("SPVRECONV_CACHE", folder, 1);
  run_to_exit(convert_twice);
  expect_log(": 2 modules: 2 changed, 0 unchanged, 0 refused; 2 repaired; 1 from the cache; ");
  free(folder);
}

/* The path of the log is relative to a folder that the program leaves, and it forks two children:
 * the one that created an instance writes a line of its own. */
static void test_exit_line_of_children(void **state) {
  (void)state;
  char *folder = folder_new(), *path = folder_file(folder, "log"), *before = getcwd(NULL, 0);
  assert_int_equal(chdir(folder), 0);
  setenv("SPVRECONV_LOG", "log", 1);
  run_to_exit(convert_elsewhere);
  assert_int_equal(chdir(before), 0);
  char *log = folder_text(path);
  assert_non_null(strstr(log, ": 1 module: 1 changed, "));
  assert_non_null(strstr(log, ": 0 modules: "));
  assert_int_equal(folder_lines(path), 2);
  free(log);
  free(before);
  free(path);
  free(folder);
}

/* ---- pipes ---- */

/* Removes the log's file and makes a pipe in its place. */
static void log_to_pipe(void) {
  unlink(folder_log);
  assert_int_equal(mkfifo(folder_log, 0600), 0);
}

/* What a process writes to its standard error; to be freed. */
static char *errors_of(void (*work)(void)) {
  FILE *out = tmpfile();
  int before = dup(STDERR_FILENO);
  assert_true(out && before >= 0 && dup2(fileno(out), STDERR_FILENO) >= 0);
  run_to_exit(work);
  dup2(before, STDERR_FILENO);
  close(before);
  char *text = calloc(1, 4096);
  rewind(out);
  assert_true(fread(text, 1, 4095, out) > 0);
  fclose(out);
  return text;
}

/* Nothing waits for a reader, neither at the first line nor at the exit. */
static void test_pipe_without_reader(void **state) {
  (void)state;
  log_to_pipe();
  char *text = errors_of(convert_twice);
  assert_non_null(strstr(text, ": no process reads this pipe; standard error is used\n"));
  assert_non_null(strstr(text, ": 2 modules: 2 changed, "));
  free(text);
}

/* The reader goes before the application does: no SIGPIPE at the exit. */
static void convert_unread(void) {
  int reader = open(folder_log, O_RDONLY | O_NONBLOCK);
  LyConverter *converter = ly_converter_new(NULL);
  close(reader);
  ly_converter_release(converter);
}

static void test_pipe_that_closes(void **state) {
  (void)state;
  log_to_pipe();
  run_to_exit(convert_unread);
}

static void convert_often(void) {
  for (int i = 0; i < 2000; i++)
    changes();
}

/* A reader that reads nothing: what does not fit is lost. */
static void test_pipe_that_is_full(void **state) {
  (void)state;
  log_to_pipe();
  setenv("SPVRECONV_LOG_LEVEL", "debug", 1);
  int reader = open(folder_log, O_RDONLY | O_NONBLOCK);
  run_to_exit(convert_often);
  close(reader);
}

/* The copy of the pipe is the last descriptor of the process, and stays. */
static void test_descriptor(void **state) {
  (void)state;
  int ends[2];
  char path[32], text[512] = "";
  assert_int_equal(pipe(ends), 0);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
  setenv("SPVRECONV_LOG", path, 1);
  run_to_exit(convert_twice);
  assert_true(read(ends[0], text, sizeof text - 1) > 0);
  assert_non_null(strstr(text, ": 2 modules: 2 changed, "));
  close(ends[0]);
  close(ends[1]);
}

/* The application closes all descriptors, the log's, too; its own file then takes their numbers. */
static char *own_path;

static void convert_and_close(void) {
  changes();
  for (int fd = 3; fd < 64; fd++)
    close(fd);
  for (int fd = 3; fd < 64; fd++)
    if (open(own_path, O_WRONLY | O_CREAT | O_APPEND, 0600) < 0)
      abort();
}

static void test_closed_descriptor(void **state) {
  (void)state;
  log_to_pipe();
  int reader = open(folder_log, O_RDONLY | O_NONBLOCK);
  char *folder = folder_new(), *text;
  own_path = folder_file(folder, "own");
  text = errors_of(convert_and_close);
  assert_non_null(strstr(text, ": 1 module: 1 changed, "));
  free(text);
  text = folder_text(own_path);
  assert_string_equal(text, "");
  free(text);
  close(reader);
  free(own_path);
  free(folder);
}

int main(void) {
  wild = words_of(WORDS_UNSTRUCTURED);
  bad = words_of(WORDS_REFUSED);
  ly_hash_print(ly_hash(wild.at, wild.bytes), wild_hash);
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_set_up, folder_tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_unknown_variables),
      TEST(test_invalid_values),
      TEST(test_memory_limit),
      TEST(test_one_line),
      TEST(test_only),
      TEST(test_invalid_only),
      TEST(test_applications),
      TEST(test_levels),
      TEST(test_exit_line),
      TEST(test_exit_line_where),
      TEST(test_exit_line_of_children),
      TEST(test_pipe_without_reader),
      TEST(test_pipe_that_closes),
      TEST(test_pipe_that_is_full),
      TEST(test_descriptor),
      TEST(test_closed_descriptor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
