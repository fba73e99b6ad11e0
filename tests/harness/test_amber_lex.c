/* SPDX-License-Identifier: Apache-2.0 */
/* Words, comments, joined lines, raw text. */
#include "tests/unit/unit.h"

#include "spv-emu/script/amber_lex.h"

#include <string.h>

static void expect_word(AmberLex *lex, const char *word, uint32_t line) {
  AmberToken token = amber_lex_next(lex);
  assert_true(amber_token_is(&token, word));
  assert_int_equal(token.line, line);
}

static void expect_kind(AmberLex *lex, AmberTokenKind kind) {
  assert_int_equal(amber_lex_next(lex).kind, kind);
}

static void start(AmberLex *lex, const char *text) {
  amber_lex_start(lex, text, strlen(text));
}

static void words_and_comments(void **state) {
  (void)state;
  AmberLex lex;
  start(&lex, " RUN\tp#no 1\r\n\n  x");
  expect_word(&lex, "RUN", 1);
  expect_word(&lex, "p", 1);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  expect_word(&lex, "x", 3);
  expect_kind(&lex, AMBER_TOKEN_END);
  expect_kind(&lex, AMBER_TOKEN_END);
}

static void joined_lines(void **state) {
  (void)state;
  AmberLex lex;
  start(&lex, "a \\\n b \\  \r\n c\n\\d\\");
  expect_word(&lex, "a", 1);
  expect_word(&lex, "b", 2);
  expect_word(&lex, "c", 3);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  expect_word(&lex, "\\d\\", 4);
  expect_kind(&lex, AMBER_TOKEN_END);
}

static void raw_text(void **state) {
  (void)state;
  AmberLex lex;
  const char *text;
  size_t length;
  start(&lex, "x\n# ENDs\n END\n END # it\nafter");
  expect_word(&lex, "x", 1);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  assert_true(amber_lex_raw(&lex, &text, &length));
  assert_memory_equal(text, "# ENDs\n", length);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  assert_int_equal(lex.line, 4);
  assert_true(amber_lex_raw(&lex, &text, &length));
  assert_int_equal(length, 0);
  expect_kind(&lex, AMBER_TOKEN_EOL);
  expect_word(&lex, "after", 5);
}

static void raw_text_without_end(void **state) {
  (void)state;
  static const char *const texts[] = {"", "END_", "x END", "\n\n", "EN"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    AmberLex lex;
    const char *text;
    size_t length;
    start(&lex, texts[i]);
    assert_false(amber_lex_raw(&lex, &text, &length));
    expect_kind(&lex, AMBER_TOKEN_END);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_and_comments),
      cmocka_unit_test(joined_lines),
      cmocka_unit_test(raw_text),
      cmocka_unit_test(raw_text_without_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
