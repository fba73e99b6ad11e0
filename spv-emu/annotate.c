/* annotate: the program's disassembly, or its source, with what each instruction or line cost. */
#include "base/text.h"
#include "ir/dump.h"
#include "ir/writer.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Annotate {
  const spv_emu_program *program;
  const spv_emu_result *result;
  uint32_t *block; /* by instruction: index in the result's parts; SR_NONE: it is in none */
  char text[96];
} Annotate;

static const char *remark(void *user, SrRef r) {
  Annotate *a = user;
  if (a->block[r] == SR_NONE)
    return NULL;
  const SrInst *in = sr_inst(a->program->m, r);
  const spv_emu_part *b = &a->result->parts[a->block[r]];
  if (!sr_counts(in) && in->op != SpvOpLabel)
    return NULL;
  if (b->executions == 0)
    return in->op == SpvOpLabel ? "never run" : NULL;
  double lanes = (double)b->lanes / (double)b->executions;
  snprintf(a->text, sizeof a->text, "%llu x %.4g of %u lanes", (unsigned long long)b->executions,
           lanes, a->result->subgroup_size);
  return a->text;
}

static void find_blocks(Annotate *a, SrArena *scratch) {
  const EmuProgram *p = a->program->p;
  a->block = sr_new_none(scratch, a->program->m->inst.count);
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    for (SrRef r = block->first; r != SR_NONE; r = sr_inst(a->program->m, r)->next) {
      a->block[r] = b;
      if (r == block->last)
        break;
    }
  }
}

static char *disassembly(Annotate *a, SrArena *arena, spv_text *plain) {
  size_t count;
  const uint32_t *words = sr_write(a->program->m, arena, &count);
  *plain = sr_dump_text(words, count);
  if (!*plain)
    return NULL;
  find_blocks(a, arena);
  return sr_dump_annotated(a->program->m, arena, (*plain)->str, remark, a);
}

/* ---- source ---------------------------------------------------------------------------------- */

/* The text of the first OpSource that has some, those that continue it joined; empty: none. */
static char *source_text(const SrModule *m, SrArena *arena) {
  SrText text = {.arena = arena};
  bool found = false;
  for (SR_EACH(m, r, m->globals)) {
    uint16_t op = sr_inst(m, r)->op;
    const char *part = NULL;
    if (op == SpvOpSource && !found && sr_word_count(m, r) > 4)
      part = (const char *)&sr_words(m, r)[4];
    else if (op == SpvOpSourceContinued && found)
      part = (const char *)&sr_words(m, r)[1];
    if (part)
      sr_text_put(&text, part, strlen(part));
    found = found || part;
  }
  return sr_text_end(&text);
}

typedef struct Line {
  uint64_t issues, lanes;
} Line;

/* Adds up, by line, the blocks' instructions. A line holds until the next one, or the block's end.
 */
static void add_lines(const Annotate *a, const SrFunction *f, Line *lines, uint32_t count) {
  const SrModule *m = a->program->m;
  for (uint32_t b = 0; b < f->block_count; b++) {
    uint32_t line = 0;
    for (SR_EACH(m, r, f->blocks[b].list)) {
      const SrInst *in = sr_inst(m, r);
      if (in->op == SpvOpLine)
        line = sr_words(m, r)[2];
      else if (in->op == SpvOpNoLine)
        line = 0;
      if (!sr_counts(in) || a->block[r] == SR_NONE || line == 0 || line > count)
        continue;
      lines[line - 1].issues += a->result->parts[a->block[r]].executions;
      lines[line - 1].lanes += a->result->parts[a->block[r]].lanes;
    }
  }
}

static uint32_t count_lines(const char *text) {
  uint32_t count = 1;
  for (; *text; text++)
    count += *text == '\n';
  return count;
}

/* glslang puts remarks of its own in front, and says where the source begins; its C interface has
 * the preprocessed source once more behind. */
static const char *only_source(char *text) {
  static const char begin[] = "#line 1\n", again[] = "\n#version";
  char *found = strstr(text, begin);
  text = found ? found + strlen(begin) : text;
  char *second = strstr(text, again);
  if (second)
    second[1] = 0;
  return text;
}

static char *source(Annotate *a, SrArena *arena, spv_text *plain) {
  (void)plain;
  const char *text = only_source(source_text(a->program->m, arena));
  SrText out = {.arena = arena};
  if (!*text)
    return sr_text_end(&out);
  uint32_t count = count_lines(text);
  Line *lines = SR_NEW(arena, Line, count);
  find_blocks(a, arena);
  for (uint32_t i = 0; i < a->program->m->function_count; i++)
    add_lines(a, &a->program->m->functions[i], lines, count);
  sr_text_add(&out, "%10s %7s\n", "issues", "lanes");
  for (uint32_t i = 0; *text; i++) {
    int length = (int)strcspn(text, "\n");
    if (lines[i].issues)
      sr_text_add(&out, "%10llu %7.4g | %.*s\n", (unsigned long long)lines[i].issues,
                  (double)lines[i].lanes / (double)lines[i].issues, length, text);
    else
      sr_text_add(&out, "%18s | %.*s\n", "", length, text);
    text += length + (text[length] != 0);
  }
  return sr_text_end(&out);
}

/* ---- either ---------------------------------------------------------------------------------- */

typedef char *Make(Annotate *a, SrArena *arena, spv_text *plain);

static char *make(Make *what, Annotate *a, SrHeap *heap, spv_text *plain) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  char *text = what(a, &arena, plain);
  return text ? strdup(text) : NULL;
}

static char *annotate(Make *what, const spv_emu_program *program, const spv_emu_result *result) {
  Annotate a = {.program = program, .result = result};
  SrHeap heap = {0};
  spv_text plain = NULL;
  sr_heap_init(&heap);
  char *text = make(what, &a, &heap, &plain);
  spvTextDestroy(plain);
  sr_heap_free_all(&heap);
  return text;
}

char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result) {
  return annotate(disassembly, program, result);
}

char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result) {
  return annotate(source, program, result);
}
