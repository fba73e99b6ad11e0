/* SPDX-License-Identifier: Apache-2.0 */
/* cli_lint: see cli_lint.h. SARIF is OASIS' Static Analysis Results Interchange Format 2.1.0: a
 * finding is a result, and its reasons are related locations. */
#include "passes/cli/cli_lint.h"

#include "passes/cli/cli_report.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rules[][2] = {
#define SR_LINT(name, scope, lanes, text) {#name, text},
#include "passes/names/lint.def"
#undef SR_LINT
};

enum { RULES = sizeof rules / sizeof *rules };

/* The name of the file in the debug information, or else the module. */
static const char *file_of(const Cli *cli, const char *file) {
  return file && *file ? file : cli->input;
}

/* The check of spv-emu that decides a finding for the inputs of a run. */
static const char *check_of(const spvreconv_finding *f) {
  bool vuid = strcmp(f->rule, "quad") != 0 && strcmp(f->rule, "subgroup") != 0;
  return vuid ? "vuid" : "convergence";
}

/* ---- text ---- */

static void print_place(const Cli *cli, const char *file, uint32_t line) {
  printf("%s:", file_of(cli, file));
  if (line)
    printf("%" PRIu32 ":", line);
}

static void print_finding(const Cli *cli, const spvreconv_finding *f) {
  print_place(cli, f->file, f->line);
  printf(" %s: ", cli->lint_error ? "error" : "warning");
  if (!f->line)
    printf("function %s, block %%%" PRIu32 ": ", f->function, f->block);
  printf("%s [%s]\n", f->text, f->rule);
  for (uint32_t i = 0; i < f->reason_count; i++) {
    print_place(cli, f->reasons[i].file, f->reasons[i].line);
    printf(" note: %s\n", f->reasons[i].text);
  }
  printf("%s: note: 'spv-emu --check=%s %s' confirms or clears it for one input\n", cli->input,
         check_of(f), cli->input);
}

/* ---- JSON ---- */

static json_t *place_object(json_t *o, const char *file, uint32_t line) {
  json_object_set_new(o, "file", file ? tool_json_text(file) : json_null());
  json_object_set_new(o, "line", line ? json_integer(line) : json_null());
  return o;
}

static json_t *finding_object(const Cli *cli, const spvreconv_finding *f) {
  json_t *o = json_object(), *reasons = json_array();
  json_object_set_new(o, "rule", json_string(f->rule));
  json_object_set_new(o, "scope", json_string(f->scope));
  json_object_set_new(o, "message", tool_json_text(f->text));
  place_object(o, f->file, f->line);
  json_object_set_new(o, "function", tool_json_text(f->function));
  json_object_set_new(o, "function_id", json_integer(f->function_id));
  json_object_set_new(o, "block", json_integer(f->block));
  for (uint32_t i = 0; i < f->reason_count; i++) {
    json_t *reason = json_pack("{s:o}", "message", tool_json_text(f->reasons[i].text));
    json_array_append_new(reasons, place_object(reason, f->reasons[i].file, f->reasons[i].line));
  }
  json_object_set_new(o, "reasons", reasons);
  char command[4200];
  snprintf(command, sizeof command, "spv-emu --check=%s %s", check_of(f), cli->input);
  json_object_set_new(o, "check", tool_json_text(command));
  return o;
}

static bool print_json(const Cli *cli, const spvreconv_result *result) {
  const spvreconv_finding *f;
  json_t *root = cli_report_begin(cli->input, spvreconv_result_input_words(result));
  json_t *array = json_array();
  for (size_t i = 0; (f = spvreconv_result_finding(result, i)); i++)
    json_array_append_new(array, finding_object(cli, f));
  if (cli->lint_error && json_array_size(array))
    cli_report_fail(root, "failed", "--lint=error: there are findings");
  json_object_set_new(root, "lint", array);
  return cli_report_end(root, stdout);
}

/* ---- SARIF ---- */

/* A path as a URI reference: bytes that a URI does not hold as they are become %XX. */
static json_t *uri_of(const char *path) {
  char uri[3 * 4096 + 1];
  size_t n = 0;
  for (const char *c = path; *c && n + 3 < sizeof uri; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                 strchr("-._~/", *c);
    if (plain)
      uri[n++] = *c;
    else
      n += (size_t)snprintf(uri + n, sizeof uri - n, "%%%02X", (unsigned char)*c);
  }
  uri[n] = 0;
  return json_string(uri);
}

