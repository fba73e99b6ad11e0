/* SPDX-License-Identifier: Apache-2.0 */
/* gen_kernel: writes random OpenCL kernels as AmberScript cases, without EXPECTs.
 *
 *   gen_kernel COUNT SEED FOLDER [GROUP]
 *
 * Kernel k depends only on seed SEED + k. With GROUP a case has up to that many kernels in one program,
 * each with its own buffers, since compilers and drivers need longer to start than for a kernel. The kernels of a
 * case are alike in what devices and policies of the emulator may lack. Every second kernel has local memory, barriers and atomics
 * (uniform.h); every fourth has integers of 8, 16 and 64 bits, which SwiftShader lacks. As in
 * gen_glsl nothing is undefined, every loop ends, and floats are exact (source.h, kernel.h). */
#include "tests/diff/kernel.h"
#include "tests/diff/statement.h"
#include "tests/diff/uniform.h"

#include <stdlib.h>

enum { MOST_FUNCTIONS = 3, TOTALS = 8, MOST_GROUP = 32, CLASSES = 4 };

typedef struct Kernel {
  Source source;
  uint64_t seed;
  uint32_t groups; /* workgroups */
  char suffix[24]; /* of its names */
} Kernel;

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

/* Defines, or undefines, the names of the kernel's functions with its suffix. */
static void put_names(const Kernel *k, bool define) {
  FILE *out = k->source.out;
  for (uint32_t i = 0; i <= MOST_FUNCTIONS && *k->suffix; i++) {
    char name[16] = "work";
    if (i)
      snprintf(name, sizeof name, "work%u", i - 1);
    if (define)
      fprintf(out, "#define %s %s%s\n", name, name, k->suffix);
    else
      fprintf(out, "#undef %s\n", name);
  }
}

static void put_kernel(Kernel *k) {
  Source *s = &k->source;
  put_names(k, true);
  s->budget = 5 + rng_below(&s->rng, 30);
  for (uint32_t i = rng_below(&s->rng, MOST_FUNCTIONS + 1), f = 0; f < i; f++)
    put_function(s, f);
  s->indent = 1;
  s->leave = NULL;
  put_main(s);
  for (uint32_t i = 0; i < s->functions; i++)
    fprintf(s->out, "#undef call%u\n", i);
  put_names(k, false);
}

/* ---- the case -------------------------------------------------------------------------------- */

static void put_buffers(Kernel *k) {
  Source *s = &k->source;
  const char *suffix = k->suffix;
  uint32_t lanes = k->groups * LANES;
  fprintf(s->out, "BUFFER data%s DATA_TYPE uint32 DATA", suffix);
  put_data(s, LANES);
  fprintf(s->out, "BUFFER state%s DATA_TYPE record STD430 DATA", suffix);
  put_data(s, lanes * 10);
  fprintf(s->out, "BUFFER total%s DATA_TYPE uint32 SIZE %u FILL 7\n", suffix, TOTALS);
  fprintf(s->out, "BUFFER words%s DATA_TYPE uint32 SIZE %u FILL 7\n", suffix, lanes * WORDS);
  if (s->shared_memory)
    fprintf(s->out, "BUFFER own%s DATA_TYPE uint32 SIZE %u FILL 0\n", suffix, LANES);
  fprintf(s->out, "BUFFER mode%s DATA_TYPE uint32 DATA\n %u\nEND\n", suffix, rng_below(&s->rng, 4));
}

static void put_pipeline(const Kernel *k) {
  static const char *const arguments[] = {"data", "state", "total", "words", "mode", "own"};
  FILE *out = k->source.out;
  fprintf(out,
          "PIPELINE compute p%s\n  ATTACH work ENTRY_POINT work%s SPECIALIZE 0 AS uint32 %u\n"
          "  COMPILE_OPTIONS work\n    -cl-single-precision-constant\n  END\n",
          k->suffix, k->suffix, LANES);
  for (uint32_t i = 0; i < (k->source.shared_memory ? 6 : 5); i++)
    fprintf(out, "  BIND BUFFER %s%s KERNEL ARG_NUMBER %u\n", arguments[i], k->suffix, i);
  fprintf(out, "END\nRUN p%s %u 1 1\n", k->suffix, k->groups);
}

static void put_case(Kernel *kernels, uint32_t count) {
  FILE *out = kernels->source.out;
  fprintf(out, "#!amber\n# What:  a random kernel, seed");
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, " %llu", (unsigned long long)kernels[i].seed);
  fprintf(out, "\nSHADER compute work OPENCL-C\n%s", kernel_macros);
  for (uint32_t i = 0; i < count; i++)
    put_kernel(&kernels[i]);
  fputs(
      "END\nSTRUCT record\n  uint32 word\n  int32 count\n  vec4<uint32> v\n  uint32[4] arr\nEND\n",
      out);
  for (uint32_t i = 0; i < count; i++)
    put_buffers(&kernels[i]);
  for (uint32_t i = 0; i < count; i++)
    put_pipeline(&kernels[i]);
}

/* What devices may lack: SwiftShader integers of other widths than 32 bits, some policies of the emulator barriers. */
static uint32_t class_of(uint64_t seed) {
  bool narrow = seed % 4 >= 2 && seed % 8 < 4;
  return (uint32_t)(seed % 2) + 2 * narrow;
}

static Kernel make_kernel(uint64_t seed, FILE *out, bool alone) {
  Kernel k = {.source = {.rng = {rng_mix(seed ^ 0x0c1)}, .out = out, .kernel = true}, .seed = seed};
  k.source.shared_memory = class_of(seed) % 2;
  k.source.narrow = class_of(seed) / 2;
  k.groups = 1 + rng_below(&k.source.rng, 2);
  if (!alone)
    snprintf(k.suffix, sizeof k.suffix, "_%llu", (unsigned long long)seed);
  return k;
}

static void write_group(const char *folder, const uint64_t *seeds, uint32_t count) {
  char path[4096];
  Kernel kernels[MOST_GROUP];
  snprintf(path, sizeof path, "%s/kernel_%llu.amber", folder, (unsigned long long)seeds[0]);
  FILE *out = source_open(path);
  for (uint32_t i = 0; i < count; i++)
    kernels[i] = make_kernel(seeds[i], out, count == 1);
  put_case(kernels, count);
  source_close(&kernels[0].source, path);
}

static void write_case(const char *folder, uint64_t seed) {
  write_group(folder, &seed, 1);
}

static void write_groups(const char *folder, uint64_t seed, uint64_t count, uint32_t most) {
  uint64_t seeds[CLASSES][MOST_GROUP];
  uint32_t filled[CLASSES] = {0};
  for (uint64_t end = seed + count; seed < end; seed++) {
    uint32_t class = class_of(seed);
    seeds[class][filled[class]++] = seed;
    if (filled[class] < most)
      continue;
    write_group(folder, seeds[class], most);
    filled[class] = 0;
  }
  for (uint32_t i = 0; i < CLASSES; i++)
    if (filled[i])
      write_group(folder, seeds[i], filled[i]);
}

int main(int argc, char **argv) {
  if (argc != 5)
    return source_main(argc, argv, write_case);
  uint32_t most = (uint32_t)strtoul(argv[4], NULL, 10);
  write_groups(argv[3], strtoull(argv[2], NULL, 10), strtoull(argv[1], NULL, 10),
               most < 1            ? 1
               : most < MOST_GROUP ? most
                                   : MOST_GROUP);
  return 0;
}
