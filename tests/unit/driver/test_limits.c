/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of every limit, the last number below it and the first one above: blocks and words
 * from which SPIRV-Tools' validator is not run, --max-blocks, --max-ids, cases.
 *
 * A module that only the validator refuses shows whether the validator ran: the module adds a
 * number and a boolean. */
#include "tests/unit/unit.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, VERSION_1_3 = 0x00010300 };
enum { VOID = 1, PROC, BOOL, UINT, TRUE, ONE, MAIN, SUM, FIRST_BLOCK };

/* ---- modules ---- */

typedef struct Words {
  uint32_t *at;
  size_t count, room;
} Words;

static void put(Words *w, uint32_t word) {
  if (w->count == w->room) {
    w->room = w->room ? 2 * w->room : 1024;
    w->at = realloc(w->at, w->room * sizeof *w->at);
    assert_non_null(w->at);
  }
  w->at[w->count++] = word;
}

static void emit(Words *w, uint32_t op, uint32_t count, const uint32_t *operands) {
  put(w, (count + 1) << 16 | op);
  for (uint32_t i = 0; i < count; i++)
    put(w, operands[i]);
}

#define EMIT(w, op, ...)                                                                           \
  emit(w, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static void begin(Words *w, uint32_t bound) {
  const uint32_t header[HEADER] = {SpvMagicNumber, VERSION_1_3, 0, bound, 0};
  for (int i = 0; i < HEADER; i++)
    put(w, header[i]);
  EMIT(w, SpvOpCapability, SpvCapabilityShader);
  EMIT(w, SpvOpCapability, SpvCapabilityLinkage);
  EMIT(w, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
}

/* A name of MAIN, of `words` words (at least 3): letters, and a last word of zeros. */
static void name(Words *w, uint32_t words) {
  put(w, words << 16 | SpvOpName);
  put(w, MAIN);
  for (uint32_t i = 2; i + 1 < words; i++)
    put(w, 0x61616161);
  put(w, 0);
}

static void globals(Words *w) {
  EMIT(w, SpvOpTypeVoid, VOID);
  EMIT(w, SpvOpTypeFunction, PROC, VOID);
  EMIT(w, SpvOpTypeBool, BOOL);
  EMIT(w, SpvOpTypeInt, UINT, 32, 0);
  EMIT(w, SpvOpConstantTrue, BOOL, TRUE);
  EMIT(w, SpvOpConstant, UINT, ONE, 1);
  EMIT(w, SpvOpFunction, VOID, MAIN, 0, PROC);
}

static void end(Words *w) {
  emit(w, SpvOpReturn, 0, NULL);
  emit(w, SpvOpFunctionEnd, 0, NULL);
}

/* A chain of blocks, the first of which adds a number and a boolean; padded with names to `words`
 * words if it is shorter. */
static Words chain(uint32_t blocks, size_t words) {
  Words w = {0};
  begin(&w, FIRST_BLOCK + blocks);
  size_t rest = w.count;
  globals(&w);
  rest = w.count - rest + 2 + 5 + 4 * (size_t)(blocks - 1) + 2; /* what follows the names */
  w.count = 0;
  begin(&w, FIRST_BLOCK + blocks);
  while (w.count + rest < words) {
    size_t left = words - w.count - rest;
    name(&w, left > 2000 ? 1000 : left > 1000 ? 500 : (uint32_t)left);
  }
  globals(&w);
  for (uint32_t b = 0; b < blocks; b++) {
    EMIT(&w, SpvOpLabel, FIRST_BLOCK + b);
    if (b == 0)
      EMIT(&w, SpvOpIAdd, UINT, SUM, ONE, TRUE);
    if (b + 1 < blocks)
      EMIT(&w, SpvOpBranch, FIRST_BLOCK + b + 1);
  }
  end(&w);
  return w;
}

/* One switch whose cases all lead to its merge block. */
static Words cases(uint32_t count) {
  Words w = {0};
  begin(&w, FIRST_BLOCK + 2);
  globals(&w);
  EMIT(&w, SpvOpLabel, FIRST_BLOCK);
  EMIT(&w, SpvOpSelectionMerge, FIRST_BLOCK + 1, 0);
  put(&w, (3 + 2 * count) << 16 | SpvOpSwitch);
  put(&w, ONE);
  put(&w, FIRST_BLOCK + 1);
  for (uint32_t i = 0; i < count; i++) {
    put(&w, i);
    put(&w, FIRST_BLOCK + 1);
  }
  EMIT(&w, SpvOpLabel, FIRST_BLOCK + 1);
  end(&w);
  return w;
}

/* ---- runs ---- */

typedef struct Said {
  uint32_t notices;
  char last[300];
} Said;

static void hear(void *user, const char *line) {
  Said *said = user;
  said->notices++;
  snprintf(said->last, sizeof said->last, "%s", line);
}

/* Runs and frees the module; `text`: part of the message of a failure or notice, "" none. */
static void expect(Words w, spvreconv_options o, spvreconv_status status, const char *text) {
  Said said = {0};
  o.message = hear;
  o.message_user = &said;
  spvreconv_result *r;
  assert_int_equal(spvreconv_run(&o, w.at, w.count, &r), status);
  const char *is = status == SPVRECONV_OK ? said.last : spvreconv_result_message(r);
  assert_non_null(is);
  if (!strstr(is, text) || (!*text && *is))
    fail_msg("said '%s', not '%s'", is, text);
  spvreconv_result_destroy(r);
  free(w.at);
}

static spvreconv_options options(spvreconv_validate validate) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "structurize";
  o.validate = validate;
  return o;
}

#define REFUSED SPVRECONV_BAD_INPUT, "the input is not valid"

static void blocks_that_are_validated(void **state) {
  (void)state;
  expect(chain(3, 0), options(SPVRECONV_VALIDATE_AUTO), REFUSED);
  expect(chain(3, 0), options(SPVRECONV_VALIDATE_NONE), SPVRECONV_OK, "");
  expect(chain(10000, 0), options(SPVRECONV_VALIDATE_AUTO), REFUSED);
  expect(chain(10001, 0), options(SPVRECONV_VALIDATE_AUTO), SPVRECONV_OK,
         "a function has 10001 blocks");
  expect(chain(10001, 0), options(SPVRECONV_VALIDATE_FULL), REFUSED);
}

static void words_that_are_validated(void **state) {
  (void)state;
  Words w = chain(3, 1000000);
  assert_int_equal(w.count, 1000000);
  expect(w, options(SPVRECONV_VALIDATE_AUTO), REFUSED);
  expect(chain(3, 1000001), options(SPVRECONV_VALIDATE_AUTO), SPVRECONV_OK,
         "the module has 1000001 words");
  expect(chain(3, 1000001), options(SPVRECONV_VALIDATE_FULL), REFUSED);
}

static void blocks_that_the_caller_allows(void **state) {
  (void)state;
  spvreconv_options o = options(SPVRECONV_VALIDATE_NONE);
  o.max_blocks = 40;
  expect(chain(40, 0), o, SPVRECONV_OK, "");
  expect(chain(41, 0), o, SPVRECONV_BAD_INPUT, "41 blocks: --max-blocks=40 allows no more");
}

static void ids_that_the_caller_allows(void **state) {
  (void)state;
  spvreconv_options o = options(SPVRECONV_VALIDATE_NONE);
  o.max_ids = FIRST_BLOCK + 4;
  expect(chain(4, 0), o, SPVRECONV_OK, "");
  expect(chain(5, 0), o, SPVRECONV_BAD_INPUT, "id bound 14: --max-ids=13 allows no more");
}

static void cases_of_a_switch(void **state) {
  (void)state;
  expect(cases(16383), options(SPVRECONV_VALIDATE_NONE), SPVRECONV_OK, "");
  expect(cases(16384), options(SPVRECONV_VALIDATE_NONE), SPVRECONV_BAD_INPUT, "16384 cases");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_that_are_validated),
      cmocka_unit_test(words_that_are_validated),
      cmocka_unit_test(blocks_that_the_caller_allows),
      cmocka_unit_test(ids_that_the_caller_allows),
      cmocka_unit_test(cases_of_a_switch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
