/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: see kernel.h. Recursive through put_statement, which bounds the depth. */
#include "tests/diff/kernel.h"

#include "tests/diff/statement.h"

#include <string.h>

const char kernel_macros[] =
    "typedef struct S { uint a; int b; float c; uint d[4]; uint2 e; } S;\n"
    "typedef struct Rec { uint word; int count; uint4 v; uint arr[4]; } Rec;\n"
    "#define OVERLOADED __attribute__((overloadable))\n"
    "int OVERLOADED findMSB(uint x) { return 31 - (int)clz(x); }\n"
    "int OVERLOADED findMSB(int x) { return 31 - (int)clz((uint)(x < 0 ? ~x : x)); }\n"
    "int findLSB(uint x) { return x == 0u ? -1 : (int)popcount((x & (0u - x)) - 1u); }\n"
    "uint bitfieldReverse(uint x) {\n"
    "  uint y = 0u;\n"
    "  for (uint k = 0u; k < 32u; k++)\n"
    "    y |= (x >> k & 1u) << (31u - k);\n"
    "  return y;\n"
    "}\n"
    "uint OVERLOADED bitfieldExtract(uint x, int at, int n) { return x << (32 - at - n) >> (32 - "
    "n); }\n"
    "int OVERLOADED bitfieldExtract(int x, int at, int n) {\n"
    "  return as_int(as_uint(x) << (32 - at - n)) >> (32 - n);\n"
    "}\n"
    "uint bitfieldInsert(uint x, uint y, int at, int n) {\n"
    "  uint mask = ((1u << n) - 1u) << at;\n"
    "  return (x & ~mask) | (y << at & mask);\n"
    "}\n"
    "float OVERLOADED sign_of(float x) { return sign(x); }\n"
    "int OVERLOADED sign_of(int x) { return (x > 0) - (x < 0); }\n"
    "#define sign(x) sign_of(x)\n"
    "void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "#define uint(x) ((uint)(x))\n"
    "#define int(x) ((int)(x))\n"
    "#define float(x) ((float)(x))\n"
    "#define vec2(x, y) ((float2)(x, y))\n"
    "#define uvec2(x, y) ((uint2)(x, y))\n"
    "#define uvec3(x, y, z) ((uint3)(x, y, z))\n"
    "#define uvec4(x, y, z, w) ((uint4)(x, y, z, w))\n"
    "#define lessThan(x, y) ((x) < (y))\n"
    "#define bitCount(x) popcount(x)\n"
    "#define floatBitsToUint(x) as_uint(x)\n"
    "#define abs(x) fabs(x)\n"
    "#define mix(x, y, z) ((z) ? (y) : (x))\n"
    "#define exact(x) clamp(floor((x) * 2.0f) * 0.5f, -512.0f, 512.0f)\n"
    "#define barrier() wait()\n"
    "#define atomicAdd(x, y) atomic_add(&(x), y)\n"
    "#define atomicXor(x, y) atomic_xor(&(x), y)\n"
    "#define atomicMax(x, y) atomic_max(&(x), y)\n"
    "#define atomicMin(x, y) atomic_min(&(x), y)\n"
    "#define atomicOr(x, y) atomic_or(&(x), y)\n"
    "#define atomicAnd(x, y) atomic_and(&(x), y)\n"
    "#define fuel (*fuel_)\n";

/* Operators that C lacks; operands that are changed and read in one expression; signed numbers that
 * overflow; values of arrays and structs. */
