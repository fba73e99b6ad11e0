/* SPDX-License-Identifier: Apache-2.0 */
/* gen_big: writes modules that are too large to keep as files.
 *
 *   gen_big SHAPE SIZE FILE.spv
 *
 *   chain        SIZE blocks, each a test that goes to the next block or to the one after that: the
 *                joins overlap everywhere; each block's phi has the values of the two blocks before
 *   irreducible  SIZE blocks in groups of three: a branch into a cycle of two blocks, to either one
 *   switch       an OpSwitch of SIZE cases that meet again, structured
 *   ifs          selections nested SIZE deep, structured
 *   loops        loops nested SIZE deep, structured
 *   cycles       cycles that are entered at two blocks each, nested SIZE deep
 *
 * Each is a valid Vulkan compute shader of SPIR-V 1.3, except that the control flow of some is not
 * structured. Block i has the id `blocks + i`, its value `values + i`. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

enum { VOID = 1, PROC, BOOL, UINT, TRUE_, ONE, MAIN, FIRST_FREE };

typedef struct Writer {
  FILE *file;
  uint32_t blocks, values; /* the ids of block 0 and of the value in it */
} Writer;

static void put(Writer *w, SpvOp op, uint32_t operands, ...) {
  va_list list;
  va_start(list, operands);
  uint32_t word = (operands + 1) << 16 | op;
  fwrite(&word, 4, 1, w->file);
  for (uint32_t i = 0; i < operands; i++) {
    word = va_arg(list, uint32_t);
    fwrite(&word, 4, 1, w->file);
  }
  va_end(list);
}

static uint32_t block(const Writer *w, uint32_t i) {
  return w->blocks + i;
}

static uint32_t value(const Writer *w, uint32_t i) {
  return w->values + i;
}

