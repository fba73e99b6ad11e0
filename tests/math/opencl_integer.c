/* SPDX-License-Identifier: Apache-2.0 */
/* opencl_integer: tests the integer functions of OpenCL.std (integer_function.def) on a device.
 *
 *   opencl_integer DEVICE NUMBERS [WIDTH…]
 *
 * DEVICE is one of opencl_math's but `code`; WIDTH 8, 16, 32 or 64, by default all. Of each function the results of that
 * many operands, edges and random ones, are compared with those that are computed in twice the width. Prints what differs. Exit code
 * 1 if anything does; 77 if the device is not there, or has no numbers of a width. */
#include "tests/math/math_run.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Bits;
__extension__ typedef __int128 Number;
enum { WIDTHS = 4 };
#else
typedef uint64_t Bits;
typedef int64_t Number;
enum { WIDTHS = 3 }; /* there is nothing in which to compute products of 64 bits */
#endif

enum { GROUP = 64, LANES = 4 * GROUP, MISSING = 77 };

/* ---- exact results --------------------------------------------------------------------------- */

#define ONES (((Bits)1 << w) - 1)

static Bits saturated(Number n, uint32_t w) {
  Number most = ((Number)1 << (w - 1)) - 1;
  return (Bits)(n > most ? most : n < -most - 1 ? -most - 1 : n);
}

static Bits ones(Bits a) {
  return a ? (a & 1) + ones(a >> 1) : 0;
}

static Bits leading(Bits a, uint32_t w) {
  Bits count = w;
  for (; a; a >>= 1)
    count--;
  return count;
}

static Bits trailing(Bits a, uint32_t w) {
  return a ? leading((a & -a) - 1, w) == 0 ? 0 : w - leading((a & -a) - 1, w) : w;
}

static Bits rotated(Bits a, uint32_t by, uint32_t w) {
  return a << by | a >> (w - by);
}

typedef struct Function {
  const char *name;
  uint32_t operands;
  Bits (*exact)(Bits a, Bits b, Bits c, Number s, Number t, Number u, uint32_t w);
} Function;

#define INTEGER(name, operands, exact)                                                             \
  static Bits exact_##name(Bits a, Bits b, Bits c, Number s, Number t, Number u, uint32_t w) {     \
    (void)a, (void)b, (void)c, (void)s, (void)t, (void)u, (void)w;                                 \
    return (Bits)(exact);                                                                          \
  }
#include "tests/math/integer_function.def"
#undef INTEGER

static const Function functions[] = {
#define INTEGER(name, operands, exact) {#name, operands, exact_##name},
#include "tests/math/integer_function.def"
#undef INTEGER
};

/* ---- operands -------------------------------------------------------------------------------- */

typedef struct Test {
  const Function *function;
  uint32_t width, count; /* bits; operands */
} Test;

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Operand `which` of number i: often near an edge. */
static uint64_t operand(const Test *t, uint32_t i, uint32_t which) {
  uint64_t random = mix(3 * (uint64_t)i + which + 1), w = t->width;
  uint64_t edge =
      (random >> 8 & 1 ? (uint64_t)1 << (random >> 9 & 63) % w : 0) + (random >> 20 & 3) - 2;
  uint64_t value = random & 7 ? mix(random) >> (random >> 32 & 63) % w : edge;
  if (random & 16)
    value = ~value;
  if (strstr(t->function->name, "24")) { /* of the first two: 24 bits, of `s` with a sign */
    uint64_t low = value & 0xffffff;
    value = which == 2                               ? value
            : *t->function->name == 's' && low >> 23 ? low | ~(uint64_t)0xffffff
                                                     : low;
  }
  return w == 64 ? value : value & (((uint64_t)1 << w) - 1);
}

static Number with_sign(uint64_t value, uint32_t w) {
  return (Number)value - (value >> (w - 1) & 1 ? (Number)1 << w : 0);
}

static uint64_t exact_of(const Test *t, uint32_t i) {
  uint64_t x[3];
  for (uint32_t k = 0; k < 3; k++)
    x[k] = operand(t, i, k);
  Bits all = t->function->exact(x[0], x[1], x[2], with_sign(x[0], t->width),
                                with_sign(x[1], t->width), with_sign(x[2], t->width), t->width);
  return (uint64_t)all & (t->width == 64 ? UINT64_MAX : ((uint64_t)1 << t->width) - 1);
}

/* ---- the case -------------------------------------------------------------------------------- */

static const char kernel[] = "SHADER compute test SPIRV-ASM TARGET_ENV spv1.2\n"
                             "OpCapability Addresses\n"
                             "OpCapability Kernel\n"
                             "OpCapability Int64\n"
                             "%s"
                             "%%std = OpExtInstImport \"OpenCL.std\"\n"
                             "OpMemoryModel Physical64 OpenCL\n"
                             "OpEntryPoint Kernel %%test \"test\" %%id\n"
                             "OpDecorate %%id BuiltIn GlobalInvocationId\n"
                             "%%ulong = OpTypeInt 64 0\n"
                             "%%ulong3 = OpTypeVector %%ulong 3\n"
                             "%s"
                             "%%v = OpTypeVector %%%s 4\n"
                             "%%void = OpTypeVoid\n"
                             "%%p = OpTypePointer CrossWorkgroup %%v\n"
                             "%%pid = OpTypePointer Input %%ulong3\n"
                             "%%ft = OpTypeFunction %%void %%p %%p %%p %%p\n"
                             "%%id = OpVariable %%pid Input\n"
                             "%%test = OpFunction %%void None %%ft\n"
                             "%%a = OpFunctionParameter %%p\n"
                             "%%b = OpFunctionParameter %%p\n"
                             "%%c = OpFunctionParameter %%p\n"
                             "%%out = OpFunctionParameter %%p\n"
                             "%%entry = OpLabel\n"
                             "%%all = OpLoad %%ulong3 %%id Aligned 32\n"
                             "%%i = OpCompositeExtract %%ulong %%all 0\n"
                             "%%ap = OpInBoundsPtrAccessChain %%p %%a %%i\n"
                             "%%bp = OpInBoundsPtrAccessChain %%p %%b %%i\n"
                             "%%cp = OpInBoundsPtrAccessChain %%p %%c %%i\n"
                             "%%op = OpInBoundsPtrAccessChain %%p %%out %%i\n"
                             "%%av = OpLoad %%v %%ap Aligned %u\n"
                             "%%bv = OpLoad %%v %%bp Aligned %u\n"
                             "%%cv = OpLoad %%v %%cp Aligned %u\n"
                             "%%value = OpExtInst %%v %%std %s %%av%s%s\n"
                             "OpStore %%op %%value Aligned %u\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n"
                             "END\n";

