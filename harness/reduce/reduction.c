/* SPDX-License-Identifier: Apache-2.0 */
/* reduction: see reduction.h.
 *
 * Delta debugging (batch_search.h): of each kind of step first all steps are tried at once, then halves, quarters, …, then
 * single ones. When no step helps, the case is done. */
#include "harness/reduce/reduction.h"

#include "harness/base/batch_search.h"
#include "harness/base/message.h"
#include "harness/reduce/reduce_case.h"
#include "harness/reduce/reduce_files.h"
#include "harness/reduce/reduce_judge.h"
#include "harness/reduce/reduce_steps.h"
#include "harness/shader/case_file.h"
#include "harness/shader/variant.h"
#include "passes/tool/compile/compile_file.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"
#include "passes/tool/tool_shell.h"
#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <inttypes.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 256, BATCH = 8 };

typedef struct Shader {
  size_t at; /* its statement */
  HnModule module;
} Shader;

/* Candidates of one batch. */
typedef struct Batch {
  char *texts[BATCH];     /* the whole case */
  char *statement[BATCH]; /* the new text of the statement; NULL: it goes */
  HnModule module[BATCH]; /* of a shader; words NULL: none */
  size_t at[BATCH];       /* the statement */
  uint32_t place[BATCH];  /* the caller's number */
  size_t count;
} Batch;

typedef struct Search {
  HnReduceCase c;
  HnReduceJudge judge;
  Shader *shaders;
  size_t shader_count;
  SrReduceRules rules;
  char *message; /* of an error */
  bool good;
  /* what is being tried */
  Batch batch;
  Shader *shader;
  SrReduceKind kind;
  uint32_t chunk; /* steps of a candidate */
} Search;

static uint32_t size_of(const Search *s) {
  uint32_t size = 0;
  for (size_t i = 0; i < s->shader_count; i++)
    size += hn_reduce_size(s->shaders[i].module);
  return size;
}

/* ---- trials ---- */

static void free_batch(Batch *b) {
  for (size_t i = 0; i < b->count; i++) {
    free(b->texts[i]);
    free(b->statement[i]);
    free((void *)b->module[i].words);
  }
  b->count = 0;
}

/* Takes over `statement` and the module. */
static void add_trial(Search *s, Batch *b, size_t at, char *statement, HnModule module,
                      uint32_t place) {
  char *text =
      hn_reduce_case_text(&s->c, statement ? at : SIZE_MAX, statement, statement ? SIZE_MAX : at);
  s->good = s->good && text;
  b->texts[b->count] = text;
  b->statement[b->count] = statement;
  b->module[b->count] = module;
  b->at[b->count] = at;
  b->place[b->count++] = place;
}

static void accept(Search *s, Batch *b, long i) {
  HnStatement *statement = &s->c.at[b->at[i]];
  if (!b->statement[i]) {
    statement->gone = true;
    return;
  }
  free(statement->text);
  statement->text = b->statement[i];
  b->statement[i] = NULL;
}

/* On a terminal, shows the progress in one line, which each call writes again. */
static void show_progress(const Search *s) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%" PRIu32 " instructions left, %" PRIu64 " runs\033[K", size_of(s),
            s->judge.runs);
}

/* Runs the batch and empties it. The first candidate that still fails replaces its statement;
 * *place gets its number, *module its module, which the caller takes over. */
static bool try_batch(Search *s, Batch *b, uint32_t *place, HnModule *module) {
  long first = -1;
  if (b->count && s->good && !s->judge.signal)
    s->good = hn_reduce_judge(&s->judge, b->texts, b->count, &first, &s->message);
  show_progress(s);
  if (first >= 0) {
    accept(s, b, first);
    *place = b->place[first];
    if (module) {
      *module = b->module[first];
      b->module[first].words = NULL;
    }
  }
  free_batch(b);
  return first >= 0;
}

static bool may_go_on(const Search *s) {
  return s->good && !s->judge.signal && s->judge.runs < s->judge.most;
}

