/* SPDX-License-Identifier: Apache-2.0 */
/* test_unknown: modules that are newer than the SPIR-V headers of the build.
 *
 *   test_unknown FILE|DIRECTORY...
 *
 * Adds words that are in no grammar to every shader below the arguments, and runs transforms on it:
 *   - a capability, an execution mode with literals, a source language, a decoration, and an
 *     instruction outside functions: the output is that of the shader without these words, with the
 *     words added; and `auto` changes no word of a structured shader
 *   - each of these alone, under `auto` and `strip-merges,structurize`
 *   - an instruction in a function: that function keeps every word, and a notice says so if the
 *     transforms would have changed it; or `auto` or `structurize` has changed it, and it still
 *     holds the instruction
 *   - all of them, printed as text and assembled again: the same words
 *   - MaximallyReconvergesKHR, which adds rules that every output has to follow
 * The first two lists run on every shader, and the others in turn.
 * SPIRV-Tools knows none of these words, so its validator's result is ignored; a notice says that,
 * too. */
#include "passes/ir/newer.h"
#include "tests/structure/shader_files.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is planted; a set of bits. */
enum {
  IN_CAPABILITY = 1,
  IN_MODE = 2,
  IN_LANGUAGE = 4,
  IN_DECORATION = 8,
  IN_OPCODE = 16,
  EVERYTHING = 31,
  IN_PROMISE = 32, /* MaximallyReconvergesKHR, which spvreconv knows */
};

enum {
  CAPABILITY = 19999,
  MODE = 19998,
  DECORATION = 19997,
  LANGUAGE = 19996,
  GLOBAL_OP = 60001,
  LOCAL_OP = 60002,
};

typedef struct Words {
  uint32_t *at;
  size_t count, room;
} Words;

typedef struct Run {
  uint64_t files, runs, kept, refused, notices, texts, promises, structurized;
  bool unread, not_validated, dropped; /* the notices of the last run */
  bool failed;
} Run;

static void push(Words *w, const uint32_t *from, size_t count) {
  if (w->count + count > w->room) {
    w->room = 2 * (w->count + count) + 64;
    w->at = realloc(w->at, w->room * sizeof *w->at);
    if (!w->at)
      abort();
  }
  memcpy(w->at + w->count, from, count * sizeof *from);
  w->count += count;
}

static void push_instruction(Words *w, uint32_t op, uint32_t operands, uint32_t a, uint32_t b,
                             uint32_t c) {
  uint32_t words[4] = {(operands + 1) << 16 | op, a, b, c};
  push(w, words, operands + 1);
}

/* Adds what is to be planted before instruction `op`; *done counts the places that are past. */
static void plant_before(Words *out, uint32_t op, unsigned kinds, int *done, uint32_t entry) {
  if (*done == 0 && op != SpvOpCapability) {
    if (kinds & IN_CAPABILITY)
      push_instruction(out, SpvOpCapability, 1, CAPABILITY, 0, 0);
    ++*done;
  }
  if (*done == 1 && entry && op != SpvOpEntryPoint && op != SpvOpExecutionMode) {
    if (kinds & IN_MODE)
      push_instruction(out, SpvOpExecutionMode, 3, entry, MODE, 7);
    if (kinds & IN_PROMISE)
      push_instruction(out, SpvOpExecutionMode, 2, entry, SR_MODE_MAXIMALLY_RECONVERGES, 0);
    if (kinds & IN_LANGUAGE)
      push_instruction(out, SpvOpSource, 2, LANGUAGE, 100, 0);
    if (kinds & IN_DECORATION)
      push_instruction(out, SpvOpDecorate, 3, entry, DECORATION, 5);
    ++*done;
  }
  if (*done == 2 && op == SpvOpFunction) {
    if (kinds & IN_OPCODE)
      push_instruction(out, GLOBAL_OP, 3, 1, 2, 0xffffffff);
    ++*done;
  }
}

static Words plant_globals(const uint32_t *words, size_t count, unsigned kinds) {
  Words out = {0};
  int done = 0;
  uint32_t entry = 0;
  push(&out, words, 5);
  for (size_t i = 5; i < count; i += words[i] >> 16) {
    uint32_t op = words[i] & 0xffff;
    plant_before(&out, op, kinds, &done, entry);
    entry = op == SpvOpEntryPoint ? words[i + 2] : entry;
    push(&out, &words[i], words[i] >> 16);
  }
  return out;
}

