/* SPDX-License-Identifier: Apache-2.0 */
/* gen_glsl: writes random compute shaders in GLSL as AmberScript cases, without EXPECTs.
 *
 *   gen_glsl COUNT SEED FOLDER
 *
 * Case k depends only on seed SEED + k. Three kinds of programs take turns: the first has
 * independent invocations, which may leave main early; the second also has shared memory, barriers
 * and atomics, the third also subgroup operations. Every fourth program has the shapes of family.h,
 * and every second of these has integers of 8, 16 and 64 bits. The output is a function of the
 * input: no data races, no undefined behaviour, no infinite loops, and no dependence on the
 * subgroup size (source.h, uniform.h). */
#include "tests/diff/statement.h"
#include "tests/diff/uniform.h"

#include <stdlib.h>
#include <string.h>

typedef enum Kind { ALONE, SHARED, SUBGROUPS, KINDS } Kind;

enum { MOST_FUNCTIONS = 3, TOTALS = 8 };

/* ---- the shader ------------------------------------------------------------------------------ */

static const char globals[] =
    "layout(local_size_x = 64) in;\n"
    "struct S { uint a; int b; float c; uint d[4]; uvec2 e; };\n"
    "struct Rec { uint word; int count; uvec4 v; uint arr[4]; };\n"
    "layout(set = 0, binding = 0) readonly buffer In { uint data[]; };\n"
    "layout(set = 0, binding = 1) buffer State { Rec rec[]; };\n"
    "layout(set = 0, binding = 2) buffer Out { uint total[8]; uint words[]; };\n"
    "layout(push_constant) uniform Push { uint mode; };\n"
    "shared uint own[64];\n"
    "shared uint tally[4];\n"
    "uint id, lane, fuel;\n"
    "#define exact(x) clamp(floor((x) * 2.0) * 0.5, -512.0, 512.0)\n";

static const char *const extensions[] = {
    "basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle_relative", "quad"};

static void put_locals(Source *s, const char *first) {
  put_line(s, first);
  put_line(s, "float f0 = float(u0 & 15u), f1 = 2.5, f2 = exact(float(i0));");
  put_line(s, "uint a[8] = uint[8](u0, 1u, u1, @n, u2, u3, @n, 9u);");
  put_line(s, "uvec4 v = uvec4(u3, u0, @n, u1 >> 3);");
}

static void put_function(Source *s, uint32_t index) {
  fprintf(s->out, "uint call%u(uint p, int q, inout S s) {\n", index);
  s->indent = 1;
  put_locals(s, "uint u0 = p, u1 = uint(q), u2 = @n, u3 = s.a; int i0 = q, i1 = @m, i2 = s.b;");
  put_function_body(s);
  fputs("}\n", s->out);
  s->functions = index + 1;
}

static const char *const results[WORDS] = {
    "u0",
    "u1 ^ u2",
    "u3",
    "uint(i0)",
    "uint(i1 + i2)",
    "uint(int(f0 * 2.0))",
    "uint(int(f1 * 2.0) + 5 * int(f2 * 2.0))",
    "a[0] + 3u * a[3] + 5u * a[6]",
    "a[1] ^ a[2] ^ (a[4] + a[5]) ^ a[7]",
    "s.a + uint(s.b) + uint(int(s.c * 2.0)) + t.a",
    "s.d[0] ^ s.d[1] ^ (s.d[2] + s.d[3]) ^ s.e.x ^ t.d[1]",
    "v.x + 3u * v.y + 7u * v.z + 9u * v.w",
};

static void put_main(Source *s, Kind kind) {
  fputs("void main() {\n", s->out);
  put_line(s, "id = gl_GlobalInvocationID.x;");
  put_line(s, "lane = gl_LocalInvocationIndex;");
  put_line(s, "fuel = 100u;");
  put_line(s, "uint x = 0u, y = 0u;");
  put_locals(
      s, "uint u0 = data[lane], u1 = id, u2 = @n, u3 = mode; int i0 = int(u0), i1 = 5, i2 = -@m;");
  put_line(s, "S s = S(u0, i0, f0, uint[4](1u, u0, @n, 4u), uvec2(u1, @n)), t = s;");
  if (kind != ALONE) {
    put_line(s, "own[lane] = u0;");
    put_line(s, "if (lane < 4u)");
    put_line(s, "  tally[lane] = lane == 3u ? ~0u : lane;");
    put_line(s, "barrier();");
    put_uniform(s, 3 + rng_below(&s->rng, 8), kind == SUBGROUPS);
  } else {
    for (uint32_t i = 3 + rng_below(&s->rng, 6); i; i--) {
      s->leave = "if (@b) return;";
      put_statement(s);
    }
  }
  for (uint32_t i = 0; i < WORDS; i++)
    fprintf(s->out, "  words[id * %uu + %uu] = %s;\n", WORDS, i, results[i]);
  fputs("}\n", s->out);
}