/* ---- statements ---- */

static bool may_leave_out(const HnStatement *s) {
  return !s->gone && s->kind != HN_STATEMENT_SHADER && s->text[strspn(s->text, " \t\r\n")] != '#' &&
         s->text[strspn(s->text, " \t\r\n")];
}

static bool go_on(void *user) {
  return may_go_on(user);
}

static HnBatchSearch search_with(Search *s, bool (*make)(void *, uint32_t),
                                 bool (*judge)(void *, uint32_t *, uint32_t *)) {
  uint32_t jobs = s->judge.jobs < BATCH ? s->judge.jobs : BATCH;
  return (HnBatchSearch){s, jobs, make, judge, go_on};
}

/* Step 0 is the last statement: what is used comes before its uses. */
static bool make_without(void *user, uint32_t step) {
  Search *s = user;
  size_t at = s->c.count - 1 - step;
  if (!s->good || !may_leave_out(&s->c.at[at]))
    return false;
  add_trial(s, &s->batch, at, NULL, (HnModule){0}, step);
  return true;
}

static bool judge_without(void *user, uint32_t *next, uint32_t *count) {
  Search *s = user;
  uint32_t step;
  (void)count;
  if (!try_batch(s, &s->batch, &step, NULL))
    return false;
  *next = step + 1;
  return true;
}

static bool leave_out(Search *s) {
  const HnBatchSearch search = search_with(s, make_without, judge_without);
  return hn_batch_search(&search, (uint32_t)s->c.count, 1);
}

static bool dispatch_less(Search *s) {
  bool any = false;
  for (size_t i = 0; i < s->c.count && may_go_on(s); i++) {
    Batch b = {.count = 0};
    uint32_t place;
    if (s->c.at[i].gone || s->c.at[i].kind != HN_STATEMENT_RUN)
      continue;
    char *fewer = hn_reduce_case_fewer(&s->c.at[i]);
    if (!fewer)
      continue;
    add_trial(s, &b, i, fewer, (HnModule){0}, 0);
    if (try_batch(s, &b, &place, NULL)) {
      any = true;
      i--; /* once more */
    }
  }
  return any;
}

/* ---- modules ---- */

/* `chunk` steps, beginning with `step`. */
static bool make_after(void *user, uint32_t step) {
  Search *s = user;
  HnModule after = s->good ? hn_reduce_after(s->shader->module, s->kind, &s->rules, step, s->chunk)
                           : (HnModule){0};
  char *text = after.words ? hn_reduce_case_module(&s->c.at[s->shader->at], after) : NULL;
  if (text)
    add_trial(s, &s->batch, s->shader->at, text, after, step);
  else
    free((void *)after.words);
  return text;
}

static void replace_module(Shader *shader, HnModule module) {
  free((void *)shader->module.words);
  shader->module = module;
}

/* The steps after those that were taken have their numbers now. */
static bool judge_after(void *user, uint32_t *next, uint32_t *count) {
  Search *s = user;
  HnModule module;
  if (!try_batch(s, &s->batch, next, &module))
    return false;
  replace_module(s->shader, module);
  *count = hn_reduce_steps(s->shader->module, s->kind, &s->rules);
  return true;
}

static bool take_steps(Search *s, Shader *shader, SrReduceKind kind, uint32_t chunk) {
  const HnBatchSearch search = search_with(s, make_after, judge_after);
  s->shader = shader;
  s->kind = kind;
  s->chunk = chunk;
  return hn_batch_search(&search, hn_reduce_steps(shader->module, kind, &s->rules), chunk);
}

static bool shrink_module(Search *s, Shader *shader) {
  bool any = false;
  for (int kind = 0; kind < SR_REDUCE_KINDS; kind++) {
    uint32_t chunk = hn_reduce_steps(shader->module, (SrReduceKind)kind, &s->rules);
    for (; chunk && may_go_on(s); chunk = chunk == 1 ? 0 : (chunk + 1) / 2)
      any |= take_steps(s, shader, (SrReduceKind)kind, chunk);
  }
  return any;
}

