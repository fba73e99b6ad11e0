/* SPDX-License-Identifier: Apache-2.0 */
/* gen_kernel: writes random OpenCL kernels as AmberScript cases, without EXPECTs.
 *
 *   gen_kernel COUNT SEED FOLDER
 *
 * Case k depends only on seed SEED + k. Every second kernel has local memory, barriers and atomics
 * (uniform.h); every fourth has integers of 8, 16 and 64 bits, which SwiftShader lacks. As in
 * gen_glsl nothing is undefined, every loop ends, and floats are exact (source.h, kernel.h). */
#include "tests/diff/kernel.h"
#include "tests/diff/statement.h"
#include "tests/diff/uniform.h"

enum { MOST_FUNCTIONS = 3, TOTALS = 8 };

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char memory[] = "global const uint *data, global Rec *rec, global uint *total";

static void put_locals(Source *s, const char *first) {
  put_line(s, first);
  put_line(s, "float f0 = float(u0 & 15u), f1 = 2.5f, f2 = exact(float(i0));");
  put_line(s, "uint a[8] = {u0, 1u, u1, @n, u2, u3, @n, 9u};");
  put_line(s, "uint4 v = uvec4(u3, u0, @n, u1 >> 3);");
}

static void put_function(Source *s, uint32_t index) {
  const char *locals = s->shared_memory ? ", local uint *own, local uint *tally" : "";
  const char *own = s->shared_memory ? ", own, tally" : "";
  fprintf(s->out, "uint work%u(uint p, int q, S *s_, %s%s, uint id, uint lane, uint *fuel_) {\n",
          index, memory, locals);
  fputs("#define s (*s_)\n", s->out);
  s->indent = 1;
  put_locals(s, "uint u0 = p, u1 = uint(q), u2 = @n, u3 = s.a; int i0 = q, i1 = @m, i2 = s.b;");
  put_function_body(s);
  fprintf(s->out,
          "}\n#undef s\n"
          "#define call%u(p, q, s) work%u(p, q, &(s), data, rec, total%s, id, lane, fuel_)\n",
          index, index, own);
  s->functions = index + 1;
}

static const char *const results[WORDS] = {
    "u0",
    "u1 ^ u2",
    "u3",
    "uint(i0)",
    "uint(i1) + uint(i2)",
    "uint(int(f0 * 2.0f))",
    "uint(int(f1 * 2.0f) + 5 * int(f2 * 2.0f))",
    "a[0] + 3u * a[3] + 5u * a[6]",
    "a[1] ^ a[2] ^ (a[4] + a[5]) ^ a[7]",
    "s.a + uint(s.b) + uint(int(s.c * 2.0f)) + t.a",
    "s.d[0] ^ s.d[1] ^ (s.d[2] + s.d[3]) ^ s.e.x ^ t.d[1]",
    "v.x + 3u * v.y + 7u * v.z + 9u * v.w",
};

static void put_statements(Source *s) {
  if (s->shared_memory) {
    put_line(s, "own[lane] = u0;");
    put_line(s, "if (lane < 4u)");
    put_line(s, "  tally[lane] = lane == 3u ? ~0u : lane;");
    put_line(s, "barrier();");
    put_uniform(s, 3 + rng_below(&s->rng, 8), false);
    return;
  }
  for (uint32_t i = 3 + rng_below(&s->rng, 6); i; i--) {
    s->leave = "if (@b) return;";
    put_statement(s);
  }
}