static bool is_planted(const uint32_t *w) {
  switch (w[0] & 0xffff) {
  case SpvOpCapability:
    return w[1] == CAPABILITY;
  case SpvOpExecutionMode:
  case SpvOpDecorate:
    return w[2] == MODE || w[2] == DECORATION;
  case SpvOpSource:
    return w[1] == LANGUAGE;
  default:
    return (w[0] & 0xffff) == GLOBAL_OP;
  }
}

static Words without_planted(const uint32_t *words, size_t count) {
  Words out = {0};
  push(&out, words, 5);
  for (size_t i = 5; i < count; i += words[i] >> 16)
    if (!is_planted(&words[i]))
      push(&out, &words[i], words[i] >> 16);
  return out;
}

/* Plants an instruction in the first block of the first function that has one. */
static Words plant_local(const uint32_t *words, size_t count) {
  Words out = {0};
  bool done = false;
  push(&out, words, 5);
  for (size_t i = 5; i < count; i += words[i] >> 16) {
    push(&out, &words[i], words[i] >> 16);
    if (!done && (words[i] & 0xffff) == SpvOpLabel) {
      push_instruction(&out, LOCAL_OP, 2, 1, 2, 0);
      done = true;
    }
  }
  return out;
}

/* The words of the first function that has an instruction `op`. */
static Words function_with(const uint32_t *words, size_t count, uint32_t op) {
  Words out = {0};
  bool found = false;
  for (size_t i = 5; i < count; i += words[i] >> 16) {
    uint32_t at = words[i] & 0xffff;
    if (at == SpvOpFunction)
      out.count = 0;
    push(&out, &words[i], words[i] >> 16);
    found = found || (at == op && out.count > 0);
    if (found && at == SpvOpFunctionEnd)
      break;
  }
  return out;
}

/* ---- running ---- */

static void hear(void *user, const char *line) {
  Run *run = user;

  run->notices++;
  run->unread |= strstr(line, "the function is left as it is") != NULL;
  run->not_validated |= strstr(line, "is older than the module") != NULL;
  run->dropped |= strstr(line, "is therefore dropped") != NULL;
}

/* Compares every output with its input. */
static spvreconv_result *transform_as(Run *run, const char *list, const uint32_t *words,
                                      size_t count, spvreconv_validate validate,
                                      spvreconv_status *status) {
  spvreconv_options o;
  spvreconv_result *r;
  spvreconv_options_init(&o, sizeof o);
  o.transform = list;
  o.validate = validate;
  o.want = SPVRECONV_WANT_CHECK;
  o.message = hear;
  o.message_user = run;
  run->unread = run->not_validated = run->dropped = false;
  *status = spvreconv_run(&o, words, count, &r);
  run->runs++;
  return r;
}

static spvreconv_result *transform(Run *run, const char *list, const uint32_t *words, size_t count,
                                   spvreconv_status *status) {
  return transform_as(run, list, words, count, SPVRECONV_VALIDATE_AUTO, status);
}

static void fail(Run *run, const char *name, const char *list, const char *what) {
  printf("FAILED %s: %s: %s\n", name, list, what);
  run->failed = true;
}

static bool same(const uint32_t *a, size_t count, const Words *b) {
  return count == b->count && memcmp(a, b->at, count * sizeof *a) == 0;
}

/* `plain`: the output with nothing planted. */
static void check_planted(Run *run, const char *name, const char *list, const uint32_t *words,
                          size_t count, const spvreconv_result *plain, unsigned kinds) {
  spvreconv_status with;
  Words planted = plant_globals(words, count, kinds);
  spvreconv_result *r = transform(run, list, planted.at, planted.count, &with);
  if (with != SPVRECONV_OK) {
    fail(run, name, list, spvreconv_result_message(r));
  } else {
    size_t before, after;
    const uint32_t *x = spvreconv_result_words(plain, &before),
                   *y = spvreconv_result_words(r, &after);
    Words rest = without_planted(y, after);
    if (!same(x, before, &rest))
      fail(run, name, list, "another output than without what is planted");
    else if (same(words, count, &rest) && !same(y, after, &planted))
      fail(run, name, list, "the order of words has changed");
    else if (planted.count > count && !run->not_validated)
      fail(run, name, list, "no notice that nothing was validated");
    free(rest.at);
  }
  free(planted.at);
  spvreconv_result_destroy(r);
}

