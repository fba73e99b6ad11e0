/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of hand-made results: sums over programs, JSON keys and types, CSV columns, the table. */
#include "spv-emu/report/report.h"

#include "passes/tool/tool_usage.h"
#include "tests/unit/unit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const char tool_program[] = "test_report";

/* ---- a report -------------------------------------------------------------------------------- */

static spv_emu_block blocks[] = {
    {.function = "main", .id = 10, .line = 3, .issues = 4, .executions = 2, .lanes = 64},
    {.function = "caf\xe9", .id = 12, .issues = 1, .executions = 1, .lanes = 5}};
static uint32_t priority[] = {10, 12};

static spv_emu_result first_result = {
    .policy = "pdom",
    .subgroup_size = 32,
    .outcome = SPV_EMU_RAN,
    .subgroups = 2,
    .dispatch_subgroups = 2,
    .issued = 100,
    .lane_instructions = 1600,
    .lane_slots = 3200,
    .activity_factor = 0.5,
    .overhead = 1,
    .noop_issues = 2,
    .phi = 3,
    .divergent_branches = 4,
    .reconvergences = 5,
    .stack_pushes = 6,
    .stack_pops = 7,
    .stack_spills = 0,
    .stack_max_depth = 3,
    .memory_issues = 8,
    .memory_transactions = 16,
    .memory_efficiency = 0.5,
    .scalar_issues = 9,
    .branch_issues = 4,
    .expansion_area = 11,
    .cycles = 160,
    .issue_cycles = 100,
    .branch_cycles = 20,
    .unwinding_cycles = 40,
    .idle_cycles = 60,
    .utilisation = 0.625,
    .blocks = blocks,
    .block_count = 2,
    .priority = priority,
    .priority_count = 2,
};
/* Another program, with smaller subgroups. */
static spv_emu_result second_result = {
    .policy = "pdom",
    .subgroup_size = 8,
    .outcome = SPV_EMU_RAN,
    .subgroups = 1,
    .dispatch_subgroups = 1,
    .issued = 100,
    .lane_instructions = 800,
    .lane_slots = 800,
    .activity_factor = 1,
    .stack_max_depth = 2,
    .memory_issues = 2,
    .memory_transactions = 4,
    .memory_efficiency = 0.5,
    .cycles = 140,
    .issue_cycles = 100,
    .loads = 2,
    .misses = 1,
    .load_cycles = 40,
    .idle_cycles = 40,
    .message = "one access out of bounds",
};
static spv_emu_result opt_result = {.policy = "opt",
                                    .subgroup_size = 32,
                                    .subgroups = 2,
                                    .issued = 80,
                                    .at_most = 80,
                                    .exact = true};
static spv_emu_result skipped = {.policy = "structured",
                                 .subgroup_size = 32,
                                 .outcome = SPV_EMU_SKIP,
                                 .message = "function main is not \"structured\", is it"};

static const EmuField u32_field = {.unit = 4, .bits = 32, .kind = EMU_FORMAT_UINT};
static const EmuElementLayout u32_layout = {&u32_field, 1, 4, 4};
static const uint32_t words[] = {7, 4000000000u};
static EmuOutput output = {.set = 1,
                           .binding = 2,
                           .name = "data",
                           .layout = &u32_layout,
                           .bytes = (const uint8_t *)words,
                           .size = sizeof words,
                           .hash = 0xabc};

static EmuPart pdom_parts[] = {
    {.result = &first_result}, {.result = NULL}, {.result = &second_result}};
static EmuPart opt_parts[] = {{.result = &opt_result}};
static EmuPart skip_parts[] = {{.result = &skipped}};
static char failure[] = "line 4: data is 7, expected 8";

static EmuRow rows[] = {
    {.policy = "pdom",
     .parts = pdom_parts,
     .part_count = 3,
     .dispatches = 2,
     .passed = 3,
     .outputs = &output,
     .output_count = 1},
    {.policy = "opt",
     .parts = opt_parts,
     .part_count = 1,
     .dispatches = 2,
     .passed = 1,
     .failed = 1,
     .failures = {failure}},
    {.policy = "structured", .parts = skip_parts, .part_count = 1, .dispatches = 1},
};
static const EmuReport report = {.module = "a, \"b\".amber", .rows = rows, .row_count = 3};

