/* SPDX-License-Identifier: Apache-2.0 */
/* test_native_loops: loops as machine code, and interpreted.
 *
 *   test_native_loops FILE.spv…
 *
 * The modules are those of native_loops.awk, with four buffers. Each runs at two sizes of subgroups under
 * --native=off, on and check; memory, messages and figures must be the same. The exit code is 1 if they
 * are not. Of four modules or more, at least one must have run code that has hammocks or lets lanes part, one code
 * that loads or stores, and one code at once when lanes came to a loop. Without LLVM the exit code is 77. */
#include "spv-emu/engine/program.h"
#include "spv-emu/native/native.h"

#include <spv-emu/spv_emu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, MANY = 4, GROUPS = 4096, BUFFERS = 4, WORDS = 512 };

typedef struct Memory {
  uint32_t at[BUFFERS][WORDS];
} Memory;

/* How many words of each buffer there are. */
static const uint32_t sizes[BUFFERS] = {128, 512, 64, 64};

static EmuNativeTurns turns; /* of all modules */
static uint64_t ahead[2];    /* turns under auto and on, of runs of many workgroups */

static void fill(Memory *m) {
  for (uint32_t i = 0; i < WORDS; i++) {
    float real = (float)(i + 1);
    m->at[0][i] = 7 + i;
    m->at[1][i] = 0;
    m->at[2][i] = 3 + i;
    memcpy(&m->at[3][i], &real, sizeof real);
  }
}

static spv_emu_result *run(const spv_emu_program *program, spv_emu_native native, uint32_t groups,
                           Memory *m) {
  spv_emu_buffer buffers[BUFFERS];
  char message[512];
  spv_emu_result *result;
  fill(m);
  for (uint32_t i = 0; i < BUFFERS; i++)
    buffers[i] =
        (spv_emu_buffer){.binding = i, .bytes = m->at[i], .size = sizes[i] * sizeof(uint32_t)};
  const spv_emu_run_options options = {.policy = "structured",
                                       .groups = {groups, 1, 1},
                                       .buffers = buffers,
                                       .buffer_count = BUFFERS,
                                       .native = native};
  if (spv_emu_run(program, &options, &result, message, sizeof message) == SPV_EMU_OK)
    return result;
  fprintf(stderr, "%s\n", message);
  exit(EXIT_FAILURE);
}

static bool same_blocks(const spv_emu_result *a, const spv_emu_result *b) {
  for (uint32_t i = 0; i < a->block_count; i++)
    if (a->blocks[i].executions != b->blocks[i].executions ||
        a->blocks[i].lanes != b->blocks[i].lanes)
      return false;
  return true;
}

static bool same(const spv_emu_result *a, const spv_emu_result *b) {
#define SAME(name) (a->name == b->name)
  return SAME(outcome) && SAME(issued) && SAME(lane_instructions) && SAME(divergent_branches) &&
         SAME(reconvergences) && SAME(stack_pushes) && SAME(stack_pops) && SAME(stack_max_depth) &&
         SAME(memory_issues) && SAME(memory_transactions) && SAME(out_of_bounds) &&
         same_blocks(a, b) && strcmp(a->message, b->message) == 0;
}

/* Returns the number of modes that differ. */
static int compare(const char *path, const spv_emu_program *program, uint32_t lanes) {
  static const spv_emu_native modes[] = {SPV_EMU_NATIVE_ON, SPV_EMU_NATIVE_CHECK};
  Memory wanted, got;
  spv_emu_result *right = run(program, SPV_EMU_NATIVE_OFF, 2, &wanted);
  int wrong = 0;
  for (int i = 0; i < 2; i++) {
    spv_emu_result *result = run(program, modes[i], 2, &got);
    if (!same(right, result) || memcmp(&wanted, &got, sizeof wanted) != 0) {
      printf("%s, %u lanes, --native=%s: other results. %s\n", path, lanes, i ? "check" : "on",
             result->message);
      wrong++;
    }
    spv_emu_result_free(result);
  }
  spv_emu_result_free(right);
  return wrong;
}

/* The words of a file; their number in *count. */
static uint32_t *read_words(const char *path, size_t *count) {
  enum { MOST = 1 << 16 };
  uint32_t *words = malloc(MOST * sizeof *words);
  FILE *file = fopen(path, "rb");
  *count = words && file ? fread(words, sizeof *words, MOST, file) : 0;
  if (!*count || *count == MOST) {
    fprintf(stderr, "%s: no file, empty or too long\n", path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  return words;
}

static spv_emu_program *load(const char *path, uint32_t lanes) {
  size_t count;
  uint32_t *words = read_words(path, &count);
  const spv_emu_load_options options = {.subgroup_size = lanes};
  spv_emu_program *program;
  char message[512];
  if (spv_emu_load(words, count, &options, &program, message, sizeof message) != SPV_EMU_OK) {
    fprintf(stderr, "%s: %s\n", path, message);
    exit(EXIT_FAILURE);
  }
  free(words);
  return program;
}

/* Many workgroups under auto, and again under on. */
static void look_ahead(const char *path) {
  static const spv_emu_native modes[] = {SPV_EMU_NATIVE_AUTO, SPV_EMU_NATIVE_ON};
  spv_emu_program *program = load(path, 32);
  Memory memory;
  uint64_t before = 0;
  for (int i = 0; i < 2; i++) {
    spv_emu_result_free(run(program, modes[i], GROUPS, &memory));
    uint64_t after = emu_native_turns(program->native).all;
    ahead[i] += after - before;
    before = after;
  }
  spv_emu_free(program);
}

static int both_sizes(const char *path, uint32_t at) {
  int wrong = 0;
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t lanes = k ? 8u << at % 4 : 32;
    spv_emu_program *program = load(path, lanes);
    wrong += compare(path, program, lanes);
    const EmuNativeTurns more = emu_native_turns(program->native);
    turns.all += more.all;
    turns.arms += more.arms;
    turns.memory += more.memory;
    turns.entered += more.entered;
    spv_emu_free(program);
  }
  return wrong;
}

int main(int argc, char **argv) {
  const char *refused = spv_emu_native_refuses();
  int wrong = 0;
  if (refused) {
    printf("skipped: %s\n", refused);
    return SKIPPED;
  }
  for (int i = 1; i < argc; i++)
    wrong += both_sizes(argv[i], (uint32_t)i);
  for (int i = 1; i < argc && i <= 2; i++)
    look_ahead(argv[i]);
  printf(
      "%d modules, %d differences; turns of loops in code: %llu, with hammocks or lanes that part: "
      "%llu, with loads or stores: %llu; loops that began as code: %llu\n",
      argc - 1, wrong, (unsigned long long)turns.all, (unsigned long long)turns.arms,
      (unsigned long long)turns.memory, (unsigned long long)turns.entered);
  if (argc - 1 >= MANY && !(turns.arms && turns.memory && turns.entered)) {
    puts("no turn of some kind: this tests too little");
    wrong++;
  }
  printf("of %d workgroups, turns in code under auto: %llu, under on: %llu\n", GROUPS,
         (unsigned long long)ahead[0], (unsigned long long)ahead[1]);
  if (argc - 1 >= MANY && ahead[0] < ahead[1] / 4 * 3) {
    puts("auto makes code too late");
    wrong++;
  }
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
