/* SPDX-License-Identifier: Apache-2.0 */
/* cli_compare: see cli_compare.h. Figures are sums over the module's functions; the first row is
 * the input's. */
#include "passes/cli/cli_compare.h"

#include "passes/cli/cli_report.h"
#include "passes/tool/tool_json.h"
#include "passes/tool/tool_run.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
  const char *transform, *order; /* order NULL: the transform has no choice of orders */
  spvreconv_status status;
  char *message; /* why the run failed, or its first notice; from malloc, or NULL */
  uint64_t before, blocks, instructions;
  uint64_t issues; /* of all functions, under both schedules */
  bool issues_known;
  spvreconv_counts counts;
  bool structured, reconverging, reducible;
  double milliseconds;
  size_t words; /* of the input */
} Row;

/* ---- one run ---- */

static void keep_notice(void *user, const char *line) {
  Row *row = user;
  if (!row->message)
    row->message = strdup(line);
}

static void add_issues(Row *row, const spvreconv_function *f) {
  row->issues_known = row->issues_known && f->cost_after;
  if (row->issues_known)
    row->issues += f->cost_after->frontier_issues + f->cost_after->stack_issues;
}

static void add_function(Row *row, const spvreconv_function *f) {
  row->before += f->before->instructions;
  row->blocks += f->after->blocks;
  row->instructions += f->after->instructions;
  row->structured &= f->after->structured;
  row->reconverging &= f->after->reconverging;
  row->reducible &= f->after->reducible;
  add_issues(row, f);
#define SR_COUNT(name) row->counts.name += f->transform->name;
#include "passes/names/counts.def"
#undef SR_COUNT
}

/* Time of the transform alone. */
static double time_of(const spvreconv_result *result, const char *transform) {
  double sum = 0;
  const spvreconv_pass *pass;
  for (size_t i = 0; (pass = spvreconv_result_pass(result, i)); i++)
    if (strcmp(pass->name, transform) == 0)
      sum += pass->milliseconds;
  return sum;
}

static void run_row(const Cli *cli, const ToolInput *in, Row *row) {
  spvreconv_options options = cli->options;
  spvreconv_result *result = NULL;
  options.transform = row->transform;
  options.order = row->order;
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_COST;
  options.message = keep_notice;
  options.message_user = row;
  row->structured = row->reconverging = row->reducible = row->issues_known = true;
  row->status = tool_run(&options, in, &result);
  if (row->status != SPVRECONV_OK) {
    free(row->message);
    row->message = strdup(spvreconv_result_message(result));
  }
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    add_function(row, f);
  row->milliseconds = time_of(result, row->transform);
  row->words = spvreconv_result_input_words(result);
  spvreconv_result_destroy(result);
}

static double expansion(const Row *row) {
  return row->before
             ? 100.0 * ((double)row->instructions - (double)row->before) / (double)row->before
             : 0;
}

static double change(const Row *row, const Row *input) {
  return input->issues
             ? 100.0 * ((double)row->issues - (double)input->issues) / (double)input->issues
             : 0;
}

static uint32_t copies(const Row *row) {
  return row->counts.duplicated_instructions;
}

static const char *order_name(const Row *row) {
  return row->order ? row->order : "";
}

/* ---- text ---- */

static const char *yes(bool is) {
  return is ? "yes" : "no";
}

/* The issues, and their change against the input's. */
static void print_issues(const Row *row, const Row *input) {
  char text[64];
  snprintf(text, sizeof text, "unknown         ");
  if (row->issues_known && row != input && input->issues_known)
    snprintf(text, sizeof text, "%" PRIu64 " %+6.1f %%", row->issues, change(row, input));
  else if (row->issues_known)
    snprintf(text, sizeof text, "%" PRIu64 "         ", row->issues);
  printf("%20s", text);
}

static void print_row(const Row *row, const Row *input) {
  printf("%-17s%-7s", row->transform, order_name(row));
  if (row->status != SPVRECONV_OK) {
    printf("%s: %s\n", row->status == SPVRECONV_BUG ? "a bug of spvreconv" : "refused",
           row->message ? row->message : "out of memory");
    return;
  }
  printf("%7" PRIu64 "%13" PRIu64 "%9.1f%%", row->blocks, row->instructions, expansion(row));
  print_issues(row, input);
  printf("%6" PRIu32 "%10" PRIu32 "%8" PRIu32, row->counts.flow_blocks, row->counts.selectors,
         copies(row));
  printf("%11s%13s%10s%10.3f\n", yes(row->structured), yes(row->reconverging), yes(row->reducible),
         row->milliseconds);
}

