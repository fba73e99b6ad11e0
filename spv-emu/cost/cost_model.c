/* SPDX-License-Identifier: Apache-2.0 */
/* cost_model: finds cost models by name, sets single numbers of a model, and reads models as text.
 * (The command line reads the file.)
 *
 *   # a model as text
 *   base kepler        the model to start from; must be the first line
 *   name my-gpu
 *   entries 8          any number that cost.def names
 *   memory 4
 *
 * Each key may appear only once. */
#include <spv-emu/spv_emu.h>

#include "passes/base/compiler.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LATENCY = 400, MAX_CLASS_COST = 1000, MAX_KEYS = 64, TEXT = 64 };

typedef struct Model {
  spv_emu_cost cost;
  const char *purpose;
} Model;

static const char *const class_names[] = {
#define EMU_COST_CLASS(name, purpose) #name,
#include "spv-emu/cost/cost.def"
};
_Static_assert(sizeof class_names / sizeof *class_names == SPV_EMU_COST_CLASSES,
               "spv_emu.h says how many classes there are");

static const Model models[] = {
#define EMU_COST_MODEL(name_, divergent_, entries_, chunk_, spill_, reload_, purpose_)             \
  {.cost = {.name = #name_,                                                                        \
            .divergent = divergent_,                                                               \
            .entries = entries_,                                                                   \
            .chunk = chunk_,                                                                       \
            .spill = spill_,                                                                       \
            .reload = reload_},                                                                    \
   .purpose = purpose_},
#include "spv-emu/cost/cost.def"
};
enum { MODELS = sizeof models / sizeof *models };

const char *spv_emu_cost_model(uint32_t index, const char **purpose) {
  if (index >= MODELS)
    return NULL;
  *purpose = models[index].purpose;
  return models[index].cost.name;
}

bool spv_emu_cost_find(const char *name, spv_emu_cost *cost) {
  for (uint32_t i = 0; i < MODELS; i++) {
    if (strcmp(models[i].cost.name, name) != 0)
      continue;
    *cost = models[i].cost;
    for (uint32_t c = 0; c < SPV_EMU_COST_CLASSES; c++)
      cost->classes[c] = 1;
    cost->latency = DEFAULT_LATENCY;
    cost->miss = 1;
    return true;
  }
  return false;
}

/* ---- one number ------------------------------------------------------------------------------ */

typedef struct Reader {
  spv_emu_cost *cost;
  char *message;
  size_t size;
} Reader;

SR_PRINTF(2, 3) static bool wrong(const Reader *r, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(r->message, r->size, format, list);
  va_end(list);
  return false;
}

/* Reads a decimal number and nothing else; false: there is none, or it has more than 64 bits. */
static bool read_whole(const char *text, uint64_t *value) {
  *value = 0;
  for (const char *p = text; *p; p++) {
    uint64_t digit = (uint64_t)(*p - '0');
    if (!isdigit((unsigned char)*p) || __builtin_mul_overflow(*value, (uint64_t)10, value) ||
        __builtin_add_overflow(*value, digit, value))
      return false;
  }
  return *text != 0;
}

static bool read_number(const Reader *r, const char *key, const char *text, uint32_t least,
                        uint32_t most, uint32_t *to) {
  uint64_t value;
  if (!read_whole(text, &value) || value < least || value > most)
    return wrong(r, "%s expects a number from %u to %u, not '%.40s'", key, least, most, text);
  *to = (uint32_t)value;
  return true;
}

/* Accepts only digits and a point, because strtod depends on the locale and accepts other
 * notations. */
static bool read_miss(const Reader *r, const char *text) {
  uint64_t digits = 0, scale = 1;
  bool good = *text != 0, point = false;
  for (const char *p = text; *p && good; p++) {
    if (*p == '.' && !point) {
      point = true;
      continue;
    }
    good = isdigit((unsigned char)*p) && scale < 1000000000;
    digits = digits * 10 + (uint64_t)(*p - '0');
    scale *= point ? 10 : 1;
    good = good && digits <= scale * 10;
  }
  if (!good || digits > scale)
    return wrong(r, "miss expects a probability from 0 to 1, not '%.40s'", text);
  r->cost->miss = (double)digits / (double)scale;
  return true;
}

/* Any number of the latency model selects that model. */
static bool set_latency_model(const Reader *r, const char *key) {
  spv_emu_cost *c = r->cost;
  if (!c->subgroups)
    c->subgroups = 1;
  if (c->cache && c->miss != 1)
    return wrong(r, "%s: either a cache or a probability decides misses, not both", key);
  return true;
}