/* ---- sums ------------------------------------------------------------------------------------ */

static void one_program_is_left_as_it_is(void **state) {
  (void)state;
  EmuPart part = {.result = &first_result};
  spv_emu_result total = emu_row_total(&(EmuRow){.parts = &part, .part_count = 1});
  assert_true(total.activity_factor == 0.5);
  assert_int_equal(total.issued, 100);
  assert_null(total.blocks);
  assert_int_equal(total.block_count, 0);
}

/* All counts of the two differ, so that the test notices one that is missing from the sum or added
 * twice. */
static void every_count_is_added(void **state) {
  (void)state;
  spv_emu_result a = {.policy = "pdom", .subgroup_size = 4}, b = a;
  uint32_t n = 1;
#define EMU_COUNT(group, name, field) a.field = n, b.field = 1000 + 2 * n, n++;
#include "spv-emu/report/figures.def"
  a.subgroups = n, b.subgroups = 1000 + 2 * n, n++;
  a.out_of_bounds = n, b.out_of_bounds = 1000 + 2 * n;
  EmuPart parts[] = {{.result = &a}, {.result = &b}};
  spv_emu_result total = emu_row_total(&(EmuRow){.parts = parts, .part_count = 2});
  assert_true(total.stack_max_depth == b.stack_max_depth);
  total.stack_max_depth += a.stack_max_depth;
#define EMU_COUNT(group, name, field)                                                              \
  if (total.field != a.field + b.field)                                                            \
    fail_msg(#field " is %llu", (unsigned long long)total.field);
#include "spv-emu/report/figures.def"
  assert_true(total.subgroups == a.subgroups + b.subgroups);
  assert_true(total.out_of_bounds == a.out_of_bounds + b.out_of_bounds);
}

static void programs_are_added(void **state) {
  (void)state;
  spv_emu_result total = emu_row_total(&rows[0]);
  assert_int_equal(total.subgroups, 3);
  assert_int_equal(total.issued, 200);
  assert_int_equal(total.lane_instructions, 2400);
  assert_true(total.activity_factor == 2400.0 / (100 * 32 + 100 * 8));
  assert_int_equal(total.stack_max_depth, 3);
  assert_true(total.memory_efficiency == 0.5);
  assert_int_equal(total.cycles, 300);
  assert_int_equal(total.unwinding_cycles, 40);
  assert_int_equal(total.idle_cycles, 100);
  assert_int_equal(total.misses, 1);
  assert_true(total.utilisation == 200.0 / 300);
  assert_string_equal(total.message, "one access out of bounds");
}

static void the_bad_end_counts(void **state) {
  (void)state;
  spv_emu_result stuck = {.outcome = SPV_EMU_DEADLOCK, .message = "stuck"};
  EmuPart parts[] = {{.result = &second_result}, {.result = &stuck}};
  EmuRow row = {.parts = parts, .part_count = 2};
  assert_int_equal(emu_row_total(&row).outcome, SPV_EMU_DEADLOCK);
  assert_string_equal(emu_row_total(&row).message, "stuck");
  assert_true(emu_row_failed(&row));
}

/* The message is that of the worst outcome; of equal outcomes, good or bad, the first that has a
 * message. */
static void of_equal_ends_the_first_tells(void **state) {
  (void)state;
  static const spv_emu_outcome ends[] = {SPV_EMU_RAN,   SPV_EMU_SKIP,  SPV_EMU_DEADLOCK,
                                         SPV_EMU_LIMIT, SPV_EMU_FAULT, SPV_EMU_PARTIAL};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    spv_emu_result silent = {.outcome = ends[i]}, first = {.outcome = ends[i], .message = "first"},
                   last = {.outcome = ends[i], .message = "last"}, ran = {.message = "ran"};
    EmuPart parts[] = {
        {.result = &silent}, {.result = &first}, {.result = &last}, {.result = &ran}};
    spv_emu_result total = emu_row_total(&(EmuRow){.parts = parts, .part_count = 4});
    assert_int_equal(total.outcome, ends[i]);
    assert_string_equal(total.message, "first");
  }
}

