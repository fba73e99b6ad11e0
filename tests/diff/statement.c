/* SPDX-License-Identifier: Apache-2.0 */
/* statement: see statement.h. Recursive, but nesting is bounded by DEEPEST. */
#include "tests/diff/statement.h"

#include "tests/diff/family.h"
#include "tests/diff/kernel.h"
#include "tests/diff/slope.h"

enum { DEEPEST = 5, CASES = 8 };

static const char *const assignments[] = {
    "@U = @u;",
    "@U += @u;",
    "@U ^= @u;",
    "@U = @u;",
    "@U -= @u;",
    "@I = @i;",
    "@I += @i;",
    "@F = exact(@f);",
    "@F = exact(@f);",
    "v.yzw = v.wxy + uvec3(@u, @u, @n);",
    "t = s;",
    "s = S(@u, @i, exact(@f), uint[4](@u, @u, @n, u3), uvec2(@u, @u));",
    "a[@c] = a[@c];",
    "s.d = t.d;",
    "v = v.wxzy ^ @u;",
    "rec[id].v = v;",
    "v = rec[id].v;",
    "s.e = v.zx;",
    "rec[id].arr = s.d;",
    "u3 = f0 < f1 ? @u : u3;",
};
/* Each element of `total` and `tally` is used with one operation only, so the order does not
 * matter. */
static const char *const atomics[] = {
    "atomicAdd(total[0], @u);",       "atomicXor(total[1], @u);",
    "atomicMax(total[2], @u);",       "atomicMin(total[3], @u);",
    "atomicOr(total[4], @u & 255u);", "atomicAnd(total[5], @u | 65535u);",
};
static const char *const shared_atomics[] = {
    "atomicAdd(tally[0], @u);", "atomicXor(tally[1], @u);", "atomicMax(tally[2], @u);",
    "atomicMin(tally[3], @u);", "own[lane] = @u;",          "own[lane] += @u;",
};

static void put_simple(Source *s) {
  if (s->fragment && rng_percent(&s->rng, 12))
    put_fragment_line(s);
  else if (s->kernel && rng_percent(&s->rng, 30))
    put_kernel_line(s);
  else if (rng_percent(&s->rng, 8))
    put_line(s, PICK(s, atomics));
  else if (s->shared_memory && rng_percent(&s->rng, 12))
    put_line(s, PICK(s, shared_atomics));
  else
    put_line(s, PICK(s, assignments));
}

void put_block(Source *s, const char *before) {
  uint32_t count = 1 + rng_geometric(&s->rng, 50, 3);
  fputs(" {\n", s->out);
  s->indent++;
  s->depth++;
  if (before)
    put_line(s, before);
  for (uint32_t i = 0; i < count; i++)
    put_statement(s);
  s->depth--;
  s->indent--;
  fprintf(s->out, "%*s}", (int)(2 * s->indent), "");
}

static void begin(Source *s, const char *text) {
  fprintf(s->out, "%*s", (int)(2 * s->indent), "");
  put(s, text);
}

