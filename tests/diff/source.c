/* SPDX-License-Identifier: Apache-2.0 */
/* source: see source.h. Recursive, but expressions are at most four levels deep. */
#include "tests/diff/source.h"

#include "tests/diff/kernel.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4 };

const char *pick(Source *s, const char *const *texts, uint32_t count) {
  const char *text;
  do
    text = texts[rng_below(&s->rng, count)];
  while ((s->fragment && strstr(text, "rec[")) || (s->kernel && !kernel_has(text)));
  return text;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static const char *const uint_leaves[] = {
    "u0",  "u1",  "u2", "u3", "a[@c]", "s.a",      "t.d[@d]",
    "v.x", "v.w", "id", "@n", "s.e.y", "uint(i0)",
};
static const char *const uints[] = {
    "(@u + @u)",
    "(@u - @u)",
    "(@u * @u)",
    "(@u & @u)",
    "(@u | @u)",
    "(@u ^ @u)",
    "(~@u)",
    "(@u << (@u & 31u))",
    "(@u >> (@u & 31u))",
    "(@u / (@u | 1u))",
    "(@u % (@u | 1u))",
    "min(@u, @u)",
    "max(@u, @u)",
    "clamp(@u, 3u, 900u)",
    "(@b ? @u : @u)",
    "uint(@i)",
    "uint(abs(floor(@f)))",
    "uint(bitCount(@u))",
    "uint(findMSB(@u))",
    "uint(findLSB(@u))",
    "bitfieldReverse(@u)",
    "bitfieldExtract(@u, 5, 9)",
    "bitfieldInsert(@u, @u, 4, 11)",
    "a[@u & 7u]",
    "s.d[@u & 3u]",
    "v[@u & 3u]",
    "data[@u & 63u]",
    "rec[id].arr[@u & 3u]",
    "rec[id].v.z",
    "rec[id].word",
    "(v * uvec4(@u, @n, @u, 7u)).y",
    "v.wzyx[@u & 3u]",
    "uint(@b)",
    "floatBitsToUint(float(@u & 1023u))",
    "(u1++ + @u)",
};
static const char *const int_leaves[] = {"i0", "i1", "i2", "s.b", "-@m", "@m", "int(u2)"};
static const char *const ints[] = {
    "(@i + @i)",
    "(@i - @i)",
    "(@i * @i)",
    "(@i ^ @i)",
    "(@i & @i)",
    "(-(@i))",
    "(~@i)",
    "(@i << (@u & 31u))",
    "(@i >> (@u & 31u))",
    "(@i / @m)",
    "((@i & 65535) % @m)",
    "min(@i, @i)",
    "max(@i, @i)",
    "clamp(@i, -70, 1000)",
    "sign(@i)",
    "(@b ? @i : @i)",
    "int(@u)",
    "int(@f)",
    "bitfieldExtract(@i, 3, 12)",
    "findMSB(@i)",
    "(i0-- - @i)",
    "rec[id].count",
};
static const char *const float_leaves[] = {"@g", "f0", "f1", "s.c"};
static const char *const floats[] = {
    "(@f + @f)",
    "(@f - @f)",
    "(@g * @g)",
    "(-(@f))",
    "abs(@f)",
    "min(@f, @f)",
    "max(@f, @f)",
    "floor(@f)",
    "ceil(@f)",
    "trunc(@f)",
    "sign(@f)",
    "step(@f, @f)",
    "(@b ? @f : @f)",
    "mix(@f, @f, @b)",
    "float(@i & 255)",
    "float(@u & 511u)",
    "dot(vec2(@g, @g), vec2(@g, f2))",
    "clamp(@f, -100.0, 100.0)",
    "fma(@g, @g, @g)",
};
static const char *const bools[] = {
    "(@u < @u)",         "(@u == @u)", "(@u >= @u)", "((@u & @q) != 0u)",
    "((@u & @q) == 0u)", "(@i < @i)",  "(@i != @i)", "(@i > @i)",
    "(@f < @f)",         "(@f >= @f)", "(@f == @f)", "(@b && @b)",
    "(@b || @b)",        "!@b",        "(@b ^^ @b)", "any(lessThan(v, uvec4(@u, @n, @n, @u)))",
    "((id & @q) == 0u)",
};

/* Loop counters are read like any other number; one in twelve is a call. */
static void put_uint(Source *s) {
  if (s->counter_count && rng_percent(&s->rng, 12))
    fprintf(s->out, "k%u", s->counters[rng_below(&s->rng, s->counter_count)]);
  else if (s->level >= DEEPEST || rng_percent(&s->rng, 30))
    put(s, PICK(s, uint_leaves));
  else if (s->kernel && rng_percent(&s->rng, 15))
    put_kernel_uint(s);
  else if (s->functions && s->budget && rng_percent(&s->rng, 8)) {
    fprintf(s->out, "call%u(", rng_below(&s->rng, s->functions));
    put(s, "@u, @i, s)");
  } else if (s->shared_memory && rng_percent(&s->rng, 4))
    put(s, "own[lane]");
  else
    put(s, PICK(s, uints));
}

static void put_int(Source *s) {
  bool leaf = s->level >= DEEPEST || rng_percent(&s->rng, 35);
  if (s->kernel && !leaf)
    put_kernel_int(s);
  else
    put(s, leaf ? PICK(s, int_leaves) : PICK(s, ints));
}

/* At most three levels, which are eight factors. */
static void put_float(Source *s) {
  bool leaf = s->level + 1 >= DEEPEST || rng_percent(&s->rng, 30);
  put(s, leaf ? PICK(s, float_leaves) : PICK(s, floats));
}

/* Numbers that are the same for the whole quad; at the level of quads loop counters are, too. */
static const char *const quad_uints[] = {
    "quad", "kind", "mode", "w0", "@n", "(@w + @n)", "(@w ^ @w)", "(@w * 3u + @w)", "(@w >> @d)",
};
static void put_quad_uint(Source *s) {
  if (s->counter_count && rng_percent(&s->rng, 20))
    fprintf(s->out, "k%u", s->counters[rng_below(&s->rng, s->counter_count)]);
  else if (s->level >= DEEPEST)
    put(s, "quad");
  else
    put(s, PICK(s, quad_uints));
}

static void put_bool(Source *s) {
  if (s->level >= DEEPEST)
    put(s, "(@u < @u)");
  else
    put(s, PICK(s, bools));
}

/* ---- places and numbers ---------------------------------------------------------------------- */

static const char *const uint_places[] = {
    "u0",
    "u1",
    "u2",
    "u3",
    "u0",
    "u1",
    "a[@c]",
    "a[@u & 7u]",
    "s.a",
    "s.d[@u & 3u]",
    "t.a",
    "v.y",
    "v.z",
    "v[@u & 3u]",
    "s.e.x",
    "rec[id].word",
    "rec[id].arr[@u & 3u]",
    "rec[id].v.x",
};
static const char *const int_places[] = {"i0", "i1", "i2", "s.b", "t.b", "rec[id].count"};
static const char *const float_places[] = {"f0", "f1", "f2", "s.c", "t.c"};

static void put_number(Source *s) {
  if (rng_percent(&s->rng, 70))
    fprintf(s->out, "%uu", rng_below(&s->rng, 12));
  else
    fprintf(s->out, "%uu", (uint32_t)rng_next(&s->rng));
}

static void put_factor(Source *s) {
  if (rng_percent(&s->rng, 70))
    fprintf(s->out, "f%u", rng_below(&s->rng, 3));
  else
    fprintf(s->out, "%s%u.%u", rng_percent(&s->rng, 30) ? "-" : "", rng_below(&s->rng, 20),
            5 * rng_below(&s->rng, 2));
}

/* ---- templates ------------------------------------------------------------------------------- */

/* An argument of a function, or an index, starts at the level of its place. */
static void put_hole(Source *s, char hole) {
  s->level++;
  switch (hole) {
  case 'u':
    put_uint(s);
    break;
  case 'i':
    put_int(s);
    break;
  case 'f':
    put_float(s);
    break;
  case 'b':
    put_bool(s);
    break;
  case 'g':
    put_factor(s);
    break;
  case 'U':
    put(s, PICK(s, uint_places));
    break;
  case 'I':
    put(s, PICK(s, int_places));
    break;
  case 'F':
    put(s, PICK(s, float_places));
    break;
  case 'n':
    put_number(s);
    break;
  case 'm':
    fprintf(s->out, "%u", 1 + rng_below(&s->rng, 40));
    break;
  case 'c':
    fprintf(s->out, "%uu", rng_below(&s->rng, 8));
    break;
  case 'd':
    fprintf(s->out, "%uu", rng_below(&s->rng, 4));
    break;
  case 'w':
    put_quad_uint(s);
    break;
  case 'q':
    fprintf(s->out, "%uu", 1 + rng_below(&s->rng, 3));
    break;
  default:
    fputc(hole, s->out);
    break;
  }
  s->level--;
}

void put(Source *s, const char *text) {
  for (; *text; text++)
    if (*text == '@')
      put_hole(s, *++text);
    else
      fputc(*text, s->out);
}

void put_line(Source *s, const char *text) {
  fprintf(s->out, "%*s", (int)(2 * s->indent), "");
  put(s, text);
  fputc('\n', s->out);
}

void put_data(Source *s, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    fprintf(s->out, "%s%u", i % 12 ? " " : "\n ",
            rng_percent(&s->rng, 70) ? rng_below(&s->rng, 16) : (uint32_t)rng_next(&s->rng));
  fputs("\nEND\n", s->out);
}

/* ---- generators ------------------------------------------------------------------------------ */

static void fail(const char *path) {
  perror(path);
  exit(1);
}

FILE *source_open(const char *path) {
  FILE *out = fopen(path, "w");
  if (!out)
    fail(path);
  return out;
}

void source_close(Source *s, const char *path) {
  if (fclose(s->out) != 0)
    fail(path);
}

int source_main(int argc, char **argv, void (*write_case)(const char *folder, uint64_t seed)) {
  if (argc != 4) {
    const char *slash = strrchr(argv[0], '/');
    fprintf(stderr, "usage: %s COUNT SEED FOLDER\n", slash ? slash + 1 : argv[0]);
    return 2;
  }
  uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
  for (uint64_t k = 0; k < count; k++)
    write_case(argv[3], seed + k);
  return 0;
}