/* A result of two blocks, the first of two parts, whose counts are all different. */
static spv_emu_result *dispatch_of(uint64_t first) {
  spv_emu_result *r = calloc(1, sizeof *r);
  r->blocks = calloc(2, sizeof *r->blocks);
  r->parts = calloc(3, sizeof *r->parts);
  r->block_count = 2;
  r->part_count = 3;
  r->issued = first;
  for (uint32_t i = 0; i < 2; i++)
    r->blocks[i] = (spv_emu_block){
        .id = 5 + i, .issues = 7, .executions = first + 10 * i, .lanes = first + 10 * i + 1};
  for (uint32_t i = 0; i < 3; i++)
    r->parts[i] = (spv_emu_part){.block = i / 2,
                                 .part = i & 1,
                                 .issues = 3,
                                 .executions = first + 10 * i + 2,
                                 .lanes = first + 10 * i + 3};
  return r;
}

/* Dispatches of a program are one result: counts of blocks and parts are summed, their sizes are
 * not. */
static void dispatches_are_added(void **state) {
  (void)state;
  EmuRow row;
  assert_true(emu_row_start(&row, "pdom", 2));
  for (uint64_t first = 1000; first <= 3000; first += 1000)
    emu_row_add(&row, 1, NULL, dispatch_of(first));
  const spv_emu_result *sum = row.parts[1].result;
  assert_null(row.parts[0].result);
  assert_int_equal(row.dispatches, 3);
  assert_int_equal(sum->issued, 6000);
  assert_int_equal(sum->block_count, 2);
  assert_int_equal(sum->part_count, 3);
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(sum->blocks[i].id, 5 + i);
    assert_int_equal(sum->blocks[i].issues, 7);
    assert_int_equal(sum->blocks[i].executions, 6000 + 30 * i);
    assert_int_equal(sum->blocks[i].lanes, 6000 + 30 * i + 3);
  }
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(sum->parts[i].issues, 3);
    assert_int_equal(sum->parts[i].executions, 6000 + 30 * i + 6);
    assert_int_equal(sum->parts[i].lanes, 6000 + 30 * i + 9);
  }
  emu_row_free(&row);
}

static void what_fails(void **state) {
  (void)state;
  assert_false(emu_row_failed(&rows[0]));
  assert_true(emu_row_failed(&rows[1]));
  assert_false(emu_row_failed(&rows[2]));
}

