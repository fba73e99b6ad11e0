/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page of a run: which outcomes are listed as failures, what has changed since an
 * older run, what is left out, and that pictures keep every byte. */
#include "tests/unit/unit.h"

#include "harness/artifacts/artifacts.h"
#include "harness/page/page_data.h"
#include "harness/results/results.h"
#include "harness/results/results_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOMES = 16, NAME = 64 };

static char folder[] = "/tmp/test_page_XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[200];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

/* All outcomes; returns how many there are. */
static int outcomes(HnOutcome all[OUTCOMES]) {
  static const char *const names[] = {"pass",    "fail", "skip",  "crash",
                                      "timeout", "same", "flake", "invalid"};
  int count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_true(hn_outcome_find(names[i], &all[count++]));
  return count;
}

/* ---- databases ------------------------------------------------------------------------------- */

static const char *const variants[] = {"none", "structurize"};

static HnResults *open_results(const char *name) {
  char path[NAME], *message;
  HnResults *results;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  remove(path);
  if (!hn_results_open(path, &results, &message))
    fail_msg("%s", message);
  return results;
}

static void put(HnResults *results, const char *path, HnOutcome none, HnOutcome transformed) {
  HnResult both[2] = {{.outcome = none, .message = "why"}, {.outcome = transformed}};
  HnGroup group = {.path = path,
                   .device = "device",
                   .variants = variants,
                   .results = both,
                   .count = 2,
                   .setup_hash = 5};
  static uint64_t number;
  both[0].case_hash = both[1].case_hash = ++number;
  assert_true(hn_results_put(results, &group));
}

static json_t *page_of(const char *name, const char *older, const char *artifacts) {
  char path[NAME], before[NAME], *message = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(before, sizeof before, "%s/%s", folder, older ? older : "");
  const HnPage page = {.results = path, .against = older ? before : NULL, .artifacts = artifacts};
  json_t *data = hn_page_data(&page, &message);
  if (!data)
    fail_msg("%s", message);
  return data;
}

/* The row of a case and variant; NULL: it is not listed. */
static const json_t *row_of(const json_t *data, const char *path, const char *variant) {
  const json_t *row, *found = NULL;
  size_t i;
  json_array_foreach(json_object_get(data, "rows"), i,
                     row) if (strcmp(json_string_value(json_object_get(row, "case")), path) == 0 &&
                              strcmp(json_string_value(json_object_get(row, "variant")), variant) ==
                                  0) {
    assert_null(found);
    found = row;
  }
  return found;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A module that is refused is no failure if it is the input (variant none), but is one if it is the
 * output of a transform. */
static bool fails(HnOutcome outcome, int variant) {
  switch (outcome) {
  case HN_PASS:
  case HN_SKIP:
  case HN_SAME:
    return false;
  case HN_INVALID:
    return variant != 0;
  default: /* failures, and flakes, which a run counts as passed */
    return true;
  }
}

static void every_outcome_is_listed_or_not(void **state) {
  (void)state;
  HnOutcome all[OUTCOMES];
  int count = outcomes(all);
  HnResults *results = open_results("outcomes.sqlite");
  for (int i = 0; i < count; i++)
    put(results, hn_outcome_name(all[i]), all[i], all[i]);
  hn_results_close(results);
  json_t *data = page_of("outcomes.sqlite", NULL, NULL);
  for (int i = 0; i < count; i++)
    for (int v = 0; v < 2; v++) {
      const json_t *row = row_of(data, hn_outcome_name(all[i]), variants[v]);
      if ((row != NULL) != fails(all[i], v))
        fail_msg("%s of %s", hn_outcome_name(all[i]), variants[v]);
      const json_t *totals = json_array_get(json_object_get(data, "totals"), (size_t)v);
      const json_t *total = json_object_get(totals, "outcomes");
      assert_int_equal(json_integer_value(json_object_get(total, hn_outcome_name(all[i]))), 1);
    }
  assert_true(json_is_null(json_object_get(data, "changes")));
  json_decref(data);
}

/* The larger the rank, the better the outcome; a variant that was not run is no failure. */
static int rank(int at, const HnOutcome *all, int variant) {
  return at < 0 ? 2 : all[at] == HN_FLAKE ? 1 : fails(all[at], variant) ? 0 : 2;
}

/* The change that the page names; "": the same failure as before; NULL: no row. */
static const char *wanted_change(int was, int is, const HnOutcome *all, int variant) {
  int before = rank(was, all, variant), after = rank(is, all, variant);
  if (was == is)
    return is >= 0 && fails(all[is], variant) ? "" : NULL;
  if (after < before)
    return "regression";
  return after > before && is >= 0 && all[is] == HN_PASS ? "fix" : "other";
}

/* Every outcome, or none (-1), before and after. */
static void every_change_has_its_kind(void **state) {
  (void)state;
  HnOutcome all[OUTCOMES];
  int count = outcomes(all);
  HnResults *old = open_results("old.sqlite"), *new = open_results("new.sqlite");
  char path[NAME];
  for (int was = -1; was < count; was++)
    for (int is = -1; is < count; is++) {
      snprintf(path, sizeof path, "%d-%d", was, is);
      if (was >= 0)
        put(old, path, all[was], all[was]);
      if (is >= 0)
        put(new, path, all[is], all[is]);
    }
  hn_results_close(old);
  hn_results_close(new);
  json_t *data = page_of("new.sqlite", "old.sqlite", NULL);
  json_int_t regressions = 0, fixes = 0, others = 0;
  for (int was = -1; was < count; was++)
    for (int is = -1; is < count; is++)
      for (int v = 0; v < 2; v++) {
        snprintf(path, sizeof path, "%d-%d", was, is);
        const json_t *row = row_of(data, path, variants[v]);
        const char *change = wanted_change(was, is, all, v),
                   *seen = row ? json_string_value(json_object_get(row, "change")) : NULL;
        if ((row != NULL) != (change != NULL) || strcmp(seen ? seen : "", change ? change : ""))
          fail_msg("%s -> %s of %s: %s", was < 0 ? "not run" : hn_outcome_name(all[was]),
                   is < 0 ? "not run" : hn_outcome_name(all[is]), variants[v],
                   row ? seen : "no row");
        regressions += change && strcmp(change, "regression") == 0;
        fixes += change && strcmp(change, "fix") == 0;
        others += change && strcmp(change, "other") == 0;
      }
  const json_t *changes = json_object_get(data, "changes");
  assert_int_equal(json_integer_value(json_object_get(changes, "regression")), regressions);
  assert_int_equal(json_integer_value(json_object_get(changes, "fix")), fixes);
  assert_int_equal(json_integer_value(json_object_get(changes, "other")), others);
  json_decref(data);
}

/* Rows that do not fit on the page are in the counts of changes. */
static void rows_that_are_left_out_count(void **state) {
  (void)state;
  enum { MANY = 10020 };
  HnResults *old = open_results("few.log"), *new = open_results("many.log");
  char path[NAME], few[NAME], many[NAME], *message;
  for (int i = 0; i < MANY; i++) {
    snprintf(path, sizeof path, "%d", i);
    put(old, path, HN_PASS, HN_FAIL);
    put(new, path, HN_FAIL, HN_PASS);
  }
  hn_results_close(old);
  hn_results_close(new);
  for (int i = 0; i < 2; i++) {
    size_t torn;
    snprintf(few, sizeof few, "%s/%s.sqlite", folder, i ? "many" : "few");
    snprintf(many, sizeof many, "%s/%s.log", folder, i ? "many" : "few");
    char *const in[] = {many};
    assert_true(hn_results_merge(few, in, 1, &torn, &message));
  }
  json_t *data = page_of("many.sqlite", "few.sqlite", NULL);
  const json_t *changes = json_object_get(data, "changes");
  assert_int_equal(json_array_size(json_object_get(data, "rows")), 20000);
  assert_int_equal(json_integer_value(json_object_get(data, "rows_left_out")), 2 * MANY - 20000);
  assert_int_equal(json_integer_value(json_object_get(changes, "regression")), MANY);
  assert_int_equal(json_integer_value(json_object_get(changes, "fix")), MANY);
  assert_int_equal(json_integer_value(json_object_get(changes, "other")), 0);
  json_decref(data);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static int digit(char c) {
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
                                : 63;
}

/* RFC 4648; returns the size. */
static size_t decode(const char *text, uint8_t *bytes) {
  size_t count = 0;
  assert_int_equal(strlen(text) % 4, 0);
  for (; *text; text += 4) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
      word = word << 6 | (text[i] == '=' ? 0 : (uint32_t)digit(text[i]));
    bytes[count++] = (uint8_t)(word >> 16);
    if (text[2] != '=')
      bytes[count++] = (uint8_t)(word >> 8);
    if (text[3] != '=')
      bytes[count++] = (uint8_t)word;
  }
  return count;
}

static void write_file(const char *in, const char *name, const void *bytes, size_t size) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", in, name);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, size, out), size);
  assert_int_equal(fclose(out), 0);
}