static const char pipeline[] = "BUFFER out DATA_TYPE uint%u SIZE %u FILL 0\n"
                               "PIPELINE compute pipeline\n"
                               "  ATTACH test ENTRY_POINT test SPECIALIZE 0 AS uint32 %u\n"
                               "  BIND BUFFER a AS storage KERNEL ARG_NUMBER 0\n"
                               "  BIND BUFFER b AS storage KERNEL ARG_NUMBER 1\n"
                               "  BIND BUFFER c AS storage KERNEL ARG_NUMBER 2\n"
                               "  BIND BUFFER out AS storage KERNEL ARG_NUMBER 3\n"
                               "END\n"
                               "RUN pipeline %u 1 1\n";

static void write_kernel(FILE *out, const Test *t) {
  uint32_t align = t->width / 2, operands = t->function->operands;
  char capability[32] = "", type[40] = "", name[8] = "ulong";
  if (t->width < 32)
    snprintf(capability, sizeof capability, "OpCapability Int%u\n", t->width);
  if (t->width != 64) {
    snprintf(name, sizeof name, "u%u", t->width);
    snprintf(type, sizeof type, "%%%s = OpTypeInt %u 0\n", name, t->width);
  }
  fprintf(out, kernel, capability, type, name, align, align, align, t->function->name,
          operands > 1 ? " %bv" : "", operands > 2 ? " %cv" : "", align);
}

/* The case, as text that the caller frees. */
static char *write_case(const Test *t) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  write_kernel(out, t);
  for (uint32_t k = 0; k < 3; k++) {
    fprintf(out, "BUFFER %c DATA_TYPE uint%u DATA\n", "abc"[k], t -> width);
    for (uint32_t i = 0; i < t->count; i++)
      fprintf(out, "%llu%c", (unsigned long long)operand(t, i, k), i % 16 == 15 ? '\n' : ' ');
    fprintf(out, "END\n");
  }
  fprintf(out, pipeline, t->width, t->count, GROUP, t->count / LANES);
  return fclose(out) == 0 ? text : NULL;
}

/* ---- the test -------------------------------------------------------------------------------- */

/* Prints the first result that differs. */
static bool compare(const Test *t, const uint8_t *out) {
  uint32_t bytes = t->width / 8;
  for (uint32_t i = 0; i < t->count; i++) {
    uint64_t result = 0, exact = exact_of(t, i);
    memcpy(&result, out + (size_t)i * bytes, bytes);
    if (result != exact) {
      printf("%s of %u bits: (%llx, %llx, %llx) is %llx, must be %llx\n", t->function->name,
             t->width, (unsigned long long)operand(t, i, 0), (unsigned long long)operand(t, i, 1),
             (unsigned long long)operand(t, i, 2), (unsigned long long)result,
             (unsigned long long)exact);
      return false;
    }
  }
  return true;
}

static int run(const MathRun *run, const Test *t) {
  char *message = NULL, *text = write_case(t);
  uint8_t *out = calloc(t->count, t->width / 8);
  HnOutcome outcome =
      text && out ? math_run(run, text, out, (size_t)t->count * t->width / 8, &message) : HN_FAIL;
  int code = outcome == HN_PASS ? !compare(t, out) : outcome == HN_SKIP ? MISSING : 1;
  if (outcome != HN_PASS)
    printf("%s of %u bits: %s\n", t->function->name, t->width, message ? message : "did not run");
  free(message);
  free(text);
  free(out);
  return code;
}

static bool is_wanted(uint32_t width, char **widths, int count) {
  bool any = count == 0;
  for (int i = 0; i < count; i++)
    any = any || strtoul(widths[i], NULL, 10) == width;
  return any;
}

/* Functions of 24 bits are for numbers of 32. */
static bool has_width(const Function *f, uint32_t width) {
  return width == 32 || !strstr(f->name, "24");
}

int main(int argc, char **argv) {
  static const uint32_t widths[] = {8, 16, 32, 64};
  int worst = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: opencl_integer DEVICE NUMBERS [WIDTH...]\n");
    return 2;
  }
  if (!math_run_is_there(argv[1]))
    return MISSING;
  const MathRun on = {argv[1], false};
  uint32_t count = ((uint32_t)strtoul(argv[2], NULL, 10) + LANES - 1) / LANES * LANES;
  for (uint32_t k = 0; k < 4; k++)
    for (size_t i = 0;
         is_wanted(widths[k], argv + 3, argc - 3) && i < sizeof functions / sizeof *functions;
         i++) {
      const Test test = {&functions[i], widths[k], count};
      int code = has_width(test.function, test.width) ? run(&on, &test) : 0;
      worst = code == 1 || !worst ? code : worst;
    }
  return worst;
}