static void a_row_that_ran_nothing(void **state) {
  (void)state;
  EmuRow row = {.policy = "none"};
  spv_emu_result total = emu_row_total(&row);
  assert_string_equal(total.policy, "none");
  assert_int_equal(total.outcome, SPV_EMU_RAN);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The object has exactly these keys: "s" strings, "i" integers, "r" reals, "b" truth values, "o"
 * objects, "a" arrays, each before its key: "stool iversion". */
static void assert_keys(const json_t *o, const char *wanted) {
  size_t count = 0;
  for (const char *p = wanted; *p; p += strspn(p, " "), count++) {
    char key[64];
    size_t length = strcspn(p, " ");
    snprintf(key, sizeof key, "%.*s", (int)length - 1, p + 1);
    const json_t *value = json_object_get(o, key);
    if (!value)
      fail_msg("no key %s", key);
    bool fits = (*p == 's' && json_is_string(value)) || (*p == 'i' && json_is_integer(value)) ||
                (*p == 'r' && json_is_real(value)) || (*p == 'b' && json_is_boolean(value)) ||
                (*p == 'o' && json_is_object(value)) || (*p == 'a' && json_is_array(value));
    if (!fits)
      fail_msg("%s is of the wrong type", key);
    p += length;
  }
  assert_int_equal(json_object_size(o), count);
}

static json_t *json_of(const EmuReport *what) {
  char *text;
  size_t size;
  json_error_t error;
  FILE *out = open_memstream(&text, &size);
  assert_true(emu_report_json(what, out));
  fclose(out);
  json_t *root = json_loads(text, 0, &error);
  assert_non_null(root);
  free(text);
  return root;
}

static void json_has_its_keys(void **state) {
  (void)state;
  json_t *root = json_of(&report);
  assert_keys(root, "stool sversion smodule sstatus smessage aresults apriority");
  json_t *results = json_object_get(root, "results");
  assert_int_equal(json_array_size(results), 3);
  static const char *const keys =
      "spolicy isubgroup_size isubgroups sstatus smessage iissued ilane_instructions "
      "ilane_slots ractivity_factor ioverhead inoop_issues iphi idivergent_branches "
      "ireconvergences ostack "
      "omemory iscalar_issues ibranch_issues iexpansion_area icycles ocost olatency oexpect "
      "abuffers ablocks alines";
  char with_exact[512];
  snprintf(with_exact, sizeof with_exact, "%s bexact iat_most", keys);
  assert_keys(json_array_get(results, 0), keys);
  assert_keys(json_array_get(results, 1), with_exact);
  assert_keys(json_array_get(results, 2), keys);
  const json_t *row = json_array_get(results, 0);
  assert_keys(json_object_get(row, "stack"), "imax_depth ipushes ipops ispills");
  assert_keys(json_object_get(row, "memory"), "iissues itransactions refficiency");
  assert_keys(json_object_get(row, "cost"), "iissue_cycles ibranch_cycles iunwinding_cycles");
  assert_keys(json_object_get(row, "latency"),
              "iloads imisses iload_cycles iidle_cycles rutilisation");
  assert_keys(json_object_get(row, "expect"), "ipassed ifailed");
  const json_t *buffers = json_object_get(row, "buffers");
  assert_int_equal(json_array_size(buffers), 1);
  assert_keys(json_array_get(buffers, 0), "iset ibinding ibytes sxxh64");
  const json_t *block = json_array_get(json_object_get(row, "blocks"), 0);
  assert_keys(block, "sfunction iblock iline iexecutions ilanes");
  json_decref(root);
}

static void json_has_its_values(void **state) {
  (void)state;
  json_t *root = json_of(&report);
  const json_t *results = json_object_get(root, "results"), *row = json_array_get(results, 0);
  assert_string_equal(json_string_value(json_object_get(root, "module")), "a, \"b\".amber");
  assert_int_equal(json_integer_value(json_object_get(row, "issued")), 200);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "stack"), "max_depth")),
                   3);
  const json_t *buffer = json_array_get(json_object_get(row, "buffers"), 0);
  assert_string_equal(json_string_value(json_object_get(buffer, "xxh64")), "0000000000000abc");
  const json_t *blocks_json = json_object_get(row, "blocks");
  assert_int_equal(json_array_size(blocks_json), 2);
  assert_string_equal(
      json_string_value(json_object_get(json_array_get(blocks_json, 1), "function")), "caf?");
  assert_int_equal(json_array_size(json_object_get(root, "priority")), 2);
  const json_t *opt = json_array_get(results, 1), *skip = json_array_get(results, 2);
  assert_string_equal(json_string_value(json_object_get(opt, "message")), failure);
  assert_string_equal(json_string_value(json_object_get(opt, "status")), "ok");
  assert_true(json_is_true(json_object_get(opt, "exact")));
  assert_string_equal(json_string_value(json_object_get(skip, "status")), "skip");
  json_decref(root);
}

/* ---- CSV and text ---------------------------------------------------------------------------- */

static char *text_of(void (*print)(const EmuReport *, FILE *), const EmuReport *what) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  print(what, out);
  fclose(out);
  return text;
}

/* Counts the fields of a line (commas in quotes separate none); moves *text after the line. */
static unsigned fields(const char **text) {
  unsigned count = 1;
  bool quoted = false;
  for (; **text && (quoted || **text != '\n'); ++*text) {
    quoted ^= **text == '"';
    count += !quoted && **text == ',';
  }
  *text += **text == '\n';
  return count;
}

static void csv_is_rectangular(void **state) {
  (void)state;
  char *text = text_of(emu_report_csv, &report);
  const char *at = text;
  unsigned columns = fields(&at);
  assert_int_equal(columns, 38);
  for (int i = 0; i < 3; i++)
    assert_int_equal(fields(&at), columns);
  assert_int_equal(*at, 0);
  assert_non_null(
      strstr(text, "\n\"a, \"\"b\"\".amber\",pdom,32,3,ok,one access out of bounds,200,"));
  assert_non_null(strstr(text, "\"function main is not \"\"structured\"\", is it\""));
  assert_non_null(strstr(text, ",true,1,1,80\n"));
  assert_non_null(strstr(text, ",stack_max_depth,stack_pushes,"));
  free(text);
}