static HnModule copy_of(HnModule m) {
  uint32_t *words = malloc(m.count * sizeof *words);
  if (words)
    memcpy(words, m.words, m.count * sizeof *words);
  return (HnModule){words, m.count};
}

/* Takes over the module. Does the case still fail with it? */
static bool try_module(Search *s, Shader *shader, HnModule module) {
  Batch b = {.count = 0};
  uint32_t place;
  char *text = module.words ? hn_reduce_case_module(&s->c.at[shader->at], module) : NULL;
  if (text)
    add_trial(s, &b, shader->at, text, module, 0);
  else
    free((void *)module.words);
  if (!try_batch(s, &b, &place, &module))
    return false;
  replace_module(shader, module);
  return true;
}

/* Functions that are called once become part of their callers. */
static HnModule inlined(HnModule module) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "inline";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  HnModule out = {0};
  size_t count;
  if (spvreconv_run(&options, module.words, module.count, &result) == SPVRECONV_OK) {
    const uint32_t *words = spvreconv_result_words(result, &count);
    out = copy_of((HnModule){words, count});
  }
  spvreconv_result_destroy(result);
  return out;
}

/* Variables with initial values let stores go without undefined loads. */
static void prepare_shader(Search *s, Shader *shader) {
  (void)try_module(s, shader, inlined(shader->module));
  s->rules.keeps_local_stores = s->judge.wanted == HN_FAIL;
  if (try_module(s, shader, hn_reduce_prepared(shader->module, true)))
    s->rules.keeps_local_stores = false;
  else
    (void)try_module(s, shader, hn_reduce_prepared(shader->module, false));
}

static void shrink(Search *s) {
  for (bool any = true; any && may_go_on(s);) {
    any = leave_out(s);
    any |= dispatch_less(s);
    for (size_t i = 0; i < s->shader_count; i++) {
      prepare_shader(s, &s->shaders[i]);
      any |= shrink_module(s, &s->shaders[i]);
    }
  }
}

/* ---- what fails ---- */

/* The text as a shader's path gives it, or as it is in the file; NULL: *message, or a line on
 * standard error. */
static char *read_case(const HnReduce *wanted, char **message) {
  const char *path = wanted->shader.path;
  uint8_t *bytes;
  size_t size;
  HnNewRisks risks;
  *message = NULL;
  if (tool_is_module(path) || hn_new_case_is(path))
    return hn_new_case(&wanted->shader, &risks, message);
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &size)) {
    hn_message_set(message, path, strerror(errno));
    return NULL;
  }
  char *text = strndup((const char *)bytes, size);
  free(bytes);
  if (text && strncmp(text, "#!amber", 7) != 0) {
    hn_message_set(message, path,
                   "is not AmberScript: reduce takes cases that begin with #!amber, "
                   "shaders and modules");
    free(text);
    return NULL;
  }
  return text;
}

static bool find_statement(const HnReduceCase *c, const char *name, size_t *at) {
  char found[NAME];
  for (size_t i = 0; i < c->count; i++)
    if (hn_reduce_case_shader(&c->at[i], found, sizeof found) && strcmp(found, name) == 0) {
      *at = i;
      return true;
    }
  return false;
}

static void drop_options(HnReduceCase *c, const char *shader) {
  for (size_t i = 0; i < c->count; i++)
    c->at[i].gone |= hn_reduce_case_compiles(&c->at[i], shader);
}

