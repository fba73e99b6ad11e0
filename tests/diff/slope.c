/* SPDX-License-Identifier: Apache-2.0 */
/* slope: see slope.h. */
#include "tests/diff/slope.h"

#include "tests/diff/statement.h"
#include "tests/diff/uniform.h"

enum { DEEPEST = 3 };

static const char *const derivatives[] = {
    "f0 = dFdxFine(exact(@f));",
    "f1 = exact(dFdyFine(exact(@f)) * 2.0);",
    "f2 = exact(fwidthFine(exact(@f)));",
    "u2 ^= uint(int(dFdxFine(exact(@f)) * 2.0));",
    "i1 += int(dFdyFine(float(@u & 1023u)));",
    "v.yz = uvec2(ivec2(dFdxFine(vec2(exact(@f), float(@u & 255u))) * 2.0));",
    "s.c = exact(length(vec2(dFdyFine(float(@u & 63u)), 0.0)));",
    "f0 = dFdx(linear(@w, @w, @w));",
    "f1 = dFdyCoarse(linear(@w, @w, @w));",
    "u1 += uint(fwidth(linear(@w, @w, @w)));",
    "i2 ^= int(dFdxCoarse(linear(@w, @w, @w)) + fwidthCoarse(linear(@w, @w, @w)));",
    "u0 ^= uint(floor(dFdx(where.x) * 4.0 + 0.5)) + uint(floor(dFdyFine(where.y) * 8.0 + 0.5));",
    "u3 += texel(@w, @w, @w);",
    "@U = texel(@w, @w, @w) ^ @u;",
    "if (dFdxFine(exact(@f)) > dFdyFine(exact(@f))) u1 += @u;",
    "w0 = (w0 ^ @w) & 1023u;",
    "w0 = quad_sum(@u) & 1023u;",
};
static const char *const anywhere[] = {
    "@U = uint(textureLod(tex, (vec2(at) + 0.5) / 8.0, 0.0).x * 255.0 + 0.5);",
    "@U ^= uint(texelFetch(tex, ivec2(@u & 7u, @u & 7u), 0).y * 255.0 + 0.5);",
    "out0.y = @u;",
    "out0 = uvec4(@u, u1, @u, v.x);",
    "out1.zw = uvec2(@u, @u);",
    "out2 = vec4(uvec4(@u, @u, u3, 255u) & 255u) / 255.0;",
    "@U += at.x * 3u + at.y;",
    "@U ^= uint(floor(where.x)) + 3u * uint(floor(where.y));",
    "@U += uint(gl_FragCoord.w * 4.0 + 0.5) + uint(gl_FrontFacing);",
    "if (kind > @u) @U = @u;",
};
static const char *const helpers[] = {
    "@U += uint(gl_HelperInvocation) * 5u;",
    "if (!gl_HelperInvocation) @U ^= @u;",
};
static const char *const demoted[] = {
    "@U += helperInvocationEXT() ? 3u : @u;",
    "if (@b) demote;",
    "if (helperInvocationEXT()) @U = @u;",
};

void put_fragment_line(Source *s) {
  if (rng_percent(&s->rng, 35))
    put_line(s, s->demotes ? PICK(s, demoted) : PICK(s, helpers));
  else if (s->waste && rng_percent(&s->rng, 60))
    put_line(s, "waste = dFdx(@f) + fwidth(@f) + texture(tex, vec2(@f, @f)).x;");
  else
    put_line(s, PICK(s, anywhere));
}

/* ---- the level of quads ---------------------------------------------------------------------- */

/* One statement of a lane, which may diverge but comes back. */
static void put_lane(Source *s) {
  s->may_break = s->may_continue = false;
  s->leave = s->demotes && rng_percent(&s->rng, 50) ? "if (@b) demote;" : NULL;
  put_statement(s);
}

static void begin(Source *s, const char *text) {
  fprintf(s->out, "%*s", (int)(2 * s->indent), "");
  put(s, text);
}

static void put_inner(Source *s, uint32_t count, const char *leave) {
  s->indent++;
  s->depth++;
  put_slopes(s, count, leave);
  s->depth--;
  s->indent--;
}

static void put_if(Source *s, const char *leave) {
  begin(s, "if ((@w & @q) != 0u) {\n");
  put_inner(s, 1 + rng_below(&s->rng, 3), leave);
  if (rng_percent(&s->rng, 50)) {
    put_line(s, "} else {");
    put_inner(s, 1 + rng_below(&s->rng, 3), leave);
  }
  put_line(s, "}");
}

static void put_loop(Source *s, const char *leave) {
  uint32_t k = ++s->names, count = s->counter_count;
  fprintf(s->out, "%*sfor (uint k%u = 0u; k%u < ", (int)(2 * s->indent), "", k, k);
  put(s, "(@w & 3u)");
  fprintf(s->out, " + %uu; k%u++) {\n", rng_below(&s->rng, 2), k);
  if (count < COUNTERS)
    s->counters[s->counter_count++] = k;
  s->indent++;
  if (rng_percent(&s->rng, 50))
    put_line(s, rng_percent(&s->rng, 50) ? "if ((@w & 7u) == @c) break;"
                                         : "if ((@w & 7u) == @c) continue;");
  s->indent--;
  put_inner(s, 1 + rng_below(&s->rng, 3), leave);
  s->counter_count = count;
  put_line(s, "}");
}

static void put_switch(Source *s, const char *leave) {
  uint32_t count = 2 + rng_below(&s->rng, 3);
  put_line(s, "switch (int(@w & 3u)) {");
  for (uint32_t i = 0; i < count; i++) {
    if (i == 2)
      put_line(s, "default:");
    else
      fprintf(s->out, "%*scase %u:\n", (int)(2 * s->indent), "", i);
    put_inner(s, 1 + rng_below(&s->rng, 2), leave);
    if (i + 1 == count || rng_percent(&s->rng, 60))
      put_line(s, "  break;");
  }
  put_line(s, "}");
}

static void put_nested(Source *s, const char *leave) {
  static void (*const nested[])(Source *, const char *) = {put_if, put_loop, put_if, put_switch};
  nested[rng_below(&s->rng, 4)](s, leave);
}

static void put_call(Source *s) {
  fprintf(s->out, "%*su%u ^= slope%u(", (int)(2 * s->indent), "", rng_below(&s->rng, 4),
          rng_below(&s->rng, s->slopes));
  put(s, "@u, @i, s);\n");
}

static void put_derivative(Source *s) {
  if (s->slopes && rng_percent(&s->rng, 15))
    put_call(s);
  else if (s->quads && rng_percent(&s->rng, 25))
    put_quad_operation(s);
  else
    put_line(s, PICK(s, derivatives));
}

void put_slopes(Source *s, uint32_t count, const char *leave) {
  for (uint32_t i = 0; i < count; i++)
    if (s->depth < DEEPEST && s->budget && rng_percent(&s->rng, 25))
      put_nested(s, leave);
    else if (s->budget && rng_percent(&s->rng, 45))
      put_lane(s);
    else if (rng_percent(&s->rng, 6))
      put_line(s, leave);
    else if (s->demotes && rng_percent(&s->rng, 8))
      put_line(s, "if (@b) demote;");
    else if (s->waste && rng_percent(&s->rng, 15))
      put_line(s, "if (@b) waste = dFdx(@f) + dFdyFine(float(@u));");
    else
      put_derivative(s);
}
