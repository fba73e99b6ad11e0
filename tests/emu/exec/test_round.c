/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of a loop that lanes make together (round.h) have the figures of single steps. A run that
 * reports its schedule makes single steps; so do the policies without EmuPolicy.stays. */
#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "spv-emu/cases/amber_run.h"
#include "spv-emu/report/report_json.h"
#include "tests/unit/unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, ALL = 1 << 20 };

static const char *const policies[] = {"structured", "tf-stack", "tf-sandy", "maximal", "ssy"};

typedef struct Case {
  const char *name;
  AmberScript *script;
  HnModule *modules;
} Case;

static Case parse_case(const char *name, const char *text, size_t size) {
  const AmberFiles none = {0};
  AmberMessage parsed;
  char *why;
  Case c = {.name = name};
  if (amber_parse(text, size, &none, &c.script, &parsed) != AMBER_OK)
    fail_msg("%s: %s", name, parsed.text);
  if (hn_shaders_make(c.script, &c.modules, &why) != HN_PASS)
    fail_msg("%s: %s", name, why);
  return c;
}

static Case open_case(const char *path) {
  uint8_t *text;
  size_t size;
  assert_true(compile_file_read(path, HN_FILE_MOST, &text, &size));
  Case c = parse_case(path, (const char *)text, size);
  free(text);
  return c;
}

static void close_case(Case *c) {
  hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  (void)user, (void)subgroup, (void)part, (void)count, (void)lanes;
}

static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  (void)user, (void)program, (void)lanes;
}

