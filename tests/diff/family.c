/* SPDX-License-Identifier: Apache-2.0 */
/* family: see family.h. Every loop uses fuel, as in statement.c. GLSL switches on 32 bits only, so
 * a narrow number is widened first. */
#include "tests/diff/family.h"

#include "tests/diff/statement.h"

enum { MOST_CASES = 6 };

static const char burn[] = "fuel -= min(fuel, 1u);";

/* The type in which the loop carries a selector. */
static const char *carried_type(Source *s) {
  static const char *const narrow[] = {"int8_t", "int16_t", "int64_t", "uint8_t", "uint16_t"};
  static const char *const plain[] = {"int", "int", "uint"};
  return s->narrow && rng_percent(&s->rng, 70) ? PICK(s, narrow) : PICK(s, plain);
}

static void begin(Source *s) {
  fprintf(s->out, "%*s", (int)(2 * s->indent), "");
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Consecutive numbers from -4 or 0 on, in any order. */
static uint32_t random_labels(Source *s, int *label) {
  uint32_t count = 3 + rng_below(&s->rng, MOST_CASES - 2);
  int first = rng_percent(&s->rng, 60) ? -4 : (int)rng_below(&s->rng, 3);
  for (uint32_t i = 0; i < count; i++)
    label[i] = first + (int)i;
  for (uint32_t i = count - 1; i; i--) {
    uint32_t j = rng_below(&s->rng, i + 1);
    int t = label[i];
    label[i] = label[j];
    label[j] = t;
  }
  return count;
}

static void put_next(Source *s, uint32_t name, const char *type, const int *label, uint32_t count) {
  begin(s);
  fprintf(s->out, "k%u = %s(", name, type);
  if (rng_percent(&s->rng, 75))
    fprintf(s->out, "%d);\n", label[rng_below(&s->rng, count)]);
  else {
    put(s, "@i");
    fputs(");\n", s->out);
  }
}

/* ---- arms ------------------------------------------------------------------------------------ */

/* The end of an arm: continue the loop, break from the switch, fall through, or any of them. */
static void put_end(Source *s, bool last) {
  uint32_t way = rng_below(&s->rng, 10);
  if (way < 2)
    put_line(s, "if (@b) continue;");
  else if (way < 3 && s->leave)
    put_line(s, s->leave);
  if (last || way % 3)
    put_line(s, way == 4 ? "continue;" : "break;");
}

static void put_arm(Source *s, uint32_t name, const char *type, const int *label, uint32_t count,
                    bool last) {
  bool may_break = s->may_break;
  s->may_break = true;
  s->indent++;
  s->depth++;
  if (rng_percent(&s->rng, 60))
    put_next(s, name, type, label, count);
  for (uint32_t i = rng_geometric(&s->rng, 50, 2); i; i--)
    put_statement(s);
  put_end(s, last);
  s->depth--;
  s->indent--;
  s->may_break = may_break;
}

static void put_arms(Source *s, uint32_t name, const char *type) {
  int label[MOST_CASES + 1];
  uint32_t count = random_labels(s, label), other = rng_below(&s->rng, count + 1);
  begin(s);
  fprintf(s->out, "switch (int(k%u)) {\n", name);
  for (uint32_t i = 0; i < count; i++) {
    if (i == other)
      put_line(s, "default:");
    begin(s);
    fprintf(s->out, "case %d:\n", label[i]);
    if (i + 1 == count || rng_percent(&s->rng, 75))
      put_arm(s, name, type, label, count, i + 1 == count);
  }
  put_line(s, "}");
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* for (T k = ...; fuel; ) { switch (k) { ... } exits, the next selector } */
static void put_machine(Source *s) {
  static const char *const ways[] = {"if (@b) break;", "if (@b) continue;", "@U += @u;"};
  uint32_t name = ++s->names;
  const char *type = carried_type(s);
  bool may_break = s->may_break, may_continue = s->may_continue;
  begin(s);
  fprintf(s->out, "for (%s k%u = %s(", type, name, type);
  put(s, "@u & 3u); fuel != 0u; ");
  fprintf(s->out, "k%u += %s(%u)) {\n", name, type, rng_below(&s->rng, 3));
  s->may_break = s->may_continue = true;
  s->indent++;
  s->depth++;
  put_line(s, burn);
  if (rng_percent(&s->rng, 40))
    put_line(s, PICK(s, ways));
  put_arms(s, name, type);
  put_line(s, PICK(s, ways));
  begin(s);
  fprintf(s->out, "u%u ^= uint(int(k%u));\n", rng_below(&s->rng, 4), name);
  s->depth--;
  s->indent--;
  s->may_break = may_break;
  s->may_continue = may_continue;
  put_line(s, "}");
}

/* Consecutive loops in a loop: each exits to the next one's header, the last one to the outer
 * header. */
static void put_chain(Source *s) {
  bool may_break = s->may_break, may_continue = s->may_continue;
  put_line(s, "while (fuel != 0u) {");
  s->indent++;
  s->depth++;
  for (uint32_t i = 1 + rng_below(&s->rng, 3); i; i--) {
    put_line(s, "for (; fuel != 0u && @b;) {");
    s->indent++;
    s->may_break = s->may_continue = true;
    put_line(s, burn);
    put_statement(s);
    s->indent--;
    put_line(s, "}");
  }
  put_line(s, burn);
  put_line(s, "if (@b) break;");
  s->depth--;
  s->indent--;
  s->may_break = may_break;
  s->may_continue = may_continue;
  put_line(s, "}");
}

void put_family(Source *s) {
  if (rng_percent(&s->rng, 75))
    put_machine(s);
  else
    put_chain(s);
}