/* The variant's modules become the shaders of the case. */
static bool put_modules(Search *s, const AmberScript *script, const HnModule *modules) {
  s->shaders = calloc(script->shader_count + 1u, sizeof *s->shaders);
  for (uint32_t i = 0; s->shaders && i < script->shader_count; i++) {
    size_t at;
    if (!modules[i].count || script->shaders[i].format == AMBER_PASSTHROUGH ||
        !find_statement(&s->c, script->shaders[i].name, &at))
      continue;
    char *text = hn_reduce_case_module(&s->c.at[at], modules[i]);
    HnModule copy = copy_of(modules[i]);
    if (!text || !copy.words) {
      free(text);
      free((void *)copy.words);
      return false;
    }
    free(s->c.at[at].text);
    s->c.at[at].text = text;
    drop_options(&s->c, script->shaders[i].name);
    s->shaders[s->shader_count++] = (Shader){at, copy};
  }
  return s->shaders;
}

static void drop_expects(HnReduceCase *c) {
  for (size_t i = 0; i < c->count; i++)
    c->at[i].gone |= c->at[i].kind == HN_STATEMENT_EXPECT;
}

static void clear(Search *s) {
  for (size_t i = 0; i < s->shader_count; i++)
    free((void *)s->shaders[i].module.words);
  free(s->shaders);
  hn_reduce_case_free(&s->c);
  s->shaders = NULL;
  s->shader_count = 0;
}

/* Does the case fail with these modules? */
static bool find_failure(Search *s) {
  bool fails = false;
  char *text = hn_reduce_case_text(&s->c, SIZE_MAX, NULL, SIZE_MAX);
  s->good = s->good && text && hn_reduce_find(&s->judge, text, &fails, &s->message);
  free(text);
  return fails;
}

/* Tries the modules of variant `made_by`, which the harness then runs after the transforms of variant
 * `after`; *s has the case with its modules if it fails. */
static bool try_variant(Search *s, const char *text, const AmberScript *script,
                        const HnModule *modules, const char *made_by, const char *after) {
  HnVariant made = hn_variant_make(script, modules, made_by, false);
  bool fails = false;
  s->judge.variant = after;
  if (made.outcome == HN_PASS) {
    s->good = hn_reduce_case_read(text, &s->c) && put_modules(s, script, made.modules);
    drop_expects(&s->c);
    fails = s->good && find_failure(s);
    if (!fails)
      clear(s);
  }
  hn_variant_free(&made, script);
  return fails;
}

/* The first variant whose modules fail. If the device computes of a variant's modules what the emulator
 * does, but not what it computes of the case as written, the transforms are wrong: then they stay in
 * the case's command, and the case as written becomes smaller. */
static const char *try_variants(Search *s, const HnReduce *wanted, const char *text,
                                const AmberScript *script, const HnModule *modules) {
  const char *found = NULL;
  for (uint32_t i = 0; s->good && !found && i < wanted->variant_count; i++)
    if (try_variant(s, text, script, modules, wanted->variants[i], "none"))
      found = wanted->variants[i];
  for (uint32_t i = 0; s->good && !found && i < wanted->variant_count; i++)
    if (strcmp(wanted->variants[i], "none") != 0 &&
        try_variant(s, text, script, modules, "none", wanted->variants[i]))
      found = wanted->variants[i];
  return found;
}

/* The first variant that fails; NULL: none does, or *message says what is wrong. */
static const char *find_variant(Search *s, const HnReduce *wanted, const char *text) {
  const AmberFiles files = hn_files_beside(wanted->shader.path);
  AmberScript *script;
  AmberMessage parsed;
  HnModule *modules;
  const char *found = NULL;
  if (amber_parse(text, strlen(text), &files, &script, &parsed) != AMBER_OK) {
    hn_message_set(&s->message, wanted->shader.path, parsed.text);
    s->good = false;
  } else if (hn_shaders_make(script, &modules, &s->message) != HN_PASS) {
    s->good = false;
  } else {
    found = try_variants(s, wanted, text, script, modules);
    hn_shaders_free(modules, script->shader_count);
  }
  amber_destroy(script);
  return found;
}

/* ---- all ---- */

static const char *failure_name(const Search *s) {
  switch (s->judge.wanted) {
  case HN_CRASH:
    return "crashes";
  case HN_TIMEOUT:
    return "does not return in time";
  default:
    return "differs from the emulator";
  }
}