static void put_if(Source *s) {
  begin(s, "if (@b)");
  put_block(s, NULL);
  if (rng_percent(&s->rng, 45)) {
    fputs(" else", s->out);
    put_block(s, NULL);
  }
  fputc('\n', s->out);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static const char burn[] = "fuel -= min(fuel, 1u);";

/* Writes the body, with the counter in scope and with `break` and `continue` allowed. */
static void put_body(Source *s, uint32_t counter) {
  bool may_break = s->may_break, may_continue = s->may_continue;
  uint32_t count = s->counter_count;
  s->may_break = s->may_continue = true;
  if (counter && count < COUNTERS)
    s->counters[s->counter_count++] = counter;
  put_block(s, burn);
  s->may_break = may_break;
  s->may_continue = may_continue;
  s->counter_count = count;
}

static void put_for(Source *s) {
  uint32_t k = ++s->names, turns = 1 + rng_below(&s->rng, 6);
  fprintf(s->out, "%*sfor (uint k%u = 0u; k%u < ", (int)(2 * s->indent), "", k, k);
  if (rng_percent(&s->rng, 40))
    put(s, "(@u & 7u)");
  else
    fprintf(s->out, "%uu", turns);
  fprintf(s->out, " && fuel != 0u; k%u++)", k);
  put_body(s, k);
  fputc('\n', s->out);
}

static void put_while(Source *s) {
  begin(s, "while (fuel != 0u && @b)");
  put_body(s, 0);
  fputc('\n', s->out);
}

/* The condition has its own random numbers, so that seeds still give the programs in
 * docs/driver-bugs.md. */
static void put_do(Source *s) {
  Rng condition = {rng_next(&s->rng)};
  s->names++;
  begin(s, "do");
  put_body(s, 0);
  fputs(" while (", s->out);
  Rng rest = s->rng;
  s->rng = condition;
  put(s, "fuel != 0u && @b");
  s->rng = rest;
  fputs(");\n", s->out);
}

/* ---- switches -------------------------------------------------------------------------------- */

static void put_case(Source *s, bool last) {
  bool may_break = s->may_break;
  uint32_t count = 1 + rng_geometric(&s->rng, 40, 2);
  s->may_break = true;
  s->indent++;
  s->depth++;
  for (uint32_t i = 0; i < count; i++)
    put_statement(s);
  if (!last && rng_percent(&s->rng, 60))
    put_line(s, "break;");
  s->depth--;
  s->indent--;
  s->may_break = may_break;
}

/* Up to eight labels in any order, some for the same case, cases that fall through, a default
 * anywhere or nowhere. */
static void put_switch(Source *s) {
  uint32_t labels[CASES], count = 2 + rng_below(&s->rng, CASES - 2);
  for (uint32_t i = 0; i < CASES; i++)
    labels[i] = i;
  for (uint32_t i = CASES - 1; i; i--) {
    uint32_t j = rng_below(&s->rng, i + 1), label = labels[i];
    labels[i] = labels[j];
    labels[j] = label;
  }
  uint32_t other = rng_below(&s->rng, count + 2);
  begin(s, "switch (int(@u & 7u)) {\n");
  for (uint32_t i = 0; i < count; i++) {
    if (i == other)
      put_line(s, "default:");
    fprintf(s->out, "%*scase %u:\n", (int)(2 * s->indent), "", labels[i]);
    if (i + 1 == count || rng_percent(&s->rng, 80))
      put_case(s, i + 1 == count);
  }
  put_line(s, "}");
}

/* ---- any statement --------------------------------------------------------------------------- */

static void put_leave(Source *s) {
  const char *ways[3];
  uint32_t count = 0;
  if (s->may_break)
    ways[count++] = "if (@b) break;";
  if (s->may_continue)
    ways[count++] = "if (@b) continue;";
  if (s->leave)
    ways[count++] = s->leave;
  if (count)
    put_line(s, pick(s, ways, count));
  else
    put_simple(s);
}

void put_statement(Source *s) {
  static void (*const nested[])(Source *) = {put_if,    put_if,     put_for, put_if,
                                             put_while, put_switch, put_do};
  if (s->budget)
    s->budget--;
  if (s->families && s->depth < DEEPEST && s->budget && rng_percent(&s->rng, 15))
    put_family(s);
  else if (s->kernel && s->depth < DEEPEST && s->budget && rng_percent(&s->rng, 15))
    put_kernel_flow(s);
  else if (s->depth < DEEPEST && s->budget && rng_percent(&s->rng, 40))
    nested[rng_below(&s->rng, sizeof nested / sizeof *nested)](s);
  else if (rng_percent(&s->rng, 20))
    put_leave(s);
  else
    put_simple(s);
}

void put_function_body(Source *s) {
  put_line(s, "S t = s;");
  s->leave = "if (@b) return @u;";
  for (uint32_t i = 2 + rng_below(&s->rng, 4); i; i--)
    put_statement(s);
  put_line(s, "return @u;");
}
