/* SPDX-License-Identifier: Apache-2.0 */
/* cli_report: see cli_report.h. graph.def and counts.def list the figures. */
#include "passes/cli/cli_report.h"

#include "passes/tool/tool_json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *graph_object(const spvreconv_graph *g) {
  json_t *o = json_object();
#define SR_COUNT(name, join) json_object_set_new(o, #name, json_integer((json_int_t)g->name));
#define SR_FLAG(name) json_object_set_new(o, #name, json_boolean(g->name));
#define SR_REAL(name) json_object_set_new(o, #name, json_real(g->name));
#include "passes/cli/graph.def"
#undef SR_COUNT
#undef SR_FLAG
#undef SR_REAL
  return o;
}

static json_t *counts_object(const spvreconv_counts *c) {
  json_t *o = json_object();
#define SR_COUNT(name) json_object_set_new(o, #name, json_integer(c->name));
#include "passes/names/counts.def"
#undef SR_COUNT
  return o;
}

static json_t *cost_object(const spvreconv_cost *c) {
  json_t *o = json_object();
  json_object_set_new(o, "frontier_issues", json_integer((json_int_t)c->frontier_issues));
  json_object_set_new(o, "stack_issues", json_integer((json_int_t)c->stack_issues));
  json_object_set_new(o, "instructions", json_integer(c->instructions));
  return o;
}

static json_t *tried_object(const spvreconv_tried *t) {
  json_t *o = json_object();
  json_object_set_new(o, "transform", json_string(t->transforms));
  if (t->order)
    json_object_set_new(o, "order", json_string(t->order));
  json_object_set_new(o, "verdict", json_string(t->verdict));
  if (t->why)
    json_object_set_new(o, "why", tool_json_text(t->why));
  if (t->cost)
    json_object_set_new(o, "cost", cost_object(t->cost));
  return o;
}

static json_t *choice_object(const spvreconv_choice *c) {
  json_t *o = json_object(), *tried = json_array();
  json_object_set_new(o, "transform", json_string(c->transforms));
  if (c->order)
    json_object_set_new(o, "order", json_string(c->order));
  json_object_set_new(o, "lanes", json_integer(c->lanes));
  json_object_set_new(o, "recorded", json_boolean(c->recorded));
  json_object_set_new(o, "input", cost_object(c->input));
  json_object_set_new(o, "structurize", cost_object(c->structurize));
  json_object_set_new(o, "chosen", cost_object(c->chosen));
  for (uint32_t i = 0; i < c->tried_count; i++)
    json_array_append_new(tried, tried_object(&c->tried[i]));
  json_object_set_new(o, "tried", tried);
  return o;
}

static json_t *argument_object(const spvreconv_argument *a) {
  static const char *const kinds[] = {[SPVRECONV_ARGUMENT_BUFFER] = "buffer",
                                      [SPVRECONV_ARGUMENT_SAMPLED_IMAGE] = "sampled-image",
                                      [SPVRECONV_ARGUMENT_STORAGE_IMAGE] = "storage-image",
                                      [SPVRECONV_ARGUMENT_SAMPLER] = "sampler",
                                      [SPVRECONV_ARGUMENT_LOCAL] = "local",
                                      [SPVRECONV_ARGUMENT_PUSH_CONSTANT] = "push-constant",
                                      [SPVRECONV_ARGUMENT_UNIFORM] = "uniform",
                                      [SPVRECONV_ARGUMENT_ADDRESS] = "address",
                                      [SPVRECONV_ARGUMENT_ADDRESS_UNIFORM] = "address-uniform"};
  json_t *o = json_object();
  json_object_set_new(o, "name", tool_json_text(a->name));
  json_object_set_new(o, "kind", json_string(kinds[a->kind]));
  if (a->kind == SPVRECONV_ARGUMENT_LOCAL) {
    json_object_set_new(o, "spec_id", json_integer(a->spec_id));
    json_object_set_new(o, "element_size", json_integer(a->element_size));
    return o;
  }
  if (a->kind != SPVRECONV_ARGUMENT_PUSH_CONSTANT && a->kind != SPVRECONV_ARGUMENT_ADDRESS) {
    json_object_set_new(o, "set", json_integer(a->set));
    json_object_set_new(o, "binding", json_integer(a->binding));
  }
  if (a->kind >= SPVRECONV_ARGUMENT_PUSH_CONSTANT) {
    json_object_set_new(o, "offset", json_integer(a->offset));
    json_object_set_new(o, "size", json_integer(a->size));
  }
  return o;
}