/* Of several modules, under the module's name. */
static void print_table(const Cli *cli, const Row *rows, size_t count) {
  if (cli->several)
    printf("%s:\n", tool_name(cli->input));
  printf("%-17s%-7s%7s%13s%10s%11s%9s%6s%10s%8s%11s%13s%10s%10s\n", "transform", "order", "blocks",
         "instructions", "expansion", "issues", "change", "flow", "selectors", "copies",
         "structured", "reconverging", "reducible", "ms");
  for (size_t i = 0; i < count; i++)
    print_row(&rows[i], &rows[0]);
  for (size_t i = 0; i < count; i++)
    if (rows[i].status == SPVRECONV_OK && rows[i].message)
      printf("%s%s%s: %s\n", rows[i].transform, rows[i].order ? " " : "", order_name(&rows[i]),
             rows[i].message);
}

/* ---- JSON ---- */

static json_t *row_object(const Row *row) {
  static const char *const statuses[] = {"ok", "refused", "refused", "bug", "refused"};
  json_t *o = json_object();
  json_object_set_new(o, "transform", json_string(row->transform));
  json_object_set_new(o, "order", row->order ? json_string(row->order) : json_null());
  json_object_set_new(o, "status", json_string(statuses[row->status]));
  json_object_set_new(o, "message", row->message ? tool_json_text(row->message) : json_null());
  if (row->status != SPVRECONV_OK)
    return o;
  json_object_set_new(o, "blocks", json_integer((json_int_t)row->blocks));
  json_object_set_new(o, "instructions", json_integer((json_int_t)row->instructions));
  json_object_set_new(o, "expansion_percent", json_real(expansion(row)));
  json_object_set_new(o, "issues",
                      row->issues_known ? json_integer((json_int_t)row->issues) : json_null());
#define SR_COUNT(name) json_object_set_new(o, #name, json_integer(row->counts.name));
#include "passes/names/counts.def"
#undef SR_COUNT
  json_object_set_new(o, "structured", json_boolean(row->structured));
  json_object_set_new(o, "reconverging", json_boolean(row->reconverging));
  json_object_set_new(o, "reducible", json_boolean(row->reducible));
  json_object_set_new(o, "milliseconds", json_real(row->milliseconds));
  return o;
}

static bool print_json(const Cli *cli, const Row *rows, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, row_object(&rows[i]));
  json_t *root = cli_report_begin(cli->input, rows[0].words);
  json_object_set_new(root, "compare", array);
  for (size_t i = 0; i < count; i++)
    if (rows[i].status == SPVRECONV_BUG)
      cli_report_fail(root, "bug", rows[i].message ? rows[i].message : "out of memory");
  return cli_report_end(root, stdout);
}

/* ---- all rows ---- */

static size_t row_count(void) {
  const char *transform, *order;
  size_t n = 0;
  while (spvreconv_compare_info(n, &transform, &order))
    n++;
  return n;
}

int cli_compare(const Cli *cli, const ToolInput *in) {
  size_t count = row_count();
  assert(count > 0); /* the input's row is always there */
  Row *rows = calloc(count, sizeof *rows);
  int code = rows ? EXIT_SUCCESS : TOOL_BAD_INPUT;
  for (size_t i = 0; rows && i < count && code != TOOL_BAD_INPUT; i++) {
    spvreconv_compare_info(i, &rows[i].transform, &rows[i].order);
    run_row(cli, in, &rows[i]);
    if (i == 0 && rows[i].status != SPVRECONV_OK) {
      tool_say(cli->input, "%s", rows[i].message);
      code = TOOL_BAD_INPUT;
    } else if (rows[i].status == SPVRECONV_BUG) {
      code = TOOL_BUG;
    }
  }
  if (rows && code != TOOL_BAD_INPUT) {
    if (!cli->json)
      print_table(cli, rows, count);
    else if (!print_json(cli, rows, count))
      code = TOOL_BAD_INPUT;
  }
  for (size_t i = 0; rows && i < count; i++)
    free(rows[i].message);
  free(rows);
  return code;
}
