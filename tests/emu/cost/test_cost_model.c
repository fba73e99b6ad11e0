/* SPDX-License-Identifier: Apache-2.0 */
/* Cost models: the numbers of Białas (docs/glossary.md), models as text, and errors in them. */
#include "tests/unit/unit.h"

#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <string.h>

static spv_emu_cost model(const char *name) {
  spv_emu_cost cost;
  assert_true(spv_emu_cost_find(name, &cost));
  return cost;
}

static void as_published(void **state) {
  (void)state;
  spv_emu_cost c = model("kepler");
  assert_int_equal(c.divergent, 32);
  assert_int_equal(c.entries, 16);
  assert_int_equal(c.chunk, 4);
  assert_int_equal(c.spill + c.reload, 84);
  assert_int_equal(c.spill, 40);
  c = model("maxwell");
  assert_int_equal(c.divergent, 26);
  assert_int_equal(c.entries, 16);
  assert_int_equal(c.chunk, 4);
  assert_int_equal(c.spill + c.reload, 176);
  assert_true(model("fermi").entries < 16);
  for (uint32_t i = 0; i < SPV_EMU_COST_CLASSES; i++)
    assert_int_equal(c.classes[i], 1);
  assert_int_equal(c.subgroups, 0);
}

static void names(void **state) {
  (void)state;
  const char *purpose;
  spv_emu_cost cost;
  assert_string_equal(spv_emu_cost_model(0, &purpose), "issues");
  assert_int_equal(model("issues").divergent, 0);
  assert_int_equal(model("issues").entries, 0);
  uint32_t count = 0;
  while (spv_emu_cost_model(count, &purpose))
    assert_true(spv_emu_cost_find(spv_emu_cost_model(count++, &purpose), &cost) && *purpose);
  assert_false(spv_emu_cost_find("volta", &cost));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void text_makes_a_model(void **state) {
  (void)state;
  static const char text[] = "# a comment\n"
                             "base kepler # the one to start from\n"
                             "\n"
                             "\tname  mine\r\n"
                             "entries 2\n"
                             "chunk 8\n"
                             "memory 7\n"
                             "miss 0.25\n"
                             "seed 18446744073709551615\n"
                             "latency 0"; /* no line feed at the end */
  spv_emu_cost c = model("issues");
  char message[256];
  assert_true(spv_emu_cost_parse(text, sizeof text - 1, &c, message, sizeof message));
  assert_string_equal(c.name, "mine");
  assert_int_equal(c.divergent, 32);
  assert_int_equal(c.entries, 2);
  assert_int_equal(c.chunk, 8);
  assert_true(c.miss == 0.25);
  assert_true(c.seed == UINT64_MAX);
  assert_int_equal(c.latency, 0);
  assert_int_equal(c.subgroups, 1);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < SPV_EMU_COST_CLASSES; i++)
    sum += c.classes[i];
  assert_int_equal(sum, SPV_EMU_COST_CLASSES - 1 + 7);
}

static void bad_lines(void **state) {
  (void)state;
  enum { CUT = 0 }; /* the case with a 0 in it */
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"spill\0 3", "a character that is not text"},
      {"divergent", "line 1: expected KEY VALUE"},
      {"\n\ndivergent 1 2\n", "line 3: expected KEY VALUE"},
      {"colour 3", "line 1: a cost model has no 'colour'"},
      {"divergent -1", "line 1: divergent expects a number from 0 to 1000000, not '-1'"},
      {"divergent 1000001", "not '1000001'"},
      {"spill 99999999999999999999999", "line 1: spill expects a number"},
      {"chunk 0", "chunk expects a number from 1"},
      {"memory 1001", "memory expects a number from 0 to 1000"},
      {"miss 1.5", "line 1: miss expects a probability from 0 to 1, not '1.5'"},
      {"miss .", NULL}, /* 0 */
      {"miss 0.5.5", "miss expects a probability"},
      {"miss 1e-3", "miss expects a probability"},
      {"seed x", "seed expects a number, not 'x'"},
      {"entries 4\nentries 4\n", "line 2: entries is set twice"},
      {"spill 1\nbase kepler\n", "line 2: base must come first"},
      {"base volta", "line 1: there is no cost model 'volta'"},
      {"cache 4\nmiss 0.5\n", "line 2: miss: either a cache or a probability decides misses"},
      {"a\001b 3", "line 1: a character that is not text"},
      {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 1",
       "line 1: a word of more than 63 characters"},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spv_emu_cost c = model("issues");
    char message[256] = "";
    size_t size = i == CUT ? sizeof "spill\0 3" - 1 : strlen(cases[i].text);
    bool good = spv_emu_cost_parse(cases[i].text, size, &c, message, sizeof message);
    if (good != !cases[i].message || (!good && !strstr(message, cases[i].message)))
      fail_msg("case %u: '%s'", i, message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_published),
      cmocka_unit_test(names),
      cmocka_unit_test(text_makes_a_model),
      cmocka_unit_test(bad_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