static json_t *location(const Cli *cli, const char *file, uint32_t line) {
  json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_of(file_of(cli, file)));
  if (line)
    json_object_set_new(physical, "region", json_pack("{s:i}", "startLine", (int)line));
  return json_pack("{s:o}", "physicalLocation", physical);
}

static json_t *message(const char *text) {
  return json_pack("{s:o}", "text", tool_json_text(text));
}

static int rule_index(const spvreconv_finding *f) {
  int i = 0;
  while (i < RULES - 1 && strcmp(rules[i][0], f->rule) != 0)
    i++;
  return i;
}

static json_t *sarif_result(const Cli *cli, const spvreconv_finding *f) {
  json_t *at = location(cli, f->file, f->line), *related = json_array();
  json_object_set_new(
      at, "logicalLocations",
      json_pack("[{s:o, s:s}]", "name", tool_json_text(f->function), "kind", "function"));
  for (uint32_t i = 0; i < f->reason_count; i++) {
    json_t *reason = location(cli, f->reasons[i].file, f->reasons[i].line);
    json_object_set_new(reason, "id", json_integer(i + 1));
    json_object_set_new(reason, "message", message(f->reasons[i].text));
    json_array_append_new(related, reason);
  }
  return json_pack("{s:s, s:i, s:s, s:o, s:[o], s:o}", "ruleId", f->rule, "ruleIndex",
                   rule_index(f), "level", cli->lint_error ? "error" : "warning", "message",
                   message(f->text), "locations", at, "relatedLocations", related);
}

static json_t *sarif_rules(void) {
  json_t *array = json_array();
  for (int i = 0; i < RULES; i++) {
    char text[200];
    snprintf(text, sizeof text, "The operation %s.", rules[i][1]);
    json_array_append_new(
        array, json_pack("{s:s, s:o}", "id", rules[i][0], "shortDescription", message(text)));
  }
  return array;
}

static bool write_json(const Cli *cli, json_t *root) {
  char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
  bool good = text && tool_write(cli->sarif, text, strlen(text));
  if (!text)
    tool_say(cli->sarif, "out of memory");
  free(text);
  json_decref(root);
  return good;
}

/* Takes over `results`. */
static bool write_sarif(const Cli *cli, json_t *results) {
  return write_json(cli,
                    json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
                              "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                              "runs", "tool", "driver", "name", "spvreconv", "version",
                              SPVRECONV_VERSION, "rules", sarif_rules(), "results", results));
}

/* A line for cli_lint_join, written at once: processes of other modules write to the same file. */
static bool write_part(const Cli *cli, json_t *results) {
  json_t *part = json_pack("[I, o]", (json_int_t)cli->module_index, results);
  char *text = part ? json_dumps(part, JSON_COMPACT) : NULL, *line = NULL;
  int length = text ? asprintf(&line, "%s\n", text) : -1;
  bool good = length >= 0 && tool_write_to(cli->sarif_parts, line, (size_t)length);
  if (!good)
    tool_failed(cli->sarif);
  if (length >= 0)
    free(line);
  free(text);
  json_decref(part);
  return good;
}

static bool deliver_sarif(const Cli *cli, const spvreconv_result *result) {
  const spvreconv_finding *f;
  json_t *results = json_array();
  for (size_t i = 0; (f = spvreconv_result_finding(result, i)); i++)
    json_array_append_new(results, sarif_result(cli, f));
  return cli->several ? write_part(cli, results) : write_sarif(cli, results);
}

bool cli_lint_join(const Cli *cli, FILE *parts, size_t count) {
  json_t *results = json_array(), *by_module = json_array();
  char *line = NULL;
  size_t room = 0;
  for (size_t i = 0; i < count; i++)
    json_array_append_new(by_module, json_null());
  rewind(parts);
  while (getline(&line, &room, parts) > 0) {
    json_t *part = json_loads(line, 0, NULL);
    json_array_set(by_module, (size_t)json_integer_value(json_array_get(part, 0)),
                   json_array_get(part, 1));
    json_decref(part);
  }
  free(line);
  for (size_t i = 0; i < count; i++)
    json_array_extend(results, json_array_get(by_module, i));
  json_decref(by_module);
  return write_sarif(cli, results);
}

bool cli_lint(const Cli *cli, const spvreconv_result *result) {
  const spvreconv_finding *f;
  size_t count = 0;
  bool good = !cli->sarif || deliver_sarif(cli, result);
  if (cli->json)
    good = print_json(cli, result) && good;
  for (; (f = spvreconv_result_finding(result, count)); count++)
    if (!cli->json)
      print_finding(cli, f);
  return good && !(cli->lint_error && count);
}