/* All figures, and the contents of all buffers. */
static json_t *run(const Case *c, spv_emu_run_options options, bool single) {
  char message[MESSAGE];
  const spv_emu_schedule schedule = {.subgroups = ALL, .begun = begun, .issued = issued};
  const EmuAmberOptions open = {.subgroup_size = 16};
  EmuAmber *amber;
  EmuRow row;
  if (emu_amber_open(c->script, c->modules, &open, &amber, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s: %s", c->name, message);
  options.schedule = single ? &schedule : NULL;
  if (emu_amber_run(amber, &options, &row, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s, %s: %s", c->name, options.policy, message);
  const EmuReport report = {.module = c->name, .rows = &row, .row_count = 1};
  json_t *figures = emu_report_object(&report);
  assert_non_null(figures);
  emu_row_free(&row);
  emu_amber_close(amber);
  return figures;
}

static void expect_same_figures(const Case *c, spv_emu_run_options options) {
  json_t *together = run(c, options, false), *single = run(c, options, true);
  if (!json_equal(together, single)) {
    json_dumpf(together, stderr, JSON_INDENT(1));
    json_dumpf(single, stderr, JSON_INDENT(1));
    fail_msg("%s, %s: other figures than of single steps", c->name, options.policy);
  }
  json_decref(together);
  json_decref(single);
}

static void under_all_policies(const Case *c, spv_emu_run_options options) {
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    options.policy = policies[i];
    expect_same_figures(c, options);
  }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void in_folder(const char *pattern) {
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    Case c = open_case(found.gl_pathv[i]);
    under_all_policies(&c, (spv_emu_run_options){0});
    close_case(&c);
  }
  globfree(&found);
}

static void compute_cases(void **state) {
  (void)state;
  in_folder("shaders/frontier/*.amber");
}

static void graphics_cases(void **state) {
  (void)state;
  in_folder("shaders/graphics/*loop*.amber");
  in_folder("shaders/graphics/*mandelbrot*.amber");
  in_folder("shaders/graphics/ray_march.amber");
}

/* ---- loops ----------------------------------------------------------------------------------- */

#define HEAD "#!amber\nSHADER compute work GLSL\n#version 450\nlayout(local_size_x = 16) in;\n"
#define TAIL                                                                                       \
  "END\nBUFFER data DATA_TYPE uint32 SIZE 64 SERIES_FROM 3 INC_BY 5\nPIPELINE compute pipeline\n"  \
  "  ATTACH work\n  BIND BUFFER data AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"                 \
  "RUN pipeline 1 1 1\n"

/* Loops in a loop; lanes leave the inner one together, or one after the other; a branch that all
 * lanes take now and then; and a selection that opens and closes in each iteration. */
static const char loops[] = HEAD "layout(binding = 0) buffer B { uint data[]; };\n"
                                 "void main() {\n"
                                 "  uint i = gl_LocalInvocationID.x, sum = 0u, t = i;\n"
                                 "  for (uint a = 0u; a < 9u; a++) {\n"
                                 "    uint last = (a & 1u) != 0u ? 11u : 5u + (i & 7u);\n"
                                 "    for (uint b = 0u; b < last && t != 77u; b++) {\n"
                                 "      sum += b ^ t;\n"
                                 "      t = t * 5u + 1u;\n"
                                 "      if (a == 4u && b > 6u)\n"
                                 "        sum ^= 255u;\n"
                                 "    }\n"
                                 "    data[i + 16u * (a & 3u)] += sum;\n"
                                 "  }\n"
                                 "  data[i] = sum;\n"
                                 "}\n" TAIL;

static void nested_loops(void **state) {
  (void)state;
  Case c = parse_case("loops", loops, sizeof loops - 1);
  under_all_policies(&c, (spv_emu_run_options){0});
  close_case(&c);
}

/* Wherever a run ends, it ends there in single steps, too. */
static void limits(void **state) {
  (void)state;
  Case c = parse_case("loops", loops, sizeof loops - 1);
  for (uint64_t most = 1; most < 3000; most += 7)
    expect_same_figures(&c, (spv_emu_run_options){.policy = "structured", .max_issues = most});
  for (uint64_t most = 2; most < 3000; most += 97)
    under_all_policies(&c, (spv_emu_run_options){.max_issues = most});
  close_case(&c);
}

/* A fault in the middle of a turn. */
static void faults(void **state) {
  (void)state;
  static const char text[] = HEAD "layout(binding = 0) buffer B { uint data[]; };\n"
                                  "void main() {\n"
                                  "  uint i = gl_LocalInvocationID.x, t = 1u;\n"
                                  "  for (uint a = 0u; a < 90u; a++) {\n"
                                  "    t = t * 3u + a;\n"
                                  "    data[i + a] = t;\n"
                                  "    t += data[a];\n"
                                  "  }\n"
                                  "  data[i] = t;\n"
                                  "}\n" TAIL;
  Case c = parse_case("faults", text, sizeof text - 1);
  under_all_policies(&c, (spv_emu_run_options){0});
  under_all_policies(&c, (spv_emu_run_options){.strict = true});
  close_case(&c);
}

/* ---- asking whether to go on ----------------------------------------------------------------- */

typedef struct Questions {
  unsigned count, most;
  uint64_t issued;
} Questions;

static bool go_on(void *user, uint64_t more, uint64_t done, uint64_t subgroups) {
  Questions *q = user;
  (void)done, (void)subgroups;
  q->issued += more;
  return ++q->count < q->most;
}

/* A long loop is interrupted at the same instruction, after as many questions. */
static void progress(void **state) {
  (void)state;
  static const char text[] = HEAD "layout(binding = 0) buffer B { uint data[]; };\n"
                                  "void main() {\n"
                                  "  uint t = gl_LocalInvocationID.x;\n"
                                  "  for (uint a = 0u; a < 40000u; a++)\n"
                                  "    t = t * 3u + a;\n"
                                  "  data[gl_LocalInvocationID.x] = t;\n"
                                  "}\n" TAIL;
  Case c = parse_case("progress", text, sizeof text - 1);
  for (unsigned most = 1; most < 12; most++) {
    Questions q[2] = {{.most = most}, {.most = most}};
    json_t *figures[2];
    for (int single = 0; single < 2; single++) {
      const spv_emu_progress ask = {.user = &q[single], .go_on = go_on};
      figures[single] =
          run(&c, (spv_emu_run_options){.policy = "structured", .progress = &ask}, single);
    }
    assert_true(json_equal(figures[0], figures[1]));
    assert_int_equal(q[0].count, q[1].count);
    assert_int_equal(q[0].issued, q[1].issued);
    json_decref(figures[0]);
    json_decref(figures[1]);
  }
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compute_cases), cmocka_unit_test(graphics_cases),
      cmocka_unit_test(nested_loops),  cmocka_unit_test(limits),
      cmocka_unit_test(faults),        cmocka_unit_test(progress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