/* All kinds together and, with `each`, each kind alone. */
static void check_globals(Run *run, const char *name, const char *list, const uint32_t *words,
                          size_t count, bool each) {
  spvreconv_status status;
  spvreconv_result *plain = transform(run, list, words, count, &status);
  run->refused += status != SPVRECONV_OK;
  if (status == SPVRECONV_OK)
    check_planted(run, name, list, words, count, plain, EVERYTHING);
  for (unsigned kind = 1; each && status == SPVRECONV_OK && kind < EVERYTHING; kind *= 2)
    check_planted(run, name, list, words, count, plain, kind);
  spvreconv_result_destroy(plain);
}

/* Printed and assembled again, a module that SPIRV-Tools does not know has the same words. */
static void check_text(Run *run, const char *name, const Words *planted) {
  spvreconv_options o;
  spvreconv_result *printed, *again = NULL;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "none";
  o.want = SPVRECONV_WANT_ASSEMBLY;
  o.validate = SPVRECONV_VALIDATE_NONE;
  if (spvreconv_run(&o, planted->at, planted->count, &printed) != SPVRECONV_OK) {
    spvreconv_result_destroy(printed); /* refused with nothing planted, too */
    return;
  }
  const char *text = spvreconv_result_text(printed, SPVRECONV_WANT_ASSEMBLY);
  o.want = 0;
  if (!text || spvreconv_run_text(&o, text, strlen(text), &again) != SPVRECONV_OK) {
    fail(run, name, "as text", again ? spvreconv_result_message(again) : "nothing is printed");
  } else {
    size_t count;
    const uint32_t *words = spvreconv_result_words(again, &count);
    if (count != planted->count || memcmp(words + 5, planted->at + 5, (count - 5) * 4) != 0)
      fail(run, name, "as text", "other words");
    run->texts++;
  }
  spvreconv_result_destroy(again);
  spvreconv_result_destroy(printed);
}

/* With MaximallyReconvergesKHR no output of a transform violates the rules of that mode: the
 * library would report a bug. */