bool kernel_has(const char *text) {
  static const char *const lacks[] = {"^^",      ".wzyx[", "++",    "--",
                                      "uint[4]", "s.d = ", "= s.d", "@I +="};
  for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
    if (strstr(text, lacks[i]))
      return false;
  return true;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static const char *const uints[] = {
    "mul_hi(@u, @u)",
    "mad_hi(@u, @u, @u)",
    "rotate(@u, @u)",
    "add_sat(@u, @u)",
    "sub_sat(@u, @u)",
    "hadd(@u, @u)",
    "rhadd(@u, @u)",
    "abs_diff(@u, @u)",
    "clz(@u)",
    "bitselect(@u, @u, @u)",
    "mad24(@u & 4095u, @u & 4095u, @u)",
    "as_uint(@i)",
    "as_uint((float)(@u & 1023u) * 0.5f)",
    "a[7 - (int)(@u & 7u)]",
    "(a + 7)[-(int)(@u & 7u)]",
    "*(data + (@u & 63u))",
    "(data + 63)[-(int)(@u & 63u)]",
    "vload4(@u & 15u, data).y",
    "vload2(@u & 3u, a).x",
};
/* The operands of min, max and clamp are not all constant: SwiftShader folds those as unsigned
 * (docs/driver-bugs.md). */
static const char *const ints[] = {
    "as_int(as_uint(@i) + as_uint(@i))",
    "as_int(as_uint(@i) - as_uint(@i))",
    "as_int(as_uint(@i) * as_uint(@i))",
    "as_int(0u - as_uint(@i))",
    "as_int(as_uint(@i) << (@u & 31u))",
    "(@i ^ @i)",
    "(@i & @i)",
    "(~@i)",
    "(@i >> (@u & 31u))",
    "(@i / @m)",
    "(@i % @m)",
    "min(@i ^ rec[id].count, @i)",
    "max(@i ^ rec[id].count, @i)",
    "clamp(@i ^ rec[id].count, -70, 1000)",
    "sign(@i)",
    "(@b ? @i : @i)",
    "int(@u)",
    "int(@f)",
    "bitfieldExtract(@i, 3, 12)",
    "findMSB(@i)",
    "rec[id].count",
    "mul_hi(@i, @i)",
    "add_sat(@i, @i)",
    "sub_sat(@i, @i)",
    "hadd(@i, @i)",
    "as_int(abs_diff(@i, @i))",
    "convert_int4(v).w",
};

void put_kernel_uint(Source *s) {
  put(s, PICK(s, uints));
}

void put_kernel_int(Source *s) {
  put(s, PICK(s, ints));
}

/* ---- pointers -------------------------------------------------------------------------------- */

static const char *const lines[] = {
    "{ uint *p = a + (@u & 3u) + 2; p[-1] += @u; p[1] ^= p[-2]; @U = p[0] + p[2]; }",
    "{ uint *p = @b ? &a[@c] : a + (@u & 7u); *p = @u; @U = *p; }",
    "for (uint *p = a; p != a + 8; p++) *p = *p * 3u + @n;",
    "for (int k = 7; k > 0; k -= 2) { uint *p = a + k; u2 ^= p[-1]; }",
    "{ global const uint *g = data + 8 + (@u & 31u); @U = g[-(int)(@u & 7u)] ^ g[3]; }",
    "{ global const uint *g = @b ? data : data + 32; uint n = @u & 15u; @U = g[n] + g[n + 15u]; }",
    "for (global const uint *g = data + @c; g < data + 56; g += 9) u1 = (u1 ^ *g) * 5u;",
    "{ global uint *g = rec[id].arr + 3; g -= @u & 3u; *g += @u; @U = *g; }",
    "{ global int *g = (global int *)rec[id].arr + 1; g[-1] = @i; g[2] ^= g[1]; i1 = g[0]; }",
    "{ global Rec *r = rec + id + 1; r--; r->word ^= @u; r->v.y += @n; @U = r->arr[@u & 3u]; }",
    "{ global Rec *r = rec + id + 1; @U = r[-1].word + r[-1].v.w; }",
    "vstore2(uvec2(@u, @u), @d, a);",
    "vstore3(v.wxy, 0, a + (@u & 3u) + 1);",
    "v = vload4(@u & 1u, a);",
    "v = vload4(@u & 15u, data);",
    "v.xyz = vload3(@u & 15u, data);",
    "vstore4(v, 0, rec[id].arr);",
    "v = convert_uint4(convert_float4(v & 1023u) * 0.5f);",
    "v = select(v, v.wzyx, v << 31u);",
    "v = rotate(v, uvec4(@u, 1u, @n, 3u)) + mul_hi(v, v.yxwz);",
    "{ S *q = &s; q->d[@u & 3u] ^= @u; q->e.y = @u; @U = q->d[@d]; }",
    "{ uint *p = s.d + 3; p[-(int)(@u & 3u)] = @u; @U = p[-1]; }",
};
static const char *const narrow_lines[] = {
    "{ uchar *b = (uchar *)a; b[@u & 31u] ^= (uchar)@u; @U += b[@u & 31u]; }",
    "{ global uchar *b = (global uchar *)rec[id].arr; b[@u & 15u] = (uchar)@u; @U ^= b[@c]; }",
    "{ uchar4 c = vload4(@u & 7u, (uchar *)a); @U = c.y + c.w * 256u; }",
    "vstore4(convert_uchar4(v & 255u), @u & 7u, (uchar *)a);",
    "{ global uchar *b = (global uchar *)(rec[id].arr + 4); @U = b[-1] + b[-(int)(1u + (@u & "
    "15u))]; }",
    "{ ushort h = (ushort)@u; h = h * 5 + (h >> 3); @U = h; }",
    "{ short h = (short)@u; i0 = h >> 2; }",
    "{ char c = (char)@u; i2 = c * 3 - (c < 0); }",
    "{ ulong w = (ulong)@u << 32 | @u; w /= @u | 1u; @U = (uint)(w >> 7) ^ (uint)w; }",
    "{ long w = (long)@i * @i; i1 = (int)(w >> 9); }",
    "{ uchar c[8]; for (int k = 0; k < 8; k++) c[k] = (uchar)(a[k] >> k); @U = c[@c] + c[@u & 7u]; "
    "}",
};
static const char *const local_lines[] = {
    "{ local uint *l = own + lane; *l ^= @u; @U = *l; }",
    "{ local uint *l = own + 64; @U = l[(int)lane - 64]; }",
    "{ local uint *l = own + lane + 1; l--; l[0] = @u; @U += *l; }",
};

void put_kernel_line(Source *s) {
  if (s->narrow && rng_percent(&s->rng, 35))
    put_line(s, PICK(s, narrow_lines));
  else if (s->shared_memory && rng_percent(&s->rng, 15))
    put_line(s, PICK(s, local_lines));
  else
    put_line(s, PICK(s, lines));
}

/* ---- counters of 64 bits ---------------------------------------------------------------------- */

static const char *const starts[] = {"0", "120", "1000", "lane", "0x7ffffff0", "u0"};
static const char *const steps[] = {"1", "3", "4", "0x10000000", "0x40000000", "0x7fffffff"};
static const char *const ends[] = {"(uchar)@u", "(ushort)@u", "lane + 40", "0x7ffffffc", "@u"};
static const char *const tests[] = {"==", "!=", "<", "<=", ">", ">="};
static const char inside[] = "if (w < end) atomicAdd(total[0], k);"; /* it does not end the loop */
static const char *const uses[] = {
    inside,
    "u0 += (uint)(w / 3);",
    "u1 ^= (uint)(w >> (k + @c));",
    "if (w == end) u3 ^= 64u; else atomicXor(total[1], k);",
    "a[w & 7] += (uint)(w >> 32);",
    "u2 ^= (uint)(w % 5);",
};

/* A loop whose counter may leave 32 bits, with tests that end it and tests that do not. */
void put_kernel_counter(Source *s) {
  bool early = rng_percent(&s->rng, 50);
  char line[160];
  snprintf(line, sizeof line, "{ const %slong end = %s;", rng_percent(&s->rng, 30) ? "" : "u",
           PICK(s, ends));
  put_line(s, line);
  snprintf(line, sizeof line, "%slong w = %s;", rng_percent(&s->rng, 30) ? "" : "u",
           PICK(s, starts));
  put_line(s, line);
  put_line(s, "const uint times = 8u + (@u & 3u);"); /* not known, so that it is not unrolled */
  snprintf(line, sizeof line, "for (uint k = 0u; k < times; k++, w += %s) {", PICK(s, steps));
  put_line(s, line);
  s->indent++;
  snprintf(line, sizeof line, "if (w %s end) break;", PICK(s, tests));
  if (early)
    put_line(s, line);
  else if (rng_percent(&s->rng, 60))
    put_line(s, inside);
  for (uint32_t i = 1 + rng_below(&s->rng, 3); i; i--)
    put_line(s, PICK(s, uses));
  if (!early || rng_percent(&s->rng, 20))
    put_line(s, line);
  s->indent--;
  put_line(s, "} }");
}

/* ---- gotos ----------------------------------------------------------------------------------- */

/* A line with the label's number in place of %u. */
static void put_named(Source *s, const char *text, uint32_t name) {
  const char *hole = strstr(text, "%u");
  char line[200];
  snprintf(line, sizeof line, "%.*s%u%s", (int)(hole - text), text, name, hole + 2);
  put_line(s, line);
}

static void put_some(Source *s) {
  s->depth++;
  for (uint32_t i = 1 + rng_geometric(&s->rng, 40, 2); i; i--)
    put_statement(s);
  s->depth--;
}

static const char burn[] = "fuel -= min(fuel, 1u);";

/* A cycle of two entries. */
static void put_cycle(Source *s) {
  uint32_t name = ++s->names;
  put_named(s, "if (@b) goto middle%u;", name);
  put_named(s, "top%u:", name);
  put_line(s, burn);
  put_some(s);
  put_named(s, "middle%u:;", name);
  put_some(s);
  put_named(s, "if (fuel != 0u && @b) goto top%u;", name);
}

/* A loop that is entered in its middle; `break` and `continue` are the loop's. */
static void put_entered(Source *s) {
  uint32_t name = ++s->names;
  bool may_break = s->may_break, may_continue = s->may_continue;
  s->may_break = s->may_continue = true;
  put_named(s, "if (@b) goto inside%u;", name);
  put_line(s, "while (fuel != 0u && @b) {");
  s->indent++;
  put_line(s, burn);
  put_some(s);
  put_named(s, "inside%u:;", name);
  put_some(s);
  s->indent--;
  put_line(s, "}");
  s->may_break = may_break;
  s->may_continue = may_continue;
}

/* An inner loop that leaves both. */
static void put_left(Source *s) {
  uint32_t name = ++s->names;
  bool may_break = s->may_break, may_continue = s->may_continue;
  s->may_break = s->may_continue = true;
  put_line(s, "while (fuel != 0u && @b) {");
  s->indent++;
  put_line(s, burn);
  put_line(s, "do {");
  s->indent++;
  put_line(s, burn);
  put_some(s);
  put_named(s, "if (@b) goto out%u;", name);
  s->indent--;
  put_line(s, "} while (fuel != 0u && @b);");
  put_some(s);
  s->indent--;
  put_line(s, "}");
  s->may_break = may_break;
  s->may_continue = may_continue;
  put_named(s, "out%u:;", name);
}

/* A state machine; some of its states fall through to the next. */
static void put_states(Source *s) {
  enum { STATES = 4 };
  uint32_t name = ++s->names;
  bool may_break = s->may_break;
  s->may_break = true;
  put_named(s, "again%u:", name);
  put_line(s, burn);
  put_line(s, "switch (@u & 3u) {");
  for (uint32_t i = 0; i < STATES; i++) {
    fprintf(s->out, "%*scase %u:\n", (int)(2 * s->indent), "", i);
    s->indent++;
    put_some(s);
    if (rng_percent(&s->rng, 60))
      put_named(s, "if (fuel != 0u && @b) goto again%u;", name);
    if (rng_percent(&s->rng, 40))
      put_line(s, "break;");
    s->indent--;
  }
  put_line(s, "}");
  s->may_break = may_break;
}

void put_kernel_flow(Source *s) {
  static void (*const flows[])(Source *) = {put_cycle, put_entered, put_left, put_states};
  flows[rng_below(&s->rng, sizeof flows / sizeof *flows)](s);
}