static void put_shader(Source *s, Kind kind) {
  fputs("#version 450\n", s->out);
  for (size_t i = 0; kind == SUBGROUPS && i < sizeof extensions / sizeof *extensions; i++)
    fprintf(s->out, "#extension GL_KHR_shader_subgroup_%s : require\n", extensions[i]);
  if (s->narrow)
    fputs("#extension GL_EXT_shader_explicit_arithmetic_types : require\n", s->out);
  fputs(globals, s->out);
  s->shared_memory = kind != ALONE;
  s->budget = 5 + rng_below(&s->rng, 30);
  for (uint32_t i = rng_below(&s->rng, MOST_FUNCTIONS + 1), k = 0; k < i; k++)
    put_function(s, k);
  s->indent = 1;
  s->leave = NULL;
  put_main(s, kind);
}

/* ---- the case -------------------------------------------------------------------------------- */

static void put_case(Source *s, uint64_t seed, Kind kind) {
  static const char *const names[KINDS] = {"invocations alone", "shared memory", "subgroups"};
  uint32_t groups = 1 + rng_below(&s->rng, 2);
  fprintf(s->out, "#!amber\n# What:  a random program, %s, seed %llu\n", names[kind],
          (unsigned long long)seed);
  if (kind == SUBGROUPS) {
    static const char *const operations[] = {
        "basic", "vote", "arithmetic", "ballot", "shuffle", "shuffleRelative", "quad"};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
      fprintf(s->out, "DEVICE_FEATURE SubgroupSupportedOperations.%s\n", operations[i]);
    fputs("DEVICE_FEATURE SubgroupSupportedStages.compute\n", s->out);
  }
  if (s->narrow)
    fputs("DEVICE_FEATURE Float16Int8Features.shaderInt8\nDEVICE_FEATURE shaderInt16\n"
          "DEVICE_FEATURE shaderInt64\n",
          s->out);
  fputs("SHADER compute work GLSL TARGET_ENV spv1.3\n", s->out);
  put_shader(s, kind);
  fputs("END\nSTRUCT record\n  uint32 word\n  int32 count\n  vec4<uint32> v\n  uint32[4] arr\nEND\n"
        "BUFFER data DATA_TYPE uint32 DATA",
        s->out);
  put_data(s, LANES);
  fprintf(s->out, "BUFFER state DATA_TYPE record STD430 DATA");
  put_data(s, groups * LANES * 10);
  fprintf(s->out, "BUFFER out DATA_TYPE uint32 SIZE %u FILL 7\n", TOTALS + groups * LANES * WORDS);
  fprintf(s->out, "BUFFER push DATA_TYPE uint32 DATA\n %u\nEND\n", rng_below(&s->rng, 4));
  fprintf(s->out,
          "PIPELINE compute p\n  ATTACH work\n"
          "  BIND BUFFER data AS storage DESCRIPTOR_SET 0 BINDING 0\n"
          "  BIND BUFFER state AS storage DESCRIPTOR_SET 0 BINDING 1\n"
          "  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 2\n"
          "  BIND BUFFER push AS push_constant\nEND\nRUN p %u 1 1\n",
          groups);
}

static void write_case(const char *folder, uint64_t seed) {
  char path[4096];
  snprintf(path, sizeof path, "%s/glsl_%llu.amber", folder, (unsigned long long)seed);
  Source s = {.rng = {rng_mix(seed)}, .out = source_open(path)};
  s.families = seed % 4 == 2;
  s.narrow = seed % 8 == 2;
  put_case(&s, seed, (Kind)(seed % KINDS));
  source_close(&s, path);
}

int main(int argc, char **argv) {
  return source_main(argc, argv, write_case);
}
