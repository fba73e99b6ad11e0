/* SPDX-License-Identifier: Apache-2.0 */
/* results_compare: see results_compare.h. */
#include "harness/results/results_compare.h"
#include "harness/results/results_query.h"

#include "passes/tool/tool_csv.h"
#include "passes/tool/tool_json.h"

#include <stdio.h>
#include <string.h>

/* The places (path, device, variant) whose outcomes in the two files differ, with both outcomes. */
static const char differences[] =
    "SELECT x.path, x.device, x.variant, x.outcome, y.outcome, y.message,"
    " change_of(x.outcome, y.outcome, x.variant) FROM a.result x"
    " LEFT JOIN b.result y USING (path, device, variant) WHERE x.outcome IS NOT y.outcome"
    " UNION ALL"
    " SELECT y.path, y.device, y.variant, NULL, y.outcome, y.message,"
    " change_of(NULL, y.outcome, y.variant) FROM b.result y"
    " LEFT JOIN a.result x USING (path, device, variant) WHERE x.outcome IS NULL"
    " ORDER BY 7, 1, 2, 3";

static const char everything[] = "SELECT path, device, variant, outcome, case_hash, module_hash,"
                                 " message FROM a.result ORDER BY path, device, variant";

/* ---- kinds of change ---- */

/* The larger the rank, the better the outcome. A variant that did not run, or was skipped, has not
 * failed. */
static int rank(const char *name, const char *variant) {
  HnOutcome outcome;
  if (!name || !hn_outcome_find(name, &outcome))
    return 2;
  if (outcome == HN_FLAKE)
    return 1;
  return hn_outcome_count(outcome, variant) == HN_COUNT_FAILED ? 0 : 2;
}

HnChange hn_change_of(const char *before, const char *after, const char *variant) {
  int was = rank(before, variant), is = rank(after, variant);
  if (is < was)
    return HN_REGRESSION;
  return is > was && after && strcmp(after, "pass") == 0 ? HN_FIX : HN_OTHER_CHANGE;
}

/* hn_change_of in SQL. */
static void change_of(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  sqlite3_result_int(context, (int)hn_change_of((const char *)sqlite3_value_text(values[0]),
                                                (const char *)sqlite3_value_text(values[1]),
                                                (const char *)sqlite3_value_text(values[2])));
}

static const HnFunction functions[] = {{"change_of", 3, change_of}, {NULL, 0, NULL}};

/* ---- printing ---- */

typedef struct Printing {
  size_t *changes;
  json_t *list; /* list for --json */
} Printing;

static const char *const kinds[] = {"regression", "fix", "other"};
/* The columns of a difference for other programs, in the order of the query. */
static const char *const fields[] = {"case", "device", "variant", "before", "after", "message"};
enum { FIELDS = sizeof fields / sizeof *fields };

static void print_difference(sqlite3_stmt *s, void *user) {
  static const char *const titles[] = {"regressions", "fixes", "other changes"};
  Printing *p = user;
  int change = sqlite3_column_int(s, 6);
  if (!p->changes[change]++)
    printf("%s:\n", titles[change]);
  const char *before = (const char *)sqlite3_column_text(s, 3);
  const char *after = (const char *)sqlite3_column_text(s, 4);
  const char *message = (const char *)sqlite3_column_text(s, 5);
  printf("%s, %s, %s: %s -> %s%s%s\n", hn_db_text(s, 0), hn_db_text(s, 1), hn_db_text(s, 2),
         before ? before : "not run", after ? after : "not run", message ? ": " : "",
         message ? message : "");
}

static void print_csv(sqlite3_stmt *s, void *user) {
  Printing *p = user;
  int change = sqlite3_column_int(s, 6);
  p->changes[change]++;
  fputs(kinds[change], stdout);
  for (int i = 0; i < FIELDS; i++) {
    const char *text = (const char *)sqlite3_column_text(s, i);
    putchar(',');
    tool_csv_text(stdout, text ? text : "");
  }
  putchar('\n');
}

static void add_json(sqlite3_stmt *s, void *user) {
  Printing *p = user;
  int change = sqlite3_column_int(s, 6);
  json_t *o = json_object();
  p->changes[change]++;
  json_object_set_new(o, "change", json_string(kinds[change]));
  for (int i = 0; i < FIELDS; i++) {
    const char *text = (const char *)sqlite3_column_text(s, i);
    json_object_set_new(o, fields[i], text ? tool_json_text(text) : json_null());
  }
  json_array_append_new(p->list, o);
}

/* Prints the object; the counts come first. */
static bool print_json(const Printing *p) {
  json_t *root =
      json_pack("{s:I, s:I, s:I, s:O}", "regressions", (json_int_t)p->changes[HN_REGRESSION],
                "fixes", (json_int_t)p->changes[HN_FIX], "others",
                (json_int_t)p->changes[HN_OTHER_CHANGE], "changes", p->list);
  bool good = root && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
  json_decref(root);
  return good;
}

static void print_row(sqlite3_stmt *s, void *user) {
  (void)user;
  printf("%s\t%s\t%s\t%s\t%016llx\t%016llx\t%s\n", hn_db_text(s, 0), hn_db_text(s, 1),
         hn_db_text(s, 2), hn_db_text(s, 3), (unsigned long long)sqlite3_column_int64(s, 4),
         (unsigned long long)sqlite3_column_int64(s, 5), hn_db_text(s, 6));
}

bool hn_results_compare(const char *a, const char *b, HnCompareFormat format,
                        size_t changes[HN_CHANGES], char **message) {
  static void (*const print[])(sqlite3_stmt *, void *) = {print_difference, print_csv, add_json};
  Printing p = {changes, format == HN_COMPARE_JSON ? json_array() : NULL};
  memset(changes, 0, HN_CHANGES * sizeof *changes);
  *message = NULL;
  if (format == HN_COMPARE_CSV)
    puts("change,case,device,variant,before,after,message");
  bool good = hn_results_query(a, b, differences, functions, print[format], &p, message) &&
              (format != HN_COMPARE_JSON || print_json(&p));
  json_decref(p.list);
  return good;
}

static void take_count(sqlite3_stmt *s, void *user) {
  *(size_t *)user = (size_t)sqlite3_column_int64(s, 0);
}

bool hn_results_common(const char *a, const char *b, size_t *count, char **message) {
  *count = 0;
  *message = NULL;
  return hn_results_query(
      a, b, "SELECT count(*) FROM a.result JOIN b.result USING (path, device, variant)", NULL,
      take_count, count, message);
}

bool hn_results_dump(const char *path, char **message) {
  return hn_results_query(path, NULL, everything, NULL, print_row, NULL, message);
}