static void put_main(Source *s) {
  if (rng_percent(&s->rng, 50))
    fprintf(s->out, "__attribute__((reqd_work_group_size(%u, 1, 1)))\n", LANES);
  fprintf(s->out, "kernel void work(%s, global uint *words, uint mode%s) {\n", memory,
          s->shared_memory ? ", local uint *own" : "");
  if (s->shared_memory)
    put_line(s, "local uint tally[4];");
  put_line(s, "uint id = get_global_id(0), lane = get_local_id(0), x = 0u, y = 0u;");
  put_line(s, "uint left = 100u, *fuel_ = &left;");
  put_locals(
      s, "uint u0 = data[lane], u1 = id, u2 = @n, u3 = mode; int i0 = int(u0), i1 = 5, i2 = -@m;");
  put_line(s, "S s = {u0, i0, f0, {1u, u0, @n, 4u}, uvec2(u1, @n)}, t = s;");
  put_statements(s);
  const Rng rest = s->rng; /* what follows depends on the seed as without the counters */
  for (uint32_t i = s->narrow ? 3 : 0; i; i--)
    put_kernel_counter(s);
  s->rng = rest;
  for (uint32_t i = 0; i < WORDS; i++)
    fprintf(s->out, "  words[id * %uu + %uu] = %s;\n", WORDS, i, results[i]);
  fputs("}\n", s->out);
}

static void put_kernel(Source *s) {
  fputs(kernel_macros, s->out);
  s->budget = 5 + rng_below(&s->rng, 30);
  for (uint32_t i = rng_below(&s->rng, MOST_FUNCTIONS + 1), k = 0; k < i; k++)
    put_function(s, k);
  s->indent = 1;
  s->leave = NULL;
  put_main(s);
}

/* ---- the case -------------------------------------------------------------------------------- */

static void put_case(Source *s, uint64_t seed) {
  uint32_t groups = 1 + rng_below(&s->rng, 2);
  fprintf(s->out, "#!amber\n# What:  a random kernel, seed %llu\nSHADER compute work OPENCL-C\n",
          (unsigned long long)seed);
  put_kernel(s);
  fputs("END\nSTRUCT record\n  uint32 word\n  int32 count\n  vec4<uint32> v\n  uint32[4] arr\nEND\n"
        "BUFFER data DATA_TYPE uint32 DATA",
        s->out);
  put_data(s, LANES);
  fputs("BUFFER state DATA_TYPE record STD430 DATA", s->out);
  put_data(s, groups * LANES * 10);
  fprintf(s->out,
          "BUFFER total DATA_TYPE uint32 SIZE %u FILL 7\nBUFFER words DATA_TYPE uint32 SIZE %u "
          "FILL 7\n",
          TOTALS, groups * LANES * WORDS);
  if (s->shared_memory)
    fprintf(s->out, "BUFFER own DATA_TYPE uint32 SIZE %u FILL 0\n", LANES);
  fprintf(s->out, "BUFFER mode DATA_TYPE uint32 DATA\n %u\nEND\n", rng_below(&s->rng, 4));
  fprintf(s->out,
          "PIPELINE compute p\n  ATTACH work ENTRY_POINT work SPECIALIZE 0 AS uint32 %u\n"
          "  COMPILE_OPTIONS work\n    -cl-single-precision-constant\n  END\n"
          "  BIND BUFFER data KERNEL ARG_NUMBER 0\n"
          "  BIND BUFFER state KERNEL ARG_NUMBER 1\n"
          "  BIND BUFFER total KERNEL ARG_NUMBER 2\n"
          "  BIND BUFFER words KERNEL ARG_NUMBER 3\n"
          "  BIND BUFFER mode KERNEL ARG_NUMBER 4\n%sEND\nRUN p %u 1 1\n",
          LANES, s->shared_memory ? "  BIND BUFFER own KERNEL ARG_NUMBER 5\n" : "", groups);
}

static void write_case(const char *folder, uint64_t seed) {
  char path[4096];
  snprintf(path, sizeof path, "%s/kernel_%llu.amber", folder, (unsigned long long)seed);
  Source s = {.rng = {rng_mix(seed ^ 0x0c1)}, .out = source_open(path), .kernel = true};
  s.shared_memory = seed % 2 == 1;
  s.narrow = seed % 4 >= 2 && seed % 8 < 4;
  put_case(&s, seed);
  source_close(&s, path);
}

int main(int argc, char **argv) {
  return source_main(argc, argv, write_case);
}
