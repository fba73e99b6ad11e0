/* SPDX-License-Identifier: Apache-2.0 */
/* annotate: the program's disassembly or source, with the issues of each instruction or line. */
#include "passes/base/text.h"
#include "passes/source/source_names.h"
#include "spv-emu/api/program_listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Annotate {
  const spv_emu_program *program;
  const spv_emu_result *result;
  uint32_t *part;     /* by instruction: index in the result's parts; SR_NONE: none */
  const char **names; /* of values, by id */
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
  const char *name = in->result ? a->names[in->result] : NULL;
  snprintf(a->text, sizeof a->text, "%llu x %.4g of %u lanes%s%.40s",
           (unsigned long long)b->executions, lanes, a->result->subgroup_size, name ? ", " : "",
           name ? name : "");
  return a->text;
}

static char *disassembly(Annotate *a, SrHeap *heap, spv_text *plain) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  const char *listing = emu_program_listing_plain(&arena, a->program, plain);
  if (!listing)
    return NULL;
  a->part = emu_program_listing_parts(&arena, a->program);
  a->names = sr_source_value_names(&arena, a->program->m);
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

spv_emu_charge spv_emu_line_charge(const spv_emu_result *result, const spv_emu_listing *listing,
                                   const spv_emu_line *line) {
  spv_emu_charge charge = {0};
  for (uint32_t i = line->use; i < line->use + line->uses; i++) {
    const spv_emu_use *use = &listing->uses[i];
    charge.issues += use->count * result->parts[use->part].executions;
    charge.lanes += use->count * result->parts[use->part].lanes;
  }
  return charge;
}

/* The columns are as wide as their largest number, but not narrower than their heads. */
typedef struct Columns {
  int issues, number;
} Columns;

static int digits_of(uint64_t value) {
  return snprintf(NULL, 0, "%" PRIu64, value);
}

static Columns columns_of(const spv_emu_result *result, const spv_emu_listing *listing) {
  Columns columns = {10, 5};
  for (uint32_t i = 0; i < listing->line_count; i++) {
    int issues = digits_of(spv_emu_line_charge(result, listing, &listing->lines[i]).issues);
    int number = digits_of(listing->lines[i].number);
    columns.issues = issues > columns.issues ? issues : columns.issues;
    columns.number = number > columns.number ? number : columns.number;
  }
  return columns;
}

static void print_charge(FILE *out, spv_emu_charge charge, Columns columns) {
  if (charge.issues)
    fprintf(out, "%*" PRIu64 " %7.4g", columns.issues, charge.issues,
            (double)charge.lanes / (double)charge.issues);
  else
    fprintf(out, "%*s", columns.issues + 8, "");
}

static void print_section(FILE *out, const spv_emu_result *result, const spv_emu_listing *listing,
                          const spv_emu_section *section, Columns columns) {
  for (uint32_t i = section->line; i < section->line + section->lines; i++) {
    const spv_emu_line *line = &listing->lines[i];
    print_charge(out, spv_emu_line_charge(result, listing, line), columns);
    fprintf(out, " %*u |%s%.*s\n", columns.number, line->number, line->length ? " " : "",
            (int)line->length, line->text);
  }
}

/* Issues times the lanes that are not active. */
static uint64_t idle_of(const spv_emu_result *result, const spv_emu_line *line,
                        const spv_emu_listing *listing) {
  spv_emu_charge charge = spv_emu_line_charge(result, listing, line);
  uint64_t all = charge.issues * result->subgroup_size;
  return all > charge.lanes ? all - charge.lanes : 0;
}

/* Prints which line has the most idle lane slots. */
static void print_most_idle(FILE *out, const spv_emu_program *program, const spv_emu_result *result,
                            const spv_emu_listing *listing) {
  const spv_emu_line *most = NULL;
  uint64_t idle = 0;
  uint32_t section = 0;
  for (uint32_t s = 0; s < listing->section_count; s++)
    for (uint32_t i = 0; i < listing->sections[s].lines; i++) {
      const spv_emu_line *line = &listing->lines[listing->sections[s].line + i];
      if (idle_of(result, line, listing) > idle) {
        idle = idle_of(result, line, listing);
        most = line;
        section = s;
      }
    }
  if (!most)
    return;
  spv_emu_charge charge = spv_emu_line_charge(result, listing, most);
  const char *file = program->source.files[listing->sections[section].file].name;
  bool named = listing->section_count > 1 && *file;
  fprintf(out, "; most lanes are idle in line %u%s%s: %" PRIu64 " issues, %.4g of %u lanes\n",
          most->number, named ? " of " : "", named ? file : "", charge.issues,
          (double)charge.lanes / (double)charge.issues, result->subgroup_size);
}

static void print_source(FILE *out, const spv_emu_program *program, const spv_emu_result *result,
                         const spv_emu_listing *listing) {
  Columns columns = columns_of(result, listing);
  for (uint32_t i = 0; i < listing->section_count; i++) {
    const spv_emu_file *file = &program->source.files[listing->sections[i].file];
    if (*file->name)
      fprintf(out, "; %s%s\n", file->name, file->text ? "" : ": the text is not known");
    fprintf(out, "%*s %7s %*s\n", columns.issues, "issues", "lanes", columns.number, "line");
    print_section(out, result, listing, &listing->sections[i], columns);
  }
  spv_emu_charge rest = spv_emu_line_charge(result, listing, &listing->unplaced);
  if (rest.issues) {
    print_charge(out, rest, columns);
    fprintf(out, " %*s | instructions without a line\n", columns.number, "");
  }
  print_most_idle(out, program, result, listing);
}

char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result) {
  spv_emu_listing *listing = spv_emu_list(program, true);
  char *text = NULL;
  size_t size;
  FILE *out = listing ? open_memstream(&text, &size) : NULL;
  if (out && listing->source)
    print_source(out, program, result, listing);
  if (out && fclose(out) != 0) {
    free(text);
    text = NULL;
  }
  spv_emu_listing_free(listing);
  return text;
}