/* The case, after a comment with the command that shows the failure. */
static bool write_case(const Search *s, const HnReduce *wanted) {
  char *body = hn_reduce_case_text(&s->c, SIZE_MAX, NULL, SIZE_MAX), *text;
  const char *after = body ? strchr(body, '\n') : NULL;
  bool good =
      after && asprintf(&text,
                        "#!amber\n# %s %s. To see it:\n"
                        "#   spv-harness run --device=%s%s --transform=%s FILE\n%s",
                        wanted->device->at[0].info, failure_name(s), wanted->device->at[0].name,
                        s->judge.wanted == HN_FAIL ? " --against=emu" : "", s->judge.variant,
                        after + 1) >= 0;
  free(body);
  if (!good)
    return false;
  good = tool_write(wanted->output, text, strlen(text));
  free(text);
  return good;
}

static int finish(Search *s, const HnReduce *wanted, const char *variant, uint32_t before) {
  if (!s->good) {
    tool_say(wanted->shader.path, "%s", s->message ? s->message : "out of memory");
    return EXIT_FAILURE;
  }
  if (!variant && s->judge.unsound) {
    tool_say(wanted->shader.path,
             "nothing to reduce: it differs on %s, but what it computes depends on the order of "
             "invocations or on undefined values",
             wanted->device->at[0].name);
    return EXIT_FAILURE;
  }
  if (!variant) {
    tool_say(
        wanted->shader.path,
        "nothing to reduce: on %s it neither crashes nor hangs, and computes what the emulator "
        "computes, in every variant of --transform",
        wanted->device->at[0].name);
    return EXIT_FAILURE;
  }
  if (!write_case(s, wanted) || !hn_reduce_files_copy(&s->c, wanted->shader.path, wanted->output))
    return EXIT_FAILURE;
  fprintf(stderr,
          "spv-harness: %s: %" PRIu32 " of %" PRIu32 " instructions are left after %" PRIu64
          " runs%s\n",
          wanted->output, size_of(s), before, s->judge.runs,
          s->judge.signal                  ? "; interrupted, so this is not the smallest"
          : s->judge.runs >= s->judge.most ? "; --max-runs ended the search"
                                           : "");
  return EXIT_SUCCESS;
}

/* What fails. Where results differ, the case's own EXPECTs may allow it. */
static void say_failure(const Search *s, const HnReduce *wanted, const char *variant) {
  tool_say(wanted->shader.path, "variant %s %s on %s%s%s", variant, failure_name(s),
           wanted->device->at[0].name, s->judge.why[0] ? ": " : "", s->judge.why);
  if (s->judge.races)
    tool_say(
        wanted->shader.path,
        "note: invocations of a workgroup race, or are ordered only by atomic operations; read "
        "the reduced case before you blame the device");
  if (s->judge.wanted == HN_FAIL && strchr(s->judge.why, '.'))
    tool_say(wanted->shader.path,
             "note: if the device may round so, --ulps=N allows differences of "
             "floats by N units in the last place");
}

int hn_reduce(const HnReduce *wanted) {
  Search s = {.good = true,
              .judge = {.path = wanted->shader.path,
                        .device = wanted->device,
                        .emulator = wanted->emulator,
                        .variant = "none",
                        .jobs = wanted->jobs < BATCH ? wanted->jobs : BATCH,
                        .timeout = wanted->timeout,
                        .ulps = wanted->ulps,
                        .validation = wanted->validation,
                        .most = wanted->most}};
  char *text = read_case(wanted, &s.message);
  const char *variant = text ? find_variant(&s, wanted, text) : NULL;
  uint32_t before = variant ? size_of(&s) : 0;
  s.good = s.good && text;
  if (variant && s.good) {
    say_failure(&s, wanted, variant);
    shrink(&s);
    if (isatty(STDERR_FILENO))
      fputs("\r\033[K", stderr);
  }
  int code = finish(&s, wanted, variant, before);
  clear(&s);
  free(s.message);
  free(text);
  return code;
}