static void check_promise(Run *run, const char *name, const char *list, const uint32_t *words,
                          size_t count) {
  spvreconv_status status, with;
  spvreconv_result *plain = transform_as(run, list, words, count, SPVRECONV_VALIDATE_NONE, &status);
  Words planted = plant_globals(words, count, IN_PROMISE);
  spvreconv_result *r =
      transform_as(run, list, planted.at, planted.count, SPVRECONV_VALIDATE_NONE, &with);
  /* With `reconverge` the module may be refused because of MaximallyReconvergesKHR. */
  bool other_order = strstr(list, "reconverge");
  if (with != status && (with == SPVRECONV_BUG || !other_order))
    fail(run, name, list, spvreconv_result_message(with == SPVRECONV_OK ? plain : r));
  run->promises += with == SPVRECONV_OK;
  free(planted.at);
  spvreconv_result_destroy(plain);
  spvreconv_result_destroy(r);
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Are the words the same except for the order of blocks, which transforms repair? Sorts them. */
static bool same_but_order(const Words *a, const Words *b) {
  qsort(a->at, a->count, sizeof *a->at, by_value);
  qsort(b->at, b->count, sizeof *b->at, by_value);
  return same(a->at, a->count, b);
}

/* Drops merge instructions: the reader may have dropped some, with a notice. */
static void drop_merges(Words *w) {
  size_t kept = 0;
  for (size_t i = 0, n; i < w->count; i += n) {
    uint32_t op = w->at[i] & 0xffff;
    n = w->at[i] >> 16;
    if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
      continue;
    memmove(w->at + kept, w->at + i, n * sizeof *w->at);
    kept += n;
  }
  w->count = kept;
}

/* Did the transform change the function in which plant_local plants? */
static bool changes_function(const Run *run, const uint32_t *words, size_t count,
                             const spvreconv_result *r) {
  size_t after;
  const uint32_t *y = spvreconv_result_words(r, &after);
  Words a = function_with(words, count, SpvOpLabel), b = function_with(y, after, SpvOpLabel);
  if (run->dropped) {
    drop_merges(&a);
    drop_merges(&b);
  }
  bool changed = !same_but_order(&a, &b);
  free(a.at);
  free(b.at);
  return changed;
}

/* The function keeps its words, with a notice if it would have lost them otherwise; or it was
 * structurized, and the instruction is still in it. */
static void check_kept(Run *run, const char *name, const char *list, const Words *planted,
                       const spvreconv_result *r, bool would_change) {
  size_t after;
  const uint32_t *y = spvreconv_result_words(r, &after);
  Words before = function_with(planted->at, planted->count, LOCAL_OP),
        now = function_with(y, after, LOCAL_OP);
  if (run->dropped) {
    drop_merges(&before);
    drop_merges(&now);
  }
  bool kept = same(before.at, before.count, &now) || same_but_order(&before, &now);
  bool may = strcmp(list, "auto") == 0 || strstr(list, "structurize");
  run->kept += kept;
  run->structurized += !kept;
  if (!kept && (!may || !would_change || now.count == 0))
    fail(run, name, list, "the function has changed");
  else if (kept && would_change && !run->unread)
    fail(run, name, list, "no notice that the function is left as it is");
  free(before.at);
  free(now.at);
}

static void check_local(Run *run, const char *name, const char *list, const uint32_t *words,
                        size_t count) {
  spvreconv_status plain, with;
  spvreconv_result *a = transform(run, list, words, count, &plain);
  Words planted = plant_local(words, count);
  spvreconv_result *b = transform(run, list, planted.at, planted.count, &with);
  if (plain == SPVRECONV_OK && with != SPVRECONV_OK)
    fail(run, name, list, spvreconv_result_message(b));
  else if (plain == SPVRECONV_OK)
    check_kept(run, name, list, &planted, b, changes_function(run, words, count, a));
  free(planted.at);
  spvreconv_result_destroy(a);
  spvreconv_result_destroy(b);
}

static void visit(void *user, const char *name, const uint32_t *words, size_t count,
                  const char *note) {
  static const char *const lists[] = {"auto",
                                      "strip-merges,structurize",
                                      "strip-merges,reconverge,structurize",
                                      "struct-copy",
                                      "strip-merges,linearize",
                                      "merge-copies,structurize",
                                      "unstructure:1,guard"};
  Run *run = user;
  (void)note;
  bool has_function = false;
  for (size_t i = 5; i < count && words[i] >> 16; i += words[i] >> 16)
    has_function = has_function || (words[i] & 0xffff) == SpvOpLabel;
  run->files++;
  for (size_t i = 0; has_function && i < sizeof lists / sizeof *lists; i++) {
    bool turn = (run->files + i) % 3 == 0;
    if (i >= 2 && !turn)
      continue;
    check_globals(run, name, lists[i], words, count, i < 2 && turn);
    check_local(run, name, lists[i], words, count);
    check_promise(run, name, lists[i], words, count);
  }
  Words all = plant_globals(words, count, EVERYTHING), local = plant_local(all.at, all.count);
  check_text(run, name, &all);
  check_text(run, name, &local);
  free(all.at);
  free(local.at);
}

int main(int argc, char **argv) {
  Run run = {0};
  for (int i = 1; i < argc; i++)
    run.failed |= !visit_shader_files(argv[i], visit, &run);
  printf(
      "%llu modules, %llu runs, %llu refused without anything planted, %llu functions kept, %llu "
      "structurized around an unknown instruction, %llu "
      "printed and assembled, %llu under MaximallyReconvergesKHR, %llu notices\n",
      (unsigned long long)run.files, (unsigned long long)run.runs, (unsigned long long)run.refused,
      (unsigned long long)run.kept, (unsigned long long)run.structurized,
      (unsigned long long)run.texts, (unsigned long long)run.promises,
      (unsigned long long)run.notices);
  return run.failed || run.kept == 0 || run.structurized == 0 || run.texts == 0 ||
         run.promises == 0;
}