static void begin(Writer *w, uint32_t block_count) {
  w->blocks = FIRST_FREE;
  w->values = FIRST_FREE + block_count;
  uint32_t header[5] = {SpvMagicNumber, 0x00010300, 0, w->values + 2 * block_count, 0};
  fwrite(header, 4, 5, w->file);
  put(w, SpvOpCapability, 1, SpvCapabilityShader);
  put(w, SpvOpMemoryModel, 2, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
  put(w, SpvOpEntryPoint, 4, SpvExecutionModelGLCompute, MAIN, 0x6e69616d /* "main" */, 0);
  put(w, SpvOpExecutionMode, 5, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
  put(w, SpvOpTypeVoid, 1, VOID);
  put(w, SpvOpTypeFunction, 2, PROC, VOID);
  put(w, SpvOpTypeBool, 1, BOOL);
  put(w, SpvOpTypeInt, 3, UINT, 32, 0);
  put(w, SpvOpConstantTrue, 2, BOOL, TRUE_);
  put(w, SpvOpConstant, 3, UINT, ONE, 1);
  put(w, SpvOpFunction, 4, VOID, MAIN, 0, PROC);
}

static void label(Writer *w, uint32_t i) {
  put(w, SpvOpLabel, 1, block(w, i));
}

static void branch(Writer *w, uint32_t to) {
  put(w, SpvOpBranch, 1, block(w, to));
}

static void test(Writer *w, uint32_t yes, uint32_t no) {
  put(w, SpvOpBranchConditional, 3, TRUE_, block(w, yes), block(w, no));
}

static void select_merge(Writer *w, uint32_t merge) {
  put(w, SpvOpSelectionMerge, 2, block(w, merge), 0);
}

static void chain(Writer *w, uint32_t size) {
  begin(w, size);
  uint32_t phis = w->values + size; /* block i's phi */
  for (uint32_t i = 0; i < size; i++) {
    label(w, i);
    if (i > 1)
      put(w, SpvOpPhi, 6, UINT, phis + i, value(w, i - 1), block(w, i - 1), value(w, i - 2),
          block(w, i - 2));
    uint32_t before = i > 1 ? phis + i : i == 1 ? value(w, 0) : ONE;
    put(w, SpvOpIAdd, 4, UINT, value(w, i), before, ONE);
    if (i + 2 < size)
      test(w, i + 2, i + 1);
    else if (i + 1 < size)
      branch(w, i + 1);
    else
      put(w, SpvOpReturn, 0);
  }
}

static void irreducible(Writer *w, uint32_t size) {
  size = size / 3 * 3 + 1;
  begin(w, size);
  for (uint32_t i = 0; i + 1 < size; i += 3) {
    label(w, i);
    test(w, i + 1, i + 2);
    label(w, i + 1);
    test(w, i + 2, i + 3);
    label(w, i + 2);
    branch(w, i + 1);
  }
  label(w, size - 1);
  put(w, SpvOpReturn, 0);
}

/* Block 0 holds the switch, blocks 1 to size are its cases, the last one is their join. */
static void switch_(Writer *w, uint32_t size) {
  begin(w, size + 2);
  label(w, 0);
  select_merge(w, size + 1);
  uint32_t head = (3 + 2 * size) << 16 | SpvOpSwitch;
  uint32_t first[3] = {head, ONE, block(w, size + 1)};
  fwrite(first, 4, 3, w->file);
  for (uint32_t i = 1; i <= size; i++) {
    uint32_t pair[2] = {i, block(w, i)};
    fwrite(pair, 4, 2, w->file);
  }
  for (uint32_t i = 1; i <= size; i++) {
    label(w, i);
    branch(w, size + 1);
  }
  label(w, size + 1);
  put(w, SpvOpReturn, 0);
}

/* Blocks 0 to size - 1 are the headers, block size the innermost arm, then the merges outward. */
static void ifs(Writer *w, uint32_t size) {
  begin(w, 2 * size + 1);
  for (uint32_t i = 0; i < size; i++) {
    label(w, i);
    select_merge(w, 2 * size - i);
    test(w, i + 1, 2 * size - i);
  }
  for (uint32_t i = size; i < 2 * size; i++) {
    label(w, i);
    branch(w, i + 1);
  }
  label(w, 2 * size);
  put(w, SpvOpReturn, 0);
}

/* Block 0 is the entry; loop i has header 1 + i; the innermost body is followed, from the inside
 * out, by the continue block and the merge of each loop. */
static void loops(Writer *w, uint32_t size) {
  begin(w, 3 * size + 2);
  label(w, 0);
  branch(w, 1);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t latch = size + 2 + 2 * (size - 1 - i);
    label(w, 1 + i);
    put(w, SpvOpLoopMerge, 3, block(w, latch + 1), block(w, latch), 0);
    test(w, 2 + i, latch + 1);
  }
  for (uint32_t i = size; i-- > 0;) {
    uint32_t latch = size + 2 + 2 * (size - 1 - i);
    label(w, latch - 1); /* the innermost body, or the merge of the loop inside */
    branch(w, latch);
    label(w, latch);
    branch(w, 1 + i);
  }
  label(w, 3 * size + 1);
  put(w, SpvOpReturn, 0);
}

/* Cycle i is entered at blocks 1 + 2i and 2 + 2i, and ends with two more, which lead to
 * either of them, or to the end of the cycle around it. */
static void cycles(Writer *w, uint32_t size) {
  begin(w, 4 * size + 2);
  label(w, 0);
  test(w, 1, 2);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t a = 1 + 2 * i, b = a + 1;
    label(w, a);
    test(w, i + 1 < size ? a + 2 : 2 * size + 1, b);
    label(w, b);
    if (i + 1 < size)
      test(w, a + 2, b + 2);
    else
      branch(w, 2 * size + 1);
  }
  for (uint32_t i = size; i-- > 0;) {
    uint32_t end = 2 * size + 1 + 2 * (size - 1 - i);
    label(w, end);
    test(w, 1 + 2 * i, end + 1);
    label(w, end + 1);
    test(w, 2 + 2 * i, end + 2);
  }
  label(w, 4 * size + 1);
  put(w, SpvOpReturn, 0);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*write)(Writer *, uint32_t);
  } shapes[] = {{"chain", chain},    {"irreducible", irreducible},
                {"switch", switch_}, {"ifs", ifs},
                {"loops", loops},    {"cycles", cycles}};
  if (argc != 4) {
    fprintf(stderr, "usage: gen_big chain|irreducible|switch|ifs|loops|cycles SIZE FILE\n");
    return 2;
  }
  Writer w = {.file = fopen(argv[3], "wb")};
  if (!w.file) {
    perror(argv[3]);
    return 1;
  }
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (strcmp(shapes[i].name, argv[1]) == 0) {
      shapes[i].write(&w, (uint32_t)strtoul(argv[2], NULL, 10));
      put(&w, SpvOpFunctionEnd, 0);
      return fclose(w.file) ? 1 : 0;
    }
  fprintf(stderr, "gen_big: no shape '%s'\n", argv[1]);
  return 2;
}
