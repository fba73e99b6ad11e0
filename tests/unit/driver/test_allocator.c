/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: all of it comes from the caller's allocator. Every allocation fails once, for every
 * transform and every report, alone and with all that follow it; nothing leaks, the sizes passed
 * are right, and malloc is never called. (The linker wraps malloc and related functions for this
 * program's own objects and the static libraries; SPIRV-Tools, which calls them, is not run.) */
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- malloc, watched ---- */

#define WATCH(kind, name, parameters, arguments)                                                   \
  kind __real_##name parameters;                                                                   \
  kind __wrap_##name parameters;                                                                   \
  kind __wrap_##name parameters {                                                                  \
    mallocs += !in_cxx;                                                                            \
    return __real_##name arguments;                                                                \
  }
/* new and delete are SPIRV-Tools'; they may call malloc. */
#define LET(kind, name, parameters, store, arguments, result)                                      \
  kind __real_##name parameters;                                                                   \
  kind __wrap_##name parameters;                                                                   \
  kind __wrap_##name parameters {                                                                  \
    in_cxx++;                                                                                      \
    store __real_##name arguments;                                                                 \
    in_cxx--;                                                                                      \
    return result;                                                                                 \
  }

static size_t mallocs, in_cxx;

WATCH(void *, malloc, (size_t size), (size))
WATCH(void *, calloc, (size_t count, size_t size), (count, size))
WATCH(void *, realloc, (void *old, size_t size), (old, size))
void __real_free(void *old);
void __wrap_free(void *old);
void __wrap_free(void *old) {
  mallocs += !in_cxx && old;
  __real_free(old);
}
LET(void *, _Znwm, (size_t size), void *p =, (size), p)
LET(void *, _Znam, (size_t size), void *p =, (size), p)
LET(void, _ZdlPv, (void *old), , (old), )
LET(void, _ZdlPvm, (void *old, size_t size), , (old, size), )
LET(void, _ZdaPv, (void *old), , (old), )

/* ---- an allocator that counts and fails ---- */

typedef struct Purse {
  size_t calls, fail_at; /* allocations so far, from 1; which one fails, 0: none */
  bool fail_all;         /* all later ones, too */
  size_t live;           /* bytes */
} Purse;

/* Precedes each allocation: the size that the library requested. */
typedef union Head {
  size_t size;
  max_align_t align;
} Head;

static void *spend(void *user, void *old, size_t old_size, size_t new_size) {
  Purse *p = user;
  Head *head = old ? (Head *)old - 1 : NULL;
  assert_int_equal(old_size, head ? head->size : 0);
  p->calls += new_size > 0;
  if (new_size > 0 && p->fail_at &&
      (p->calls == p->fail_at || (p->fail_all && p->calls > p->fail_at)))
    return NULL;
  p->live += new_size - old_size;
  if (new_size == 0) {
    __real_free(head);
    return NULL;
  }
  head = __real_realloc(head, sizeof *head + new_size);
  head->size = new_size;
  return head + 1;
}

/* ---- modules ---- */

typedef struct Module {
  char *text;
  size_t length;
  spvreconv_result *result; /* owns the words */
  const uint32_t *words;
  size_t count;
} Module;

static Module assembled(char *text, size_t length) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "none";
  Module m = {.text = text, .length = length};
  assert_int_equal(spvreconv_run_text(&o, text, length, &m.result), SPVRECONV_OK);
  m.words = spvreconv_result_words(m.result, &m.count);
  return m;
}

static void free_module(Module *m) {
  spvreconv_result_destroy(m->result);
  __real_free(m->text);
}

static Module read_module(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file)
    fail_msg("no %s: the test runs in the source folder", name);
  char *text = __real_malloc(1 << 16);
  size_t length = fread(text, 1, 1 << 16, file);
  fclose(file);
  return assembled(text, length);
}

/* `count` consecutive ifs whose arms branch into the next one: arrays of megabytes. */
static Module many_blocks(unsigned count) {
  char *text = __real_malloc(1000 + 160 * (size_t)count), *p = text;
  p += sprintf(
      p, "; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %%4 \"main\"\nOpExecutionMode %%4 LocalSize 1 1 1\n"
         "%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n%%6 = OpTypeBool\n"
         "%%8 = OpConstantTrue %%6\n%%4 = OpFunction %%2 None %%3\n%%9 = OpLabel\nOpBranch %%10\n");
  for (unsigned i = 0, id = 10; i < count; i++, id += 2)
    p += sprintf(p,
                 "%%%u = OpLabel\nOpBranchConditional %%8 %%%u %%%u\n"
                 "%%%u = OpLabel\nOpBranchConditional %%8 %%%u %%%u\n",
                 id, id + 1, id + 2, id + 1, id + 2, i + 1 < count ? id + 3 : id + 2);
  p += sprintf(p, "%%%u = OpLabel\nOpReturn\nOpFunctionEnd\n", 10 + 2 * count);
  return assembled(text, (size_t)(p - text));
}

static spvreconv_options options_of(Purse *purse, const char *transform, unsigned want) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  o.want = want;
  o.resize = spend;
  o.resize_user = purse;
  o.validate = SPVRECONV_VALIDATE_NONE; /* it has memory of its own, and takes most of the time */
  return o;
}

/* ---- every allocation ---- */

/* One run; true: it succeeded. If memory runs out, there is no result. */
static bool runs(const spvreconv_options *o, const Module *in, bool text, Purse *purse) {
  spvreconv_result *r = (void *)purse;
  spvreconv_status s = text ? spvreconv_run_text(o, in->text, in->length, &r)
                            : spvreconv_run(o, in->words, in->count, &r);
  if (s == SPVRECONV_OUT_OF_MEMORY) {
    assert_null(r);
    assert_string_equal(spvreconv_result_message(r), "out of memory");
  } else if (s != SPVRECONV_OK) {
    fail_msg("%s: %s", o->transform, spvreconv_result_message(r));
  }
  assert_int_equal(s == SPVRECONV_OK, purse->fail_at == 0 || purse->calls < purse->fail_at);
  spvreconv_result_destroy(r);
  assert_int_equal(purse->live, 0);
  return s == SPVRECONV_OK;
}

