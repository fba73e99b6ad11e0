/* SPDX-License-Identifier: Apache-2.0 */
/* uniform: see uniform.h. */
#include "tests/diff/uniform.h"
#include "tests/diff/statement.h"

enum { DEEPEST = 2 };

static void put_lines(Source *s, const char *const *lines) {
  for (; *lines; lines++)
    put_line(s, *lines);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Values read between two barriers go through x and y, because an expression might call a function
 * that writes. */
static const char *const shift[] = {
    "barrier();",
    "x = own[(lane + @n) & 63u];",
    "y = own[(lane * 5u) & 63u];",
    "barrier();",
    "@U = x ^ @u + y;",
    NULL,
};
static const char *const reverse[] = {
    "own[lane] = @u;", "barrier();", "u2 += own[63u - lane];", "barrier();", NULL,
};
static const char *const sum[] = {
    "barrier();",      "for (uint w = 32u; w != 0u; w >>= 1) {",
    "  if (lane < w)", "    own[lane] += own[lane + w];",
    "  barrier();",    "}",
    "x = own[@c];",    "barrier();",
    "@U = x;",         NULL,
};
static const char *const neighbour[] = {
    "x = uint(@b);",
    "y = @u;",
    "barrier();",
    "if (x != 0u)",
    "  u3 = own[(lane ^ @q) & 63u];",
    "else",
    "  i1 = int(own[y & 63u]);",
    "barrier();",
    NULL,
};
static const char *const counted[] = {
    "barrier();", "x = tally[@d] + 3u * tally[@d];", "barrier();", "@U = x;", NULL,
};
static const char *const *const exchanges[] = {shift, reverse, sum, neighbour, counted};

/* ---- subgroups ------------------------------------------------------------------------------- */

static const char *const quad[] = {
    "x = @u;",
    "x = subgroupQuadSwapHorizontal(x) + 3u * subgroupQuadBroadcast(x, @d);",
    "@U = x;",
    NULL,
};
static const char *const quad_other[] = {
    "x = @u;",
    "x = subgroupQuadSwapDiagonal(x) ^ subgroupQuadSwapVertical(x + @n);",
    "u0 += x;",
    NULL,
};
static const char *const shuffled[] = {
    "x = @u;",
    "x = subgroupShuffleXor(x, @q);",
    "x += subgroupShuffle(u1, (gl_SubgroupInvocationID & ~3u) | @d);",
    "@U = x;",
    NULL,
};
static const char *const relative[] = {
    "x = subgroupShuffleUp(u2, 1u);",
    "if ((lane & 3u) != 0u)",
    "  u2 = x + @u;",
    NULL,
};
static const char *const added[] = {
    "x = subgroupAdd(@u);",
    "if (subgroupElect())",
    "  atomicAdd(tally[0], x);",
    NULL,
};
static const char *const extremes[] = {
    "x = subgroupMax(@u);",
    "atomicMax(tally[2], x);",
    "x = subgroupMin(@u);",
    "atomicMin(tally[3], x);",
    NULL,
};
static const char *const parity[] = {
    "x = subgroupXor(@u);",
    "if (subgroupElect())",
    "  atomicXor(tally[1], x);",
    NULL,
};
static const char *const ballots[] = {
    "x = subgroupBallotBitCount(subgroupBallot(@b));",
    "if (subgroupElect())",
    "  atomicAdd(tally[0], x);",
    NULL,
};
static const char *const votes[] = {
    "if (subgroupAny(@b))",
    "  atomicOr(total[4], subgroupAll(mode < 2u) ? 256u : 512u);",
    "if (!subgroupAll(@b))",
    "  atomicOr(total[4], 1024u);",
    "x = subgroupBroadcastFirst(mode * 7u + @n);",
    "u3 ^= x;",
    NULL,
};
/* The prefix sums within the subgroup, then the sums of the subgroups before it. */
static const char *const scan[] = {
    "x = @u;",
    "barrier();",
    "{",
    "  uint before = subgroupExclusiveAdd(x), all = subgroupAdd(x);",
    "  if (subgroupElect())",
    "    own[gl_SubgroupID] = all;",
    "  barrier();",
    "  for (uint w = 0u; w < gl_SubgroupID; w++)",
    "    before += own[w];",
    "  u1 = before;",
    "}",
    "barrier();",
    "own[lane] = u1;",
    NULL,
};
static const char *const *const lanes[] = {quad,     quad_other, shuffled, relative, added,
                                           extremes, parity,     ballots,  votes,    scan};

void put_quad_operation(Source *s) {
  put_lines(s, rng_percent(&s->rng, 50) ? quad : quad_other);
}

/* ---- uniform control flow -------------------------------------------------------------------- */

static void put_alone(Source *s) {
  s->may_break = s->may_continue = false;
  s->leave = NULL;
  put_statement(s);
}

static void put_nested(Source *s, bool subgroups) {
  uint32_t count = s->counter_count;
  fprintf(s->out, "%*s", (int)(2 * s->indent), "");
  if (rng_percent(&s->rng, 50)) {
    fprintf(s->out, "if ((mode & %uu) != 0u) {\n", 1 + rng_below(&s->rng, 3));
  } else {
    uint32_t k = ++s->names;
    fprintf(s->out, "for (uint k%u = 0u; k%u < %uu; k%u++) {\n", k, k, 2 + rng_below(&s->rng, 2),
            k);
    s->counters[s->counter_count++] = k;
  }
  s->indent++;
  s->depth++;
  put_uniform(s, 1 + rng_below(&s->rng, 4), subgroups);
  s->depth--;
  s->indent--;
  s->counter_count = count;
  put_line(s, "}");
}

void put_uniform(Source *s, uint32_t count, bool subgroups) {
  for (uint32_t i = 0; i < count; i++)
    if (s->depth < DEEPEST && rng_percent(&s->rng, 15))
      put_nested(s, subgroups);
    else if (rng_percent(&s->rng, 55))
      put_alone(s);
    else if (subgroups && rng_percent(&s->rng, 60))
      put_lines(s, lanes[rng_below(&s->rng, sizeof lanes / sizeof *lanes)]);
    else
      put_lines(s, exchanges[rng_below(&s->rng, sizeof exchanges / sizeof *exchanges)]);
}
