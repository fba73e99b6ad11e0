/* SPDX-License-Identifier: Apache-2.0 */
/* page_data: see page_data.h. */
#include "harness/page/page_data.h"

#include "harness/base/message.h"
#include "harness/page/page_artifacts.h"
#include "harness/results/results_compare.h"
#include "harness/results/results_query.h"
#include "passes/tool/tool_json.h"

#include <string.h>

enum { MOST_ROWS = 20000 };

/* In all of these queries `a` is the database and `b` the older one. */
static const char totals_sql[] = "SELECT device, variant, outcome, count(*) FROM a.result"
                                 " GROUP BY 1, 2, 3 ORDER BY 1, variant <> 'none', 2, 3";

static const char failures_sql[] = "SELECT path, device, variant, outcome, message FROM a.result"
                                   " WHERE is_failure(outcome, variant) ORDER BY 1, 2, 3";

static const char compared_sql[] =
    "SELECT n.path, n.device, n.variant, n.outcome, n.message, o.outcome,"
    " kind_of(o.outcome, n.outcome, n.variant) FROM a.result n"
    " LEFT JOIN b.result o USING (path, device, variant)"
    " WHERE is_failure(n.outcome, n.variant) OR o.outcome IS NOT n.outcome"
    " UNION ALL"
    " SELECT o.path, o.device, o.variant, NULL, NULL, o.outcome,"
    " kind_of(o.outcome, NULL, o.variant) FROM b.result o"
    " LEFT JOIN a.result n USING (path, device, variant) WHERE n.outcome IS NULL"
    " ORDER BY 7, 1, 2, 3";

/* The kinds of rows, in their order on the page. */
typedef enum Kind { KIND_REGRESSION, KIND_SAME, KIND_FIX, KIND_OTHER, KINDS } Kind;

static const char *const kind_names[KINDS] = {"regression", NULL, "fix", "other"};

typedef struct Data {
  const HnPage *page;
  json_t *object, *totals, *rows;
  HnPageArtifacts artifacts;
  json_int_t left_out;
  json_int_t kinds[KINDS]; /* number of rows of each kind, including those left out */
} Data;

/* ---- kinds of rows --------------------------------------------------------------------------- */

static void kind_of(sqlite3_context *context, int count, sqlite3_value **values) {
  static const Kind kinds[] = {KIND_REGRESSION, KIND_FIX, KIND_OTHER};
  const char *before = (const char *)sqlite3_value_text(values[0]);
  const char *after = (const char *)sqlite3_value_text(values[1]);
  (void)count;
  if (before && after && strcmp(before, after) == 0)
    sqlite3_result_int(context, KIND_SAME);
  else
    sqlite3_result_int(
        context,
        (int)kinds[hn_change_of(before, after, (const char *)sqlite3_value_text(values[2]))]);
}

static void is_failure(sqlite3_context *context, int count, sqlite3_value **values) {
  HnOutcome outcome;
  (void)count;
  bool known = hn_outcome_find((const char *)sqlite3_value_text(values[0]), &outcome);
  sqlite3_result_int(context, !known || outcome == HN_FLAKE ||
                                  hn_outcome_count(outcome, (const char *)sqlite3_value_text(
                                                                values[1])) == HN_COUNT_FAILED);
}

static const HnFunction functions[] = {
    {"kind_of", 3, kind_of}, {"is_failure", 2, is_failure}, {NULL, 0, NULL}};

/* ---- totals ---------------------------------------------------------------------------------- */

static bool is_text(const json_t *o, const char *key, const char *text) {
  return strcmp(json_string_value(json_object_get(o, key)), text) == 0;
}

/* A row of the table of totals; SQL gives the rows in the table's order. */
static json_t *total_of(Data *d, const char *device, const char *variant) {
  json_t *last = json_array_get(d->totals, json_array_size(d->totals) - 1);
  if (last && is_text(last, "device", device) && is_text(last, "variant", variant))
    return last;
  last = json_object();
  json_object_set_new(last, "device", tool_json_text(device));
  json_object_set_new(last, "variant", tool_json_text(variant));
  json_object_set_new(last, "outcomes", json_object());
  json_array_append_new(d->totals, last);
  return last;
}

static void add_total(sqlite3_stmt *s, void *user) {
  json_t *total = total_of(user, hn_db_text(s, 0), hn_db_text(s, 1));
  json_object_set_new(json_object_get(total, "outcomes"), hn_db_text(s, 2),
                      json_integer(sqlite3_column_int64(s, 3)));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static json_t *text_or_null(sqlite3_stmt *s, int column) {
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text ? tool_json_text(text) : json_null();
}

static void add_change(sqlite3_stmt *s, json_t *row) {
  const char *name = kind_names[sqlite3_column_int(s, 6)];
  json_object_set_new(row, "was", text_or_null(s, 5));
  json_object_set_new(row, "change", name ? json_string(name) : json_null());
}

static void add_row(sqlite3_stmt *s, void *user) {
  Data *d = user;
  if (d->page->against)
    d->kinds[sqlite3_column_int(s, 6)]++;
  if (json_array_size(d->rows) == MOST_ROWS) {
    d->left_out++;
    return;
  }
  json_t *row = json_object();
  json_object_set_new(row, "case", tool_json_text(hn_db_text(s, 0)));
  json_object_set_new(row, "device", tool_json_text(hn_db_text(s, 1)));
  json_object_set_new(row, "variant", tool_json_text(hn_db_text(s, 2)));
  json_object_set_new(row, "outcome", text_or_null(s, 3));
  json_object_set_new(row, "message", text_or_null(s, 4));
  if (d->page->against)
    add_change(s, row);
  json_object_set_new(row, "artifacts",
                      hn_page_artifacts_of(&d->artifacts, hn_db_text(s, 0), hn_db_text(s, 1),
                                           hn_db_text(s, 2), hn_db_text(s, 3), hn_db_text(s, 4)));
  json_array_append_new(d->rows, row);
}

/* ---- the whole object ------------------------------------------------------------------------ */

static bool collect(Data *d, char **message) {
  const HnPage *page = d->page;
  const char *rows = page->against ? compared_sql : failures_sql;
  return hn_page_artifacts_find(&d->artifacts, page->results, page->artifacts, message) &&
         hn_results_query(page->results, NULL, totals_sql, functions, add_total, d, message) &&
         hn_results_query(page->results, page->against, rows, functions, add_row, d, message);
}

static json_t *changes_of(const Data *d) {
  json_t *changes = json_object();
  for (int kind = 0; kind < KINDS; kind++)
    if (kind_names[kind])
      json_object_set_new(changes, kind_names[kind], json_integer(d->kinds[kind]));
  return changes;
}

json_t *hn_page_data(const HnPage *page, char **message) {
  Data d = {.page = page, .object = json_object(), .totals = json_array(), .rows = json_array()};
  bool good = collect(&d, message);
  json_object_set_new(d.object, "results", tool_json_text(page->results));
  json_object_set_new(d.object, "against",
                      page->against ? tool_json_text(page->against) : json_null());
  json_object_set_new(d.object, "totals", d.totals);
  json_object_set_new(d.object, "changes", page->against ? changes_of(&d) : json_null());
  json_object_set_new(d.object, "rows", d.rows);
  json_object_set_new(d.object, "rows_left_out", json_integer(d.left_out));
  json_object_set_new(d.object, "pictures_left_out",
                      json_integer((json_int_t)d.artifacts.left_out));
  hn_page_artifacts_free(&d.artifacts);
  if (good)
    return d.object;
  json_decref(d.object);
  return NULL;
}
