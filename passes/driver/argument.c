/* SPDX-License-Identifier: Apache-2.0 */
/* argument: see argument.h. */
#include "passes/driver/argument.h"

#include "passes/base/text.h"
#include "passes/transform/copy/struct_copy.h"
#include "passes/transform/copy/tail_copy.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds of values ---- */

static bool is_any(const char *text) {
  (void)text;
  return true;
}

static bool is_number(const char *text) {
  return *text && !text[strspn(text, "0123456789")];
}

static bool is_percent(const char *text) {
  return is_number(text) && strtoull(text, NULL, 10) <= 100;
}

/* A positive number of 32 bits. */
static bool is_count(const char *text) {
  unsigned long long value = is_number(text) ? strtoull(text, NULL, 10) : 0;
  return value > 0 && value <= UINT32_MAX;
}

static bool is_tails(const char *text) {
  SrTailOptions tails;
  return sr_tail_options_read(text, &tails);
}

static bool is_copies(const char *text) {
  SrStructCopy copies = {0};
  return sr_struct_copy_read(text, &copies);
}

typedef struct Kind {
  const char *name;
  bool (*accepts)(const char *text);
  const char *what;         /* what the value stands for; NULL: it is an argument of the
                               transform */
  const char *is_not, *are; /* for the message about any other text: what it is not, and what the
                               alternatives are */
  const char *example;      /* or NULL */
} Kind;

static const Kind kinds[] = {
    {"FILE", is_any, NULL, NULL, NULL, NULL},
    {"COPIES", is_copies, "what to copy, or a form of structure",
     "neither what to copy nor a form of structure",
     "strict, forward-first, portable, any and strict:any are", NULL},
    {"N", is_count, "a number of iterations", "not a number of iterations",
     "a number from 1 to 4294967295 is", "1000"},
    {"PERCENT", is_percent, "a percentage", "not a percentage", "a number up to 100 is", "20"},
    {"SEED", is_number, "a seed", "not a seed", "a number is", "1"},
    {"TAILS", is_tails, "a number of instructions",
     "neither a number of instructions, nor with a goal, nor portable or any",
     "8, 8:issues, any and 8:any are", NULL},
};

/* ---- the grammar ---- */

typedef struct Alternative {
  const char *text; /* words, then the kind's name */
  size_t words, length;
  const Kind *kind; /* or NULL */
  bool is_pass;
} Alternative;

static bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

static const Kind *find_kind(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
      return &kinds[i];
  return NULL;
}

/* Reads the alternative at *at, and moves *at to the next one. False: there is none. */
static bool next_alternative(const char **at, Alternative *a) {
  *at += strspn(*at, "[]|");
  if (!**at)
    return false;
  *a = (Alternative){.is_pass = **at == '+'};
  *at += a->is_pass;
  a->text = *at;
  a->length = strcspn(*at, "|]");
  *at += a->length;
  while (a->words < a->length && !is_capital(a->text[a->words]))
    a->words++;
  a->kind = find_kind(a->text + a->words, a->length - a->words);
  return true;
}

static bool fits(const Alternative *a, const char *argument) {
  if (strncmp(argument, a->text, a->words) != 0)
    return false;
  return a->kind ? a->kind->accepts(argument + a->words) : !argument[a->words];
}

static bool find(const char *grammar, const char *argument, Alternative *a) {
  while (next_alternative(&grammar, a))
    if (fits(a, argument))
      return true;
  return false;
}

bool sr_argument_is_pass(const char *grammar, const char *argument) {
  Alternative a;
  return argument && find(grammar, argument, &a) && a.is_pass;
}

bool sr_argument_is_grammar(const char *grammar) {
  size_t length = strlen(grammar);
  Alternative a;
  if (length && (*grammar == '[') != (grammar[length - 1] == ']'))
    return false;
  while (next_alternative(&grammar, &a))
    if (a.words < a.length && !a.kind)
      return false;
  return true;
}

/* ---- what is wrong ---- */

/* "all and profile:FILE are": the alternatives. */
static const char *list_alternatives(SrArena *arena, const char *name, const char *grammar) {
  SrText text = {.arena = arena};
  Alternative a;
  uint32_t count = 0;
  bool first = false;
  for (const char *at = grammar; next_alternative(&at, &a); count++) {
    sr_text_add(&text, "%s%.*s",
                !count            ? ""
                : strchr(at, '|') ? ", "
                                  : " and ",
                (int)a.length, a.text);
    first = a.is_pass;
  }
  sr_text_add(&text, "%s", count > 1 ? " are" : " is");
  if (first)
    sr_text_add(&text, ", as %s:%.*s", name, (int)a.length, a.text);
  return sr_text_end(&text);
}

static SrStatus refuse(SrDiag *diag, SrArena *arena, const char *name, const char *grammar,
                       const char *argument) {
  Alternative a;
  const char *at = grammar;
  (void)next_alternative(&at, &a);
  const Kind *kind = a.words ? NULL : a.kind;
  const char *are = kind ? kind->are : list_alternatives(arena, name, grammar);
  const char *example = kind ? kind->example : NULL;
  return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "transform %s: '%.40s' is %s; %s%s%s%s%s", name,
                 argument, kind ? kind->is_not : "not an argument of it", are,
                 example ? ", as " : "", example ? name : "", example ? ":" : "",
                 example ? example : "");
}

static SrStatus demand(SrDiag *diag, const char *name, const char *grammar) {
  Alternative a;
  (void)next_alternative(&grammar, &a);
  return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "transform %s needs %s, as %s:%s", name,
                 a.kind->what, name, a.kind->example);
}

SrStatus sr_argument_check(SrDiag *diag, SrArena *arena, const char *name, const char *grammar,
                           const char *argument) {
  Alternative a;
  if (!argument)
    return *grammar == '[' || !*grammar ? SR_OK : demand(diag, name, grammar);
  if (!*grammar)
    return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE, "transform %s takes no argument", name);
  return find(grammar, argument, &a) ? SR_OK : refuse(diag, arena, name, grammar, argument);
}