static json_t *kernel_object(const spvreconv_kernel *k) {
  json_t *o = json_object(), *arguments = json_array(), *size = json_array();
  json_object_set_new(o, "name", tool_json_text(k->name));
  for (int i = 0; i < 3; i++)
    json_array_append_new(size, json_integer(k->workgroup[i]));
  json_object_set_new(o, "workgroup", size);
  for (uint32_t i = 0; i < k->argument_count; i++)
    json_array_append_new(arguments, argument_object(&k->arguments[i]));
  json_object_set_new(o, "arguments", arguments);
  if (k->dimensions_spec_id)
    json_object_set_new(o, "dimensions_spec_id", json_integer(k->dimensions_spec_id));
  return o;
}

/* How kernels that became shaders take their arguments. */
static void set_kernels(json_t *o, const spvreconv_result *result) {
  json_t *kernels = json_array(), *samplers = json_array(), *refused = json_array();
  for (size_t i = 0; spvreconv_result_refusal(result, i); i++) {
    json_t *one = json_object();
    json_object_set_new(one, "name", tool_json_text(spvreconv_result_refusal(result, i)->kernel));
    json_object_set_new(one, "reason", tool_json_text(spvreconv_result_refusal(result, i)->reason));
    json_array_append_new(refused, one);
  }
  for (size_t i = 0; spvreconv_result_kernel(result, i); i++)
    json_array_append_new(kernels, kernel_object(spvreconv_result_kernel(result, i)));
  for (size_t i = 0; spvreconv_result_sampler(result, i); i++) {
    const spvreconv_sampler *s = spvreconv_result_sampler(result, i);
    json_t *one = json_object();
    json_object_set_new(one, "set", json_integer(s->set));
    json_object_set_new(one, "binding", json_integer(s->binding));
    json_object_set_new(one, "mask", json_integer(s->mask));
    json_array_append_new(samplers, one);
  }
  if (json_array_size(kernels)) {
    json_object_set_new(o, "kernels", kernels);
    json_object_set_new(o, "samplers", samplers);
    json_object_set_new(o, "refused", refused);
    return;
  }
  json_decref(kernels);
  json_decref(samplers);
  json_decref(refused);
}

static json_t *id_array(const uint32_t *ids, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer(ids[i]));
  return array;
}

static json_t *function_object(const spvreconv_function *f) {
  json_t *o = json_object();
  json_object_set_new(o, "name", tool_json_text(f->name));
  json_object_set_new(o, "id", json_integer(f->id));
  json_object_set_new(o, "before", graph_object(f->before));
  json_object_set_new(o, "after", graph_object(f->after));
  json_object_set_new(o, "transform", counts_object(f->transform));
  json_object_set_new(o, "structure", json_string(f->structure));
  json_object_set_new(o, "violations_repaired", json_integer(f->violations_repaired));
  json_object_set_new(o, "order", id_array(f->order, f->order_count));
  if (f->choice)
    json_object_set_new(o, "best", choice_object(f->choice));
  if (f->best_order)
    json_object_set_new(o, "best_order", json_string(f->best_order));
  return o;
}

/* The blocks of a function; *next becomes that after the last of them. */
static json_t *frontier_array(const spvreconv_result *result, uint32_t function, size_t *next) {
  const spvreconv_frontier *b;
  json_t *array = json_array();
  for (; (b = spvreconv_result_frontier(result, *next)) && b->function == function; (*next)++) {
    json_t *o = json_object();
    json_object_set_new(o, "block", json_integer(b->block));
    json_object_set_new(o, "frontier", id_array(b->waiting, b->waiting_count));
    json_object_set_new(o, "checks", id_array(b->checks, b->check_count));
    json_array_append_new(array, o);
  }
  return array;
}

static json_t *functions_array(const spvreconv_result *result) {
  const spvreconv_function *f;
  json_t *array = json_array();
  size_t next = 0;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++) {
    json_t *o = function_object(f);
    if (spvreconv_result_text(result, SPVRECONV_WANT_FRONTIER))
      json_object_set_new(o, "frontiers", frontier_array(result, f->id, &next));
    json_array_append_new(array, o);
  }
  return array;
}