static void the_table_says_it_all(void **state) {
  (void)state;
  char *text = text_of(emu_report_text, &report);
  assert_non_null(strstr(text, "a, \"b\".amber: 2 dispatches, 3 subgroups of 32 lanes\n"));
  assert_non_null(strstr(text, "200  2.500"));
  assert_non_null(strstr(text, " 80  1.000"));
  assert_non_null(strstr(text, "  ok, EXPECT failed\n"));
  assert_non_null(strstr(text, "pdom: note: one access out of bounds\n"));
  assert_non_null(strstr(text, "opt: a, \"b\".amber: line 4: data is 7, expected 8\n"));
  assert_non_null(strstr(text, "structured: skip: function main is not"));
  assert_non_null(strstr(text, "priority: 10 12\n"));
  assert_null(strstr(text, "cycles"));
  free(text);
}

static void cycles_where_a_model_is_asked_for(void **state) {
  (void)state;
  spv_emu_cost cost;
  assert_true(spv_emu_cost_find("kepler", &cost));
  EmuReport priced = report;
  priced.cost = &cost;
  char *text = text_of(emu_report_text, &priced);
  assert_non_null(strstr(text, "3 subgroups of 32 lanes, cycles of kepler\n"));
  assert_non_null(strstr(text, "mem. eff.  cycles  utilis.  status\n"));
  assert_non_null(strstr(text, "    0.500     300    0.667  ok\n"));
  free(text);
  json_t *root = json_of(&priced);
  assert_string_equal(json_string_value(json_object_get(root, "cost_model")), "kepler");
  json_decref(root);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void values_come_first(void **state) {
  (void)state;
  EmuPart one[] = {{.result = &first_result}}, other[] = {{.result = &opt_result}};
  EmuRow values[] = {
      {.policy = "pdom", .values = {3}, .parts = one, .part_count = 1},
      {.policy = "opt", .values = {3}, .parts = other, .part_count = 1},
      {.policy = "pdom", .values = {4}, .point = 1, .parts = one, .part_count = 1, .failed = 1}};
  EmuReport sweep = {
      .module = "m", .sweeps = {"M,N"}, .sweep_count = 1, .rows = values, .row_count = 3};
  char *text = text_of(emu_report_csv, &sweep);
  assert_int_equal(strncmp(text, "\"M,N\",module,", 13), 0);
  assert_non_null(strstr(text, "\n3,m,pdom,"));
  assert_non_null(strstr(text, "\n4,m,pdom,"));
  free(text);
  text = text_of(emu_report_text, &sweep); /* ratios are those of one value */
  assert_non_null(strstr(text, "\n  3  pdom       100  1.250"));
  assert_non_null(strstr(text, "\n  4  pdom       100  1.000"));
  free(text);
  assert_true(emu_row_failed(&values[2]));
  json_t *root = json_of(&sweep);
  const json_t *row = json_array_get(json_object_get(root, "results"), 2);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "sweep"), "value")), 4);
  json_decref(root);
}

static void buffers_in_words(void **state) {
  (void)state;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  emu_report_buffer(&output, out);
  fclose(out);
  assert_string_equal(text, "buffer 1:2 data, 8 bytes\n       0 7\n       1 4000000000\n");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_program_is_left_as_it_is),
      cmocka_unit_test(every_count_is_added),
      cmocka_unit_test(programs_are_added),
      cmocka_unit_test(the_bad_end_counts),
      cmocka_unit_test(of_equal_ends_the_first_tells),
      cmocka_unit_test(dispatches_are_added),
      cmocka_unit_test(what_fails),
      cmocka_unit_test(a_row_that_ran_nothing),
      cmocka_unit_test(json_has_its_keys),
      cmocka_unit_test(json_has_its_values),
      cmocka_unit_test(csv_is_rectangular),
      cmocka_unit_test(the_table_says_it_all),
      cmocka_unit_test(buffers_in_words),
      cmocka_unit_test(cycles_where_a_model_is_asked_for),
      cmocka_unit_test(values_come_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