/* Pictures of every size modulo 3, with bytes of every value. */
static void pictures_keep_every_byte(void **state) {
  (void)state;
  static const char failure[] =
      "{\"outcome\": \"fail\", \"message\": \"why\","
      " \"buffers\": [{\"pictures\": {\"actual\": \"a.png\", \"expected\": \"../b.png\"}}]}";
  static const char start[] = "data:image/png;base64,";
  HnResults *results = open_results("picture.sqlite");
  put(results, "case", HN_FAIL, HN_PASS);
  hn_results_close(results);
  char root[NAME], command[400];
  snprintf(root, sizeof root, "%s/kept", folder);
  char *own = hn_artifacts_folder(root, "case", "device", "none");
  snprintf(command, sizeof command, "mkdir -p '%s'", own);
  assert_int_equal(system(command), 0);
  write_file(own, "failure.json", failure, sizeof failure - 1);
  for (size_t size = 254; size < 260; size++) {
    uint8_t bytes[260], back[270];
    for (size_t i = 0; i < size; i++)
      bytes[i] = (uint8_t)(255 - i);
    write_file(own, "a.png", bytes, size);
    json_t *data = page_of("picture.sqlite", NULL, root);
    const json_t *artifacts = json_object_get(row_of(data, "case", "none"), "artifacts");
    const json_t *buffer = json_array_get(json_object_get(artifacts, "buffers"), 0);
    const json_t *pictures = json_object_get(buffer, "pictures");
    assert_int_equal(json_object_size(pictures), 1); /* none from another folder */
    const char *uri = json_string_value(json_object_get(pictures, "actual"));
    assert_memory_equal(uri, start, sizeof start - 1);
    assert_int_equal(decode(uri + sizeof start - 1, back), size);
    assert_memory_equal(back, bytes, size);
    json_decref(data);
  }
  free(own);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_outcome_is_listed_or_not),
      cmocka_unit_test(every_change_has_its_kind),
      cmocka_unit_test(rows_that_are_left_out_count),
      cmocka_unit_test(pictures_keep_every_byte),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