/* Sets the number with that key. False with an empty message: there is no such key. */
static bool set_number(const Reader *r, const char *key, const char *value) {
  spv_emu_cost *c = r->cost;
#define EMU_COST_NUMBER(name_, least, most, purpose)                                               \
  if (strcmp(key, #name_) == 0)                                                                    \
    return read_number(r, key, value, least, most, &c->name_);
#include "spv-emu/cost/cost.def"
  for (uint32_t i = 0; i < SPV_EMU_COST_CLASSES; i++)
    if (strcmp(key, class_names[i]) == 0)
      return read_number(r, key, value, 0, MAX_CLASS_COST, &c->classes[i]);
  if (strcmp(key, "miss") == 0)
    return read_miss(r, value);
  if (strcmp(key, "seed") == 0)
    return read_whole(value, &c->seed) || wrong(r, "seed expects a number, not '%.40s'", value);
  return false;
}

static bool is_latency_key(const char *key) {
  static const char *const keys[] = {"subgroups", "subwarps", "latency", "hit",
                                     "cache",     "miss",     "seed"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i]) == 0)
      return true;
  return false;
}

bool spv_emu_cost_set(spv_emu_cost *cost, const char *key, const char *value, char *message,
                      size_t message_size) {
  const Reader r = {cost, message, message_size};
  *message = 0;
  if (!set_number(&r, key, value))
    return *message ? false
                    : wrong(&r, "a cost model has no '%.40s'; docs/cost.md lists its keys", key);
  return !is_latency_key(key) || set_latency_model(&r, key);
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct Text {
  Reader reader;
  uint32_t line;
  char keys[MAX_KEYS][TEXT]; /* keys seen so far */
  uint32_t count;
} Text;

/* Puts the line's number before the message. */
static bool fail_line(const Text *t) {
  char said[256];
  snprintf(said, sizeof said, "%s", t->reader.message);
  return wrong(&t->reader, "line %u: %s", t->line, said);
}

static bool is_new(Text *t, const char *key) {
  for (uint32_t i = 0; i < t->count; i++)
    if (strcmp(t->keys[i], key) == 0)
      return wrong(&t->reader, "%.40s is set twice", key);
  if (t->count < MAX_KEYS)
    snprintf(t->keys[t->count++], TEXT, "%s", key);
  return true;
}

static bool set_base(const Text *t, const char *name) {
  char own[SPV_EMU_COST_NAME];
  memcpy(own, t->reader.cost->name, sizeof own);
  if (t->count > 1)
    return wrong(&t->reader, "base must come first");
  if (!spv_emu_cost_find(name, t->reader.cost))
    return wrong(&t->reader, "there is no cost model '%.40s'", name);
  memcpy(t->reader.cost->name, own, sizeof own);
  return true;
}

static bool set_key(Text *t, const char *key, const char *value) {
  spv_emu_cost *cost = t->reader.cost;
  if (!is_new(t, key))
    return false;
  if (strcmp(key, "base") == 0)
    return set_base(t, value);
  if (strcmp(key, "name") == 0) {
    snprintf(cost->name, sizeof cost->name, "%s", value);
    return true;
  }
  return spv_emu_cost_set(cost, key, value, t->reader.message, t->reader.size);
}

/* Reads the next word of a line from *p, and moves *p after it; the word is empty at the end or at
 * a comment. False: it is too long, or not text. */
static bool next_word(const Text *t, const char **p, const char *end, char word[TEXT]) {
  static const char breaks[] = {' ', '\t', '\r', '#'};
  size_t length = 0;
  while (*p < end && (**p == ' ' || **p == '\t' || **p == '\r'))
    ++*p;
  for (; *p < end && !memchr(breaks, **p, sizeof breaks) && length < TEXT; ++*p) {
    if (!isgraph((unsigned char)**p))
      return wrong(&t->reader, "a character that is not text");
    word[length++] = **p;
  }
  if (length == TEXT)
    return wrong(&t->reader, "a word of more than %d characters", TEXT - 1);
  word[length] = 0;
  return true;
}

static bool read_line(Text *t, const char *p, const char *end) {
  char key[TEXT] = "", value[TEXT] = "", more[TEXT] = "";
  if (!next_word(t, &p, end, key) || !next_word(t, &p, end, value) || !next_word(t, &p, end, more))
    return false;
  if (!*key)
    return true;
  if (!*value || *more)
    return wrong(&t->reader, "expected KEY VALUE");
  return set_key(t, key, value);
}

bool spv_emu_cost_parse(const char *text, size_t size, spv_emu_cost *cost, char *message,
                        size_t message_size) {
  Text t = {.reader = {cost, message, message_size}};
  for (const char *p = text, *last = text + size; p < last;) {
    const char *end = memchr(p, '\n', (size_t)(last - p));
    if (!end)
      end = last;
    t.line++;
    if (!read_line(&t, p, end))
      return fail_line(&t);
    p = end + 1;
  }
  return true;
}
