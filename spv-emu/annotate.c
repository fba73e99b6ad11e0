/* annotate: spv_emu_annotate: the program's disassembly with what each instruction cost. */
#include "ir/dump.h"
#include "ir/writer.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Annotate {
  const spv_emu_program *program;
  const spv_emu_result *result;
  uint32_t *block; /* by instruction: index in the result's blocks; SR_NONE: it is in none */
  char text[96];
} Annotate;

static const char *remark(void *user, SrRef r) {
  Annotate *a = user;
  if (a->block[r] == SR_NONE)
    return NULL;
  const SrInst *in = sr_inst(a->program->m, r);
  const spv_emu_block *b = &a->result->blocks[a->block[r]];
  if (!sr_counts(in) && in->op != SpvOpLabel)
    return NULL;
  if (b->executions == 0)
    return in->op == SpvOpLabel ? "never run" : NULL;
  double lanes = (double)b->lanes / (double)b->executions;
  snprintf(a->text, sizeof a->text, "%llu x %.4g of %u lanes", (unsigned long long)b->executions,
           lanes, a->result->subgroup_size);
  return a->text;
}

/* The result's row for each SPIR-V block, which lists functions and blocks in the program's order.
 */
static void find_blocks(Annotate *a, SrArena *scratch) {
  const EmuProgram *p = a->program->p;
  a->block = sr_new_none(scratch, a->program->m->inst.count);
  uint32_t row = SR_NONE;
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    row += block->part == 0;
    for (SrRef r = block->first; r != SR_NONE; r = sr_inst(a->program->m, r)->next) {
      a->block[r] = row;
      if (r == block->last)
        break;
    }
  }
}

static char *annotate(Annotate *a, SrHeap *heap, char **plain) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  size_t count;
  const uint32_t *words = sr_write(a->program->m, &arena, &count);
  *plain = sr_dump_text(words, count);
  if (!*plain)
    return NULL;
  find_blocks(a, &arena);
  return strdup(sr_dump_annotated(a->program->m, &arena, *plain, remark, a));
}

char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result) {
  Annotate a = {.program = program, .result = result};
  SrHeap heap = {0};
  char *plain = NULL;
  sr_heap_init(&heap);
  char *text = annotate(&a, &heap, &plain);
  free(plain);
  sr_heap_free_all(&heap);
  return text;
}