json_t *cli_check_object(const spvreconv_check *c) {
  json_t *o = json_object();
  json_object_set_new(o, "functions", json_integer((json_int_t)c->functions));
  json_object_set_new(o, "walks", json_integer((json_int_t)c->walks));
  json_object_set_new(o, "edges", json_integer((json_int_t)c->edges));
  json_object_set_new(o, "edges_covered", json_integer((json_int_t)c->edges_covered));
  json_object_set_new(o, "pairs", json_integer((json_int_t)c->pairs));
  json_object_set_new(o, "pairs_covered", json_integer((json_int_t)c->pairs_covered));
  json_object_set_new(o, "output_edges", json_integer((json_int_t)c->output_edges));
  json_object_set_new(o, "output_edges_covered", json_integer((json_int_t)c->output_edges_covered));
  json_object_set_new(o, "output_pairs", json_integer((json_int_t)c->output_pairs));
  json_object_set_new(o, "output_pairs_covered", json_integer((json_int_t)c->output_pairs_covered));
  json_object_set_new(o, "differences", json_integer((json_int_t)c->differences));
  json_object_set_new(o, "unchanged_functions", json_integer((json_int_t)c->unchanged));
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

json_t *cli_report_start(const char *file) {
  json_t *input = json_object(), *root = json_object();
  json_object_set_new(input, "file", tool_json_text(file));
  json_object_set_new(root, "tool", json_string("spvreconv"));
  json_object_set_new(root, "version", json_string(SPVRECONV_VERSION));
  json_object_set_new(root, "status", json_string("ok"));
  json_object_set_new(root, "input", input);
  return root;
}

json_t *cli_report_begin(const char *file, size_t words) {
  json_t *root = cli_report_start(file);
  json_object_set_new(json_object_get(root, "input"), "words", json_integer((json_int_t)words));
  return root;
}

void cli_report_fail(json_t *root, const char *status, const char *message) {
  json_object_set_new(root, "status", json_string(status));
  json_object_set_new(root, "message", tool_json_text(message));
}

bool cli_report_end(json_t *root, FILE *out) {
  bool ok = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
  fputc('\n', out);
  json_decref(root);
  return ok;
}

bool cli_print_json(const spvreconv_result *result, const Cli *cli, FILE *out) {
  size_t words;
  spvreconv_result_words(result, &words);
  json_t *output = json_object();
  json_t *root = cli_report_begin(cli->input, spvreconv_result_input_words(result));
  if (spvreconv_result_status(result) == SPVRECONV_BUG)
    cli_report_fail(root, "bug", spvreconv_result_message(result));
  json_object_set_new(output, "words", json_integer((json_int_t)words));
  json_object_set_new(root, "output", output);
  json_object_set_new(root, "changed", json_boolean(spvreconv_result_changed(result)));
  json_object_set_new(root, "functions", functions_array(result));
  json_object_set_new(root, "passes", passes_array(result));
  set_kernels(root, result);
  if (cli->check && spvreconv_result_check(result))
    json_object_set_new(root, "check", cli_check_object(spvreconv_result_check(result)));
  return cli_report_end(root, out);
}

/* ---- violations ---- */

static json_t *id_or_null(uint32_t id) {
  return id ? json_integer(id) : json_null();
}

static json_t *violation_object(const spvreconv_violation *v) {
  json_t *o = json_object();
  json_object_set_new(o, "function", tool_json_text(v->function));
  json_object_set_new(o, "function_id", json_integer(v->function_id));
  json_object_set_new(o, "rule", json_string(v->rule));
  json_object_set_new(o, "statement", json_string(v->statement));
  json_object_set_new(o, "construct", id_or_null(v->construct));
  json_object_set_new(
      o, "edge", json_pack("{s:o, s:o}", "from", id_or_null(v->from), "to", id_or_null(v->to)));
  json_object_set_new(o, "entries", id_array(v->entries, v->entry_count));
  json_object_set_new(o, "message", tool_json_text(v->text));
  return o;
}

bool cli_print_violations(const spvreconv_result *result, const char *file) {
  const spvreconv_violation *v;
  json_t *root = cli_report_begin(file, spvreconv_result_input_words(result));
  json_t *array = json_array();
  bool valid = spvreconv_result_status(result) == SPVRECONV_OK;
  for (size_t i = 0; (v = spvreconv_result_violation(result, i)); i++)
    json_array_append_new(array, violation_object(v));
  json_object_set_new(root, "structured",
                      json_boolean(spvreconv_result_text(result, SPVRECONV_WANT_EXPLAIN) &&
                                   !json_array_size(array)));
  if (!valid)
    cli_report_fail(root, "failed", spvreconv_result_message(result));
  else if (json_array_size(array))
    cli_report_fail(root, "failed", "not structured");
  json_object_set_new(root, "violations", array);
  json_object_set_new(root, "invalid",
                      valid ? json_null() : tool_json_text(spvreconv_result_message(result)));
  return cli_report_end(root, stdout);
}
