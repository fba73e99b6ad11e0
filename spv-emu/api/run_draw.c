/* SPDX-License-Identifier: Apache-2.0 */
/* run_draw: the program's control-flow graphs, as spvreconv draws them. */
#include "passes/driver/dot.h"
#include "spv-emu/engine/program.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES_A_BLOCK = 4 }; /* a graph with more would be slow to draw */

static bool is_small(const SrModule *m, uint32_t most) {
  uint64_t blocks = 0, edges = 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    blocks += f->block_count;
    for (uint32_t b = 0; b < f->block_count && edges <= (uint64_t)most * EDGES_A_BLOCK; b++)
      for (uint32_t at = 0; (at = sr_next_target(m, sr_terminator(&f->blocks[b]), at));)
        edges++;
  }
  return blocks <= most && edges <= (uint64_t)most * EDGES_A_BLOCK;
}

static char *draw(const SrModule *m, SrHeap *heap) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  return strdup(sr_dot_module(&arena, m, u, NULL));
}

char *spv_emu_draw(const spv_emu_program *program, uint32_t most) {
  if (!is_small(program->m, most))
    return strdup("");
  SrHeap heap = {0};
  sr_heap_init(&heap);
  char *text = draw(program->m, &heap);
  sr_heap_free_all(&heap);
  return text;
}
