/* SPDX-License-Identifier: Apache-2.0 */
/* Results files, through their functions: both kinds return what was written, whatever the texts;
 * outcomes are found by content only; a merge keeps every outcome, and the newest one of each
 * place. */
#include "tests/unit/unit.h"

#include "harness/results/recorded_outcomes.h"
#include "harness/results/results_compare.h"
#include "harness/results/results_db.h"
#include "harness/results/results_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 20000 };

static const char *const variants[] = {"none", "strip-merges,structurize"};
static char folder[] = "/tmp/test_results.XXXXXX";

static char *path_of(const char *name) {
  static char path[8][200];
  static int next;
  next = (next + 1) % 8;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static void put(HnResults *file, const char *path, uint64_t content, uint64_t setup,
                HnOutcome outcome, char *message) {
  HnResult results[2] = {{.outcome = outcome, .message = message, .case_hash = content},
                         {.outcome = HN_SAME, .case_hash = content}};
  HnGroup group = {.path = path,
                   .device = "emu",
                   .variants = variants,
                   .results = results,
                   .count = 2,
                   .setup_hash = setup};
  assert_true(hn_results_put(file, &group));
}

static HnResults *open_file(const char *name) {
  HnResults *file;
  char *message;
  assert_true(hn_results_open(path_of(name), &file, &message));
  return file;
}

/* ---- reading ---- */

typedef struct Seen {
  int artifacts; /* folders */
  size_t outcomes, places, odd;
} Seen;

static const char odd_path[] = "a\tb\\t\nc\\\\", odd_message[] = "\\n is no line\tnor tab";

static bool see_outcome(void *user, const HnOutcomeKey *key, const HnResult *result) {
  Seen *seen = user;
  seen->outcomes++;
  seen->odd += key->case_hash == 7 && key->setup_hash == UINT64_MAX && result->message &&
               strcmp(result->message, odd_message) == 0 && result->outcome == HN_FAIL;
  return true;
}

static bool see_place(void *user, const char *path, const char *device, const HnOutcomeKey *key) {
  Seen *seen = user;
  seen->places++;
  seen->odd += strcmp(path, odd_path) == 0 && strcmp(device, "emu") == 0 && key->case_hash == 7 &&
               strcmp(key->variant, variants[0]) == 0;
  return true;
}

static const char odd_folder[] = "/tmp/a\tb\\c";

static bool see_artifacts(void *user, const char *name) {
  Seen *seen = user;
  assert_string_equal(name, odd_folder);
  seen->artifacts++;
  return true;
}

static void holds_any_text(void **state) {
  (void)state;
  static const char *const names[] = {"odd.log", "odd.sqlite"};
  for (int i = 0; i < 2; i++) {
    HnResults *file = open_file(names[i]);
    char message[sizeof odd_message];
    memcpy(message, odd_message, sizeof message);
    put(file, odd_path, 7, UINT64_MAX, HN_FAIL, message);
    put(file, "", 0, 1, HN_FAIL, NULL); /* could not be read: its own content hash */
    assert_true(hn_results_note_artifacts(file, odd_folder));
    hn_results_close(file);
    Seen seen = {0};
    size_t torn;
    char *why;
    assert_true(hn_results_read(path_of(names[i]),
                                &(HnVisitor){&seen, see_outcome, see_place, see_artifacts}, &torn,
                                &why));
    assert_int_equal(torn, 0);
    assert_int_equal(seen.outcomes, 4);
    assert_int_equal(seen.places, 4);
    assert_int_equal(seen.odd, 2);
    assert_int_equal(seen.artifacts, 1);
  }
}

/* ---- finding ---- */

static HnOutcome outcome_of(uint64_t content) {
  return content % 3 ? HN_PASS : HN_FAIL;
}

static void finds_by_content(void **state) {
  (void)state;
  static const uint64_t setups[] = {5};
  HnResults *file = open_file("many.log");
  for (uint64_t i = 1; i <= MANY; i++) {
    char path[30];
    snprintf(path, sizeof path, "%u", (unsigned)(i % 1000));
    put(file, path, i, i % 2 ? 5 : 6, outcome_of(i), NULL);
  }
  hn_results_close(file);
  HnRecorded *recorded = hn_recorded_new(setups, 1);
  char *message;
  assert_true(hn_recorded_load(recorded, path_of("many.log"), false, &message));
  for (uint64_t i = 1; i <= MANY; i++) {
    HnResult result;
    const HnOutcomeKey key = {i, 5, "none"}, other = {i, 6, "none"}, less = {i, 5, "auto"};
    assert_int_equal(hn_recorded_find(recorded, &key, &result), i % 2);
    if (i % 2)
      assert_int_equal(result.outcome, outcome_of(i));
    assert_false(hn_recorded_find(recorded, &other, &result));
    assert_false(hn_recorded_find(recorded, &less, &result));
  }
  hn_recorded_free(recorded);
}

/* If a log has one content twice, the later line counts, for a resumed run too. */
static void finds_the_newest(void **state) {
  (void)state;
  static const uint64_t setups[] = {1};
  HnResults *file = open_file("twice.log");
  put(file, "x.amber", 7, 1, HN_TIMEOUT, NULL);
  put(file, "x.amber", 7, 1, HN_PASS, NULL);
  hn_results_close(file);
  HnRecorded *recorded = hn_recorded_new(setups, 1);
  const HnOutcomeKey key = {7, 1, "none"};
  HnResult result;
  char *message;
  assert_true(hn_recorded_load(recorded, path_of("twice.log"), true, &message));
  assert_true(hn_recorded_find(recorded, &key, &result));
  assert_int_equal(result.outcome, HN_PASS);
  hn_recorded_free(recorded);
}

/* ---- merging ---- */

static void expect_outcome(HnDb *db, uint64_t content, HnOutcome wanted) {
  const HnOutcomeKey key = {content, 1, "none"};
  HnResult result;
  assert_true(hn_db_find(db, &key, &result));
  assert_int_equal(result.outcome, wanted);
  free(result.message);
}

/* The case x.amber had content 1 and now has 2; content 3 was run twice. */
static void merge_keeps_the_newest(void **state) {
  (void)state;
  HnResults *first = open_file("first.sqlite"), *second = open_file("second.log");
  put(first, "x.amber", 1, 1, HN_FAIL, NULL);
  put(first, "y.amber", 3, 1, HN_TIMEOUT, NULL);
  put(second, "x.amber", 2, 1, HN_PASS, NULL);
  put(second, "y.amber", 3, 1, HN_PASS, NULL);
  hn_results_close(first);
  hn_results_close(second);
  char *in[] = {path_of("first.sqlite"), path_of("second.log")}, *message;
  size_t torn;
  for (int round = 0; round < 2; round++) /* the second time into the existing file */
    assert_true(hn_results_merge(path_of("merged.sqlite"), in, 2, &torn, &message));
  assert_true(hn_db_is_merged(path_of("merged.sqlite")));
  HnDb *db;
  assert_true(hn_db_open(path_of("merged.sqlite"), HN_DB_LOOKUP, &db, &message));
  expect_outcome(db, 1, HN_FAIL);
  expect_outcome(db, 2, HN_PASS);
  expect_outcome(db, 3, HN_PASS);
  hn_db_close(db);
  Seen seen = {0};
  assert_true(hn_results_read(path_of("merged.sqlite"),
                              &(HnVisitor){&seen, see_outcome, see_place, see_artifacts}, &torn,
                              &message));
  assert_int_equal(seen.places, 4);
  assert_int_equal(seen.outcomes, 6);
}

/* These files have the same places and contents with different outcomes and messages, two of them
 * twice: what was written last counts. */
typedef struct File {
  const char *name;
  HnOutcome outcome;
  const char *message;
  bool twice; /* first as SKIP */
} File;

static const File files[] = {{"one.sqlite", HN_FAIL, "by one", false},
                             {"two.log", HN_TIMEOUT, "by two", true},
                             {"three.sqlite", HN_CRASH, "by three", true}};
enum { FILES = 3 };

static void put_message(HnResults *file, const char *path, uint64_t content, HnOutcome outcome,
                        const char *message) {
  char text[40];
  snprintf(text, sizeof text, "%s", message);
  put(file, path, content, 1, outcome, text);
}

static void make_files(void) {
  for (int i = 0; i < FILES; i++) {
    HnResults *file = open_file(files[i].name);
    char own[20];
    snprintf(own, sizeof own, "own_%d.amber", i);
    if (files[i].twice)
      put_message(file, "same.amber", 7, HN_SKIP, "earlier");
    put_message(file, "same.amber", 7, files[i].outcome, files[i].message);
    put_message(file, "moved.amber", 10 + (uint64_t)i, files[i].outcome, files[i].message);
    put_message(file, own, 20 + (uint64_t)i, HN_PASS, files[i].message);
    hn_results_close(file);
  }
}

/* Checks outcome and message of a place in the merged file. */
static void expect_place(const char *name, const char *path, HnOutcome outcome,
                         const char *message) {
  HnDb *db;
  char *why;
  sqlite3_stmt *s = NULL;
  assert_true(hn_db_open(path_of(name), HN_DB_LOOKUP, &db, &why));
  assert_int_equal(sqlite3_prepare_v2(hn_db_handle(db),
                                      "SELECT outcome, message FROM result WHERE path = ?"
                                      " AND device = 'emu' AND variant = 'none'",
                                      -1, &s, NULL),
                   SQLITE_OK);
  sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
  assert_int_equal(sqlite3_step(s), SQLITE_ROW);
  assert_string_equal(hn_db_text(s, 0), hn_outcome_name(outcome));
  assert_string_equal(hn_db_text(s, 1), message);
  assert_int_equal(sqlite3_step(s), SQLITE_DONE);
  sqlite3_finalize(s);
  hn_db_close(db);
}

static void expect_winner(const char *name, const File *winner) {
  expect_place(name, "same.amber", winner->outcome, winner->message);
  expect_place(name, "moved.amber", winner->outcome, winner->message);
  for (int i = 0; i < FILES; i++) {
    char own[20];
    snprintf(own, sizeof own, "own_%d.amber", i);
    expect_place(name, own, HN_PASS, files[i].message);
  }
}

/* In every order, into a new file and into a file with rows. */
static void the_last_file_wins(void **state) {
  (void)state;
  static const int orders[][FILES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  make_files();
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
    for (int there = 0; there < 2; there++) {
      char name[30], *in[FILES], *message;
      size_t torn;
      snprintf(name, sizeof name, "order_%zu_%d.sqlite", o, there);
      if (there) {
        HnResults *file = open_file(name);
        put_message(file, "same.amber", 7, HN_PASS, "there before");
        put_message(file, "kept.amber", 30, HN_FAIL, "stays");
        hn_results_close(file);
      }
      for (int i = 0; i < FILES; i++)
        in[i] = path_of(files[orders[o][i]].name);
      assert_true(hn_results_merge(path_of(name), in, FILES, &torn, &message));
      expect_winner(name, &files[orders[o][FILES - 1]]);
      if (there)
        expect_place(name, "kept.amber", HN_FAIL, "stays");
    }
}

/* A file named twice counts at its last position. */
static void a_file_named_twice(void **state) {
  (void)state;
  char *in[] = {path_of(files[0].name), path_of(files[1].name), path_of(files[0].name)}, *message;
  size_t torn;
  assert_true(hn_results_merge(path_of("again.sqlite"), in, 3, &torn, &message));
  expect_place("again.sqlite", "same.amber", files[0].outcome, files[0].message);
  expect_place("again.sqlite", "moved.amber", files[0].outcome, files[0].message);
}

/* ---- comparing ---- */

/* Returns the output of `compare` for two databases, and the numbers of changes, as digits. */
static size_t said_of(const char *a, const char *b, char *text, size_t room) {
  char *message;
  size_t changes[HN_CHANGES];
  fflush(stdout);
  int out = dup(STDOUT_FILENO);
  FILE *file = fopen(path_of("said"), "w+");
  assert_true(out >= 0 && file);
  dup2(fileno(file), STDOUT_FILENO);
  bool good = hn_results_compare(path_of(a), path_of(b), HN_COMPARE_TEXT, changes, &message);
  fflush(stdout);
  dup2(out, STDOUT_FILENO);
  close(out);
  assert_true(good);
  rewind(file);
  text[fread(text, 1, room - 1, file)] = '\0';
  fclose(file);
  return 100 * changes[HN_REGRESSION] + 10 * changes[HN_FIX] + changes[HN_OTHER_CHANGE];
}

static void compare_tells_what_changed(void **state) {
  (void)state;
  HnResults *before = open_file("before.sqlite"), *after = open_file("after.sqlite");
  char text[1000];
  put_message(before, "same.amber", 1, HN_PASS, "quick");
  put_message(after, "same.amber", 2, HN_PASS, "slow"); /* different content and message */
  put_message(before, "worse.amber", 3, HN_PASS, "fine");
  put_message(after, "worse.amber", 3, HN_FAIL, "line 3: no");
  put_message(before, "gone.amber", 4, HN_CRASH, "signal");
  put_message(after, "new.amber", 5, HN_TIMEOUT, "60 s");
  hn_results_close(before);
  hn_results_close(after);
  assert_int_equal(said_of("before.sqlite", "before.sqlite", text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_int_equal(said_of("before.sqlite", "after.sqlite", text, sizeof text), 203);
  assert_string_equal(text, "regressions:\n"
                            "new.amber, emu, none: not run -> timeout: 60 s\n"
                            "worse.amber, emu, none: pass -> fail: line 3: no\n"
                            "other changes:\n"
                            "gone.amber, emu, none: crash -> not run\n"
                            "gone.amber, emu, strip-merges,structurize: same -> not run\n"
                            "new.amber, emu, strip-merges,structurize: not run -> same\n");
  assert_int_equal(said_of("after.sqlite", "before.sqlite", text, sizeof text), 113);
  assert_non_null(strstr(text, "worse.amber, emu, none: fail -> pass: fine\n"));
  assert_non_null(strstr(text, "gone.amber, emu, none: not run -> crash: signal\n"));
}

static void changes_have_kinds(void **state) {
  (void)state;
  assert_int_equal(hn_change_of("pass", "fail", "none"), HN_REGRESSION);
  assert_int_equal(hn_change_of("skip", "crash", "none"), HN_REGRESSION);
  assert_int_equal(hn_change_of(NULL, "timeout", "none"), HN_REGRESSION);
  assert_int_equal(hn_change_of("pass", "flake", "none"), HN_REGRESSION);
  assert_int_equal(hn_change_of("pass", "invalid", "auto"), HN_REGRESSION);
  assert_int_equal(hn_change_of("fail", "pass", "none"), HN_FIX);
  assert_int_equal(hn_change_of("flake", "pass", "none"), HN_FIX);
  assert_int_equal(hn_change_of("invalid", "pass", "auto"), HN_FIX);
  assert_int_equal(hn_change_of("pass", "invalid", "none"), HN_OTHER_CHANGE); /* as skipped */
  assert_int_equal(hn_change_of("fail", "crash", "none"), HN_OTHER_CHANGE);
  assert_int_equal(hn_change_of("fail", "skip", "none"), HN_OTHER_CHANGE);
  assert_int_equal(hn_change_of("skip", "pass", "none"), HN_OTHER_CHANGE);
  assert_int_equal(hn_change_of("pass", NULL, "none"), HN_OTHER_CHANGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_any_text),
      cmocka_unit_test(finds_by_content),
      cmocka_unit_test(finds_the_newest),
      cmocka_unit_test(merge_keeps_the_newest),
      cmocka_unit_test(the_last_file_wins),
      cmocka_unit_test(a_file_named_twice),
      cmocka_unit_test(compare_tells_what_changed),
      cmocka_unit_test(changes_have_kinds),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
