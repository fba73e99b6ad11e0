/* SPDX-License-Identifier: Apache-2.0 */
/* annotate: the program's disassembly or source, with the issues of each instruction or line. */
#include "api/listing.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Annotate {
  const spv_emu_program *program;
  const spv_emu_result *result;
  uint32_t *part; /* by instruction: index in the result's parts; SR_NONE: none */
  char text[96];
} Annotate;

/* ---- disassembly ----------------------------------------------------------------------------- */

static const char *remark(void *user, SrRef r) {
  Annotate *a = user;
  if (a->part[r] == SR_NONE)
    return NULL;
  const SrInst *in = sr_inst(a->program->m, r);
  const spv_emu_part *b = &a->result->parts[a->part[r]];
  if (!sr_counts(in) && in->op != SpvOpLabel)
    return NULL;
  if (b->executions == 0)
    return in->op == SpvOpLabel ? "never run" : NULL;
  double lanes = (double)b->lanes / (double)b->executions;
  snprintf(a->text, sizeof a->text, "%llu x %.4g of %u lanes", (unsigned long long)b->executions,
           lanes, a->result->subgroup_size);
  return a->text;
}

static char *disassembly(Annotate *a, SrHeap *heap, spv_text *plain) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  const char *listing = emu_listing_plain(&arena, a->program, plain);
  if (!listing)
    return NULL;
  a->part = emu_listing_parts(&arena, a->program);
  return strdup(sr_dump_annotated(a->program->m, &arena, listing, remark, a));
}

char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result) {
  Annotate a = {.program = program, .result = result};
  SrHeap heap = {0};
  spv_text plain = NULL;
  sr_heap_init(&heap);
  char *text = disassembly(&a, &heap, &plain);
  spvTextDestroy(plain);
  sr_heap_free_all(&heap);
  return text;
}

/* ---- source ---------------------------------------------------------------------------------- */

static void print_line(FILE *out, const spv_emu_result *result, const spv_emu_listing *listing,
                       const spv_emu_line *line) {
  unsigned long long issues = 0, lanes = 0;
  for (uint32_t i = line->use; i < line->use + line->uses; i++) {
    const spv_emu_use *use = &listing->uses[i];
    issues += use->count * result->parts[use->part].executions;
    lanes += use->count * result->parts[use->part].lanes;
  }
  if (issues)
    fprintf(out, "%10llu %7.4g", issues, (double)lanes / (double)issues);
  else
    fprintf(out, "%18s", "");
  fprintf(out, " | %.*s\n", (int)line->length, line->text);
}

char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result) {
  spv_emu_listing *listing = spv_emu_list(program, true);
  char *text = NULL;
  size_t size;
  FILE *out = listing ? open_memstream(&text, &size) : NULL;
  if (out && listing->source) {
    fprintf(out, "%10s %7s\n", "issues", "lanes");
    for (uint32_t i = 0; i < listing->line_count; i++)
      print_line(out, result, listing, &listing->lines[i]);
  }
  if (out && fclose(out) != 0) {
    free(text);
    text = NULL;
  }
  spv_emu_listing_free(listing);
  return text;
}