/* Each `step`-th allocation fails, and of these each fourth with all that follow. Returns how many there are. The input is text if its listing is
 * wanted. */
static size_t fail_each(const char *transform, unsigned want, const Module *in, size_t step) {
  size_t count = 0;
  step *= 8 / unit_seeds(8); /* larger under sanitizers */
  for (int all = 0; all < 2; all++)
    for (size_t i = 1;; i += all ? 4 * step : step) { /* those that follow are the same ones */
      Purse purse = {.fail_at = i, .fail_all = all};
      spvreconv_options o = options_of(&purse, transform, want);
      o.order = strstr(transform, "reconverge") ? "best" : NULL;
      count = i;
      if (runs(&o, in, want & SPVRECONV_WANT_ASSEMBLY, &purse))
        break;
    }
  assert_true(count > 3);
  return count;
}

enum {
  REPORTS = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CFG_DOT | SPVRECONV_WANT_UNIFORMITY |
            SPVRECONV_WANT_CHECK,
};

static const char *const lists[] = {
    "strip-merges,structurize",
    "unstructure:7,structurize",
    "unstructure:5,struct-copy",
    "struct-copy,merge-copies,structurize",
    "unstructure:3,linearize",
    "unstructure:2,guard",
    "unstructure:4,reconverge,structurize",
    NULL,
};

static size_t fail_each_transform(const Module *in, size_t step) {
  const char *name, *purpose;
  size_t count = 0;
  for (size_t i = 0; spvreconv_transform_info(i, &name, &purpose); i++)
    if (strcmp(name, "unstructure") != 0 && strcmp(name, "strip-merges") != 0)
      count += fail_each(name, REPORTS, in, step);
  for (size_t i = 0; lists[i]; i++)
    count += fail_each(lists[i], REPORTS, in, step);
  count += fail_each("reconverge", SPVRECONV_WANT_WAVE, in, step);
  count += fail_each("none", SPVRECONV_WANT_EXPLAIN, in, step);
  count += fail_each("auto", SPVRECONV_WANT_ASSEMBLY, in, step);
  return count;
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  static const char *const names[] = {"shaders/irreducible/three_entries.spvasm",
                                      "shaders/switch/into_cycle.spvasm"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Module in = read_module(names[i]);
    count += fail_each_transform(&in, 1 + 4 * i); /* all of the first one, a fifth of the others */
    free_module(&in);
  }
  printf("%zu allocations\n", count);
}

/* Arrays that grow in place, and sorts of many elements. */
static void test_large_arrays(void **state) {
  (void)state;
  Module in = many_blocks(12000);
  size_t count = fail_each("structurize", SPVRECONV_WANT_STATS, &in, 29);
  printf("every 29th of %zu\n", count);
  free_module(&in);
}

/* ---- contexts ---- */

static bool context_runs(Purse *purse) {
  spvreconv_options o = options_of(purse, "strip-merges", 0);
  spvreconv_context *c = spvreconv_context_create(&o);
  bool ok = c && spvreconv_context_register(c, "--structurize") == SPVRECONV_OK;
  if (c && !ok) /* as if nothing had been requested */
    assert_int_equal(spvreconv_context_register(c, "structurize"), SPVRECONV_OK);
  spvreconv_context_destroy(c);
  assert_int_equal(purse->live, 0);
  return ok;
}

static void test_contexts(void **state) {
  (void)state;
  Purse purse = {0};
  for (size_t i = 1; purse = (Purse){.fail_at = i}, !context_runs(&purse); i++)
    assert_true(i < 100);
  assert_true(purse.calls > 1);
}

/* ---- malloc ---- */

static void expect_no_malloc(const char *transform, const uint32_t *words, size_t count) {
  Purse purse = {0};
  spvreconv_result *r;
  spvreconv_options o =
      options_of(&purse, transform, SPVRECONV_WANT_STATS | SPVRECONV_WANT_CFG_DOT);
  if (strcmp(transform, "reconverge") == 0)
    o.want |= SPVRECONV_WANT_WAVE;
  size_t before = mallocs;
  if (spvreconv_run(&o, words, count, &r) != SPVRECONV_OK)
    fail_msg("%s: %s", transform, spvreconv_result_message(r));
  spvreconv_result_destroy(r);
  if (mallocs != before)
    fail_msg("%s: %zu calls of malloc or its kin", transform, mallocs - before);
  assert_true(purse.calls > 0);
}

static void test_malloc_is_never_asked(void **state) {
  (void)state;
  size_t before = mallocs;
  Module small = read_module("shaders/early-exit/goto_error.spvasm"), large = many_blocks(2000);
  assert_true(mallocs > before); /* so the wrapper works */
  const char *name, *purpose;
  for (size_t i = 0; spvreconv_transform_info(i, &name, &purpose); i++) {
    if (strcmp(name, "unstructure") == 0)
      continue;
    expect_no_malloc(name, small.words, small.count);
    if (strcmp(name, "struct-copy") != 0) /* each of these ifs doubles the code */
      expect_no_malloc(name, large.words, large.count);
  }
  for (size_t i = 0; lists[i]; i++)
    expect_no_malloc(lists[i], small.words, small.count);
  free_module(&large);
  free_module(&small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_allocation_fails),
      cmocka_unit_test(test_large_arrays),
      cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_malloc_is_never_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
