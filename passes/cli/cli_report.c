/* SPDX-License-Identifier: Apache-2.0 */
/* cli_report: see cli_report.h. graph.def and counts.def list the figures. */
#include "cli/cli_report.h"

#include "cli/cli_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* "  multi exit loops " in a column of its own. */
static void print_label(const char *name) {
  int n = printf("  ");
  for (; *name; name++, n++)
    putchar(*name == '_' ? ' ' : *name);
  printf("%*s", n < 28 ? 28 - n : 1, "");
}

static void print_counts(const char *name, uint64_t before, uint64_t after) {
  print_label(name);
  printf("%10" PRIu64 "%10" PRIu64 "\n", before, after);
}

static void print_flags(const char *name, bool before, bool after) {
  print_label(name);
  printf("%10s%10s\n", before ? "yes" : "no", after ? "yes" : "no");
}

static void print_reals(const char *name, double before, double after) {
  print_label(name);
  printf("%10.2f%10.2f\n", before, after);
}

/* Counts that are zero are left out. */
static void print_change(const char *name, uint32_t count) {
  if (count == 0)
    return;
  print_label(name);
  printf("%20" PRIu32 "\n", count);
}

static void print_function(const spvreconv_function *f) {
  const spvreconv_graph *b = f->before, *a = f->after;
  int n = printf("function %s", f->name);
  printf("%*s%10s%10s\n", n < 28 ? 28 - n : 1, "", "before", "after");
#define SR_COUNT(name) print_counts(#name, b->name, a->name);
#define SR_FLAG(name) print_flags(#name, b->name, a->name);
#define SR_REAL(name) print_reals(#name, b->name, a->name);
#include "cli/graph.def"
#undef SR_COUNT
#undef SR_FLAG
#undef SR_REAL
#define SR_COUNT(name) print_change(#name, f->transform->name);
#include "cli/counts.def"
#undef SR_COUNT
  if (f->best_order) {
    print_label("best_order");
    printf("%20s\n", f->best_order);
  }
}

void cli_print_stats(const spvreconv_result *result, const char *file, bool check) {
  size_t words;
  spvreconv_result_words(result, &words);
  printf("%s: %zu words in, %zu words out%s\n", file, spvreconv_result_input_words(result), words,
         spvreconv_result_changed(result) ? "" : ", unchanged");
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    print_function(f);
  if (check)
    cli_print_check(result, file);
}

void cli_print_check(const spvreconv_result *result, const char *file) {
  const spvreconv_check *c = spvreconv_result_check(result);
  printf("%s: no difference on %" PRIu64 " walks through %" PRIu64
         " changed function%s; covered %" PRIu64 " of %" PRIu64 " edges, %" PRIu64 " of %" PRIu64
         " pairs\n",
         file, c->walks, c->functions, c->functions == 1 ? "" : "s", c->edges_covered, c->edges,
         c->pairs_covered, c->pairs);
}

void cli_print_times(const spvreconv_result *result) {
  const spvreconv_pass *pass;
  double total = 0;
  for (size_t i = 0; (pass = spvreconv_result_pass(result, i)); i++) {
    fprintf(stderr, "%-16s %10.3f ms\n", pass->name, pass->milliseconds);
    total += pass->milliseconds;
  }
  fprintf(stderr, "%-16s %10.3f ms\n", "total", total);
}

/* ---- JSON ---- */

static json_t *graph_object(const spvreconv_graph *g) {
  json_t *o = json_object();
#define SR_COUNT(name) json_object_set_new(o, #name, json_integer((json_int_t)g->name));
#define SR_FLAG(name) json_object_set_new(o, #name, json_boolean(g->name));
#define SR_REAL(name) json_object_set_new(o, #name, json_real(g->name));
#include "cli/graph.def"
#undef SR_COUNT
#undef SR_FLAG
#undef SR_REAL
  return o;
}

static json_t *counts_object(const spvreconv_counts *c) {
  json_t *o = json_object();
#define SR_COUNT(name) json_object_set_new(o, #name, json_integer(c->name));
#include "cli/counts.def"
#undef SR_COUNT
  return o;
}

static json_t *function_object(const spvreconv_function *f) {
  json_t *o = json_object(), *order = json_array();
  json_object_set_new(o, "name", cli_json_text(f->name));
  json_object_set_new(o, "id", json_integer(f->id));
  json_object_set_new(o, "before", graph_object(f->before));
  json_object_set_new(o, "after", graph_object(f->after));
  json_object_set_new(o, "transform", counts_object(f->transform));
  for (uint32_t i = 0; i < f->order_count; i++)
    json_array_append_new(order, json_integer(f->order[i]));
  json_object_set_new(o, "order", order);
  if (f->best_order)
    json_object_set_new(o, "best_order", json_string(f->best_order));
  return o;
}

static json_t *functions_array(const spvreconv_result *result) {
  const spvreconv_function *f;
  json_t *array = json_array();
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    json_array_append_new(array, function_object(f));
  return array;
}

static json_t *check_object(const spvreconv_check *c) {
  json_t *o = json_object();
  json_object_set_new(o, "functions", json_integer((json_int_t)c->functions));
  json_object_set_new(o, "walks", json_integer((json_int_t)c->walks));
  json_object_set_new(o, "edges", json_integer((json_int_t)c->edges));
  json_object_set_new(o, "edges_covered", json_integer((json_int_t)c->edges_covered));
  json_object_set_new(o, "pairs", json_integer((json_int_t)c->pairs));
  json_object_set_new(o, "pairs_covered", json_integer((json_int_t)c->pairs_covered));
  json_object_set_new(o, "differences", json_integer((json_int_t)c->differences));
  return o;
}

static json_t *passes_array(const spvreconv_result *result) {
  const spvreconv_pass *pass;
  json_t *array = json_array();
  for (size_t i = 0; (pass = spvreconv_result_pass(result, i)); i++) {
    json_t *o = json_object();
    json_object_set_new(o, "name", json_string(pass->name));
    json_object_set_new(o, "milliseconds", json_real(pass->milliseconds));
    json_array_append_new(array, o);
  }
  return array;
}

json_t *cli_report_begin(const char *file, size_t words) {
  json_t *input = json_object(), *root = json_object();
  json_object_set_new(input, "file", cli_json_text(file));
  json_object_set_new(input, "words", json_integer((json_int_t)words));
  json_object_set_new(root, "tool", json_string("spvreconv"));
  json_object_set_new(root, "version", json_string(SPVRECONV_VERSION));
  json_object_set_new(root, "input", input);
  return root;
}

bool cli_report_end(json_t *root) {
  bool ok = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
  putchar('\n');
  json_decref(root);
  return ok;
}

bool cli_print_json(const spvreconv_result *result, const char *file, bool check) {
  size_t words;
  spvreconv_result_words(result, &words);
  json_t *output = json_object();
  json_t *root = cli_report_begin(file, spvreconv_result_input_words(result));
  json_object_set_new(output, "words", json_integer((json_int_t)words));
  json_object_set_new(root, "output", output);
  json_object_set_new(root, "changed", json_boolean(spvreconv_result_changed(result)));
  json_object_set_new(root, "functions", functions_array(result));
  json_object_set_new(root, "passes", passes_array(result));
  if (check && spvreconv_result_check(result))
    json_object_set_new(root, "check", check_object(spvreconv_result_check(result)));
  return cli_report_end(root);
}
