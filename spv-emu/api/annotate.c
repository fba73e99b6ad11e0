/* SPDX-License-Identifier: Apache-2.0 */
/* annotate: the program's disassembly or source, with the issues of each instruction or line under
 * one or several policies. */
#include "passes/base/text.h"
#include "passes/source/source_names.h"
#include "spv-emu/api/program_listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Annotate {
  const spv_emu_program *program;
  const spv_emu_result *const *results; /* one for each policy */
  uint32_t count;
  uint32_t *part;     /* by instruction: index in the results' parts; SR_NONE: none */
  const char **names; /* of values, by id */
  SrText text;        /* of a remark */
} Annotate;

/* ---- disassembly ----------------------------------------------------------------------------- */

/* "4113 x 9.986", or "-": never run. */
static void add_part(SrText *text, const spv_emu_part *part) {
  if (!part->executions)
    sr_text_put(text, "-", 1);
  else
    sr_text_add(text, "%llu x %.4g", (unsigned long long)part->executions,
                (double)part->lanes / (double)part->executions);
}

static const char *remark(void *user, SrRef r) {
  Annotate *a = user;
  if (a->part[r] == SR_NONE)
    return NULL;
  const SrInst *in = sr_inst(a->program->m, r);
  bool ran = false;
  if (!sr_counts(in) && in->op != SpvOpLabel)
    return NULL;
  for (uint32_t i = 0; i < a->count; i++)
    ran = ran || a->results[i]->parts[a->part[r]].executions;
  if (!ran)
    return in->op == SpvOpLabel ? "never run" : NULL;
  const char *name = in->result ? a->names[in->result] : NULL;
  a->text.count = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    sr_text_put(&a->text, " | ", i ? 3 : 0);
    add_part(&a->text, &a->results[i]->parts[a->part[r]]);
  }
  sr_text_add(&a->text, " of %u lanes%s%.40s", a->results[0]->subgroup_size, name ? ", " : "",
              name ? name : "");
  return sr_text_end(&a->text);
}

static char *disassembly(Annotate *a, SrHeap *heap, spv_text *plain) {
  if (setjmp(heap->out_of_memory))
    return NULL;
  SrArena arena = sr_arena_new(heap);
  const char *listing = emu_program_listing_plain(&arena, a->program, plain);
  if (!listing)
    return NULL;
  a->text = (SrText){.arena = &arena};
  a->part = emu_program_listing_parts(&arena, a->program);
  a->names = sr_source_value_names(&arena, a->program->m);
  return strdup(sr_dump_annotated(a->program->m, &arena, listing, remark, a));
}

char *spv_emu_annotate_all(const spv_emu_program *program, const spv_emu_result *const *results,
                           uint32_t count) {
  Annotate a = {.program = program, .results = results, .count = count};
  SrHeap heap = {0};
  spv_text plain = NULL;
  sr_heap_init(&heap);
  char *text = disassembly(&a, &heap, &plain);
  spvTextDestroy(plain);
  sr_heap_free_all(&heap);
  return text;
}

char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result) {
  return spv_emu_annotate_all(program, &result, 1);
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
typedef struct Sheet {
  FILE *out;
  const spv_emu_program *program;
  const spv_emu_result *const *results;
  uint32_t count;
  const spv_emu_listing *listing;
  int issues, number; /* widths */
} Sheet;

enum { ISSUES_WIDTH = 10, NUMBER_WIDTH = 5 };

static int digits_of(uint64_t value) {
  return snprintf(NULL, 0, "%" PRIu64, value);
}

static int wider(int width, uint64_t value) {
  int digits = digits_of(value);
  return digits > width ? digits : width;
}

static void measure_columns(Sheet *s) {
  const spv_emu_listing *listing = s->listing;
  for (uint32_t i = 0; i < listing->line_count; i++) {
    s->number = wider(s->number, listing->lines[i].number);
    for (uint32_t p = 0; p < s->count; p++)
      s->issues =
          wider(s->issues, spv_emu_line_charge(s->results[p], listing, &listing->lines[i]).issues);
  }
}

static void print_charge(const Sheet *s, spv_emu_charge charge) {
  if (charge.issues)
    fprintf(s->out, "%*" PRIu64 " %7.4g", s->issues, charge.issues,
            (double)charge.lanes / (double)charge.issues);
  else
    fprintf(s->out, "%*s", s->issues + 8, "");
}

static spv_emu_charge charge_of(const Sheet *s, uint32_t policy, const spv_emu_line *line) {
  return spv_emu_line_charge(s->results[policy], s->listing, line);
}

static void print_charges(const Sheet *s, const spv_emu_line *line) {
  for (uint32_t p = 0; p < s->count; p++)
    print_charge(s, charge_of(s, p, line));
}

/* Of several policies the names come first. */
static void print_head(const Sheet *s, const char *last) {
  for (uint32_t p = 0; s->count > 1 && p < s->count; p++)
    fprintf(s->out, "%*s%s", s->issues + 8, s->results[p]->policy, p + 1 < s->count ? "" : "\n");
  for (uint32_t p = 0; p < s->count; p++)
    fprintf(s->out, "%*s %7s", s->issues, "issues", "lanes");
  if (*last)
    fprintf(s->out, " %*s", s->number, last);
  fputs("\n", s->out);
}

static void print_section(const Sheet *s, const spv_emu_section *section) {
  for (uint32_t i = section->line; i < section->line + section->lines; i++) {
    const spv_emu_line *line = &s->listing->lines[i];
    print_charges(s, line);
    fprintf(s->out, " %*u |%s%.*s\n", s->number, line->number, line->length ? " " : "",
            (int)line->length, line->text);
  }
}

static void print_unplaced(const Sheet *s) {
  bool some = false;
  for (uint32_t p = 0; p < s->count; p++)
    some = some || charge_of(s, p, &s->listing->unplaced).issues;
  if (!some)
    return;
  print_charges(s, &s->listing->unplaced);
  fprintf(s->out, " %*s | instructions without a line\n", s->number, "");
}

/* Issues times the lanes that are not active. */
static uint64_t idle_of(const spv_emu_result *result, spv_emu_charge charge) {
  uint64_t all = charge.issues * result->subgroup_size;
  return all > charge.lanes ? all - charge.lanes : 0;
}

/* Prints which line has the most idle lane slots. */
static void print_most_idle(const Sheet *s, uint32_t policy) {
  const spv_emu_result *result = s->results[policy];
  const spv_emu_listing *listing = s->listing;
  const spv_emu_line *most = NULL;
  uint64_t idle = 0;
  uint32_t section = 0;
  for (uint32_t i = 0; i < listing->section_count; i++)
    for (uint32_t k = 0; k < listing->sections[i].lines; k++) {
      const spv_emu_line *line = &listing->lines[listing->sections[i].line + k];
      uint64_t here = idle_of(result, charge_of(s, policy, line));
      if (here > idle) {
        idle = here;
        most = line;
        section = i;
      }
    }
  if (!most)
    return;
  spv_emu_charge charge = charge_of(s, policy, most);
  const char *file = s->program->source.files[listing->sections[section].file].name;
  bool named = listing->section_count > 1 && *file;
  fprintf(s->out,
          "; %s%smost lanes are idle in line %u%s%s: %" PRIu64 " issues, %.4g of %u lanes\n",
          s->count > 1 ? result->policy : "", s->count > 1 ? ": " : "", most->number,
          named ? " of " : "", named ? file : "", charge.issues,
          (double)charge.lanes / (double)charge.issues, result->subgroup_size);
}

/* ---- calls and functions --------------------------------------------------------------------- */

/* The cost of a call; empty under a policy that does not count calls. */
static spv_emu_charge call_charge(const spv_emu_result *r, uint32_t call) {
  if (call >= r->call_count)
    return (spv_emu_charge){0};
  return (spv_emu_charge){r->calls[call].issues, r->calls[call].lane_instructions};
}

static spv_emu_charge function_charge(const spv_emu_result *r, uint32_t function) {
  if (function >= r->function_count)
    return (spv_emu_charge){0};
  return (spv_emu_charge){r->functions[function].total_issues,
                          r->functions[function].total_lane_instructions};
}

/* The first result that has counted calls; NULL: none has. */
static const spv_emu_result *with_calls(const Sheet *s) {
  for (uint32_t p = 0; p < s->count; p++)
    if (s->results[p]->call_count)
      return s->results[p];
  return NULL;
}

typedef spv_emu_charge Charge(const spv_emu_result *r, uint32_t index);

typedef struct Costly {
  uint64_t issues;
  uint32_t index;
} Costly;

static int by_issues(const void *left, const void *right) {
  const Costly *a = left, *b = right;
  if (a->issues != b->issues)
    return a->issues > b->issues ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* The costliest first; NULL: out of memory. */
static Costly *sorted(const spv_emu_result *r, uint32_t count, Charge *charge) {
  Costly *at = calloc(count + 1u, sizeof *at);
  for (uint32_t i = 0; at && i < count; i++)
    at[i] = (Costly){charge(r, i).issues, i};
  if (at)
    qsort(at, count, sizeof *at, by_issues);
  return at;
}

static void print_row(const Sheet *s, uint32_t index, Charge *charge, uint32_t line) {
  for (uint32_t p = 0; p < s->count; p++)
    print_charge(s, charge(s->results[p], index));
  if (line)
    fprintf(s->out, " %*u | ", s->number, line);
  else
    fprintf(s->out, " %*s | ", s->number, "");
}

/* False: out of memory. */
static bool print_calls(const Sheet *s, const spv_emu_result *any) {
  Costly *calls = sorted(any, any->call_count, call_charge);
  Costly *functions = sorted(any, any->function_count, function_charge);
  bool good = calls && functions;
  fputs("; calls, with all that they call in turn\n", s->out);
  print_head(s, "line");
  for (uint32_t i = 0; good && i < any->call_count; i++) {
    const spv_emu_call_site *c = &any->calls[calls[i].index];
    print_row(s, calls[i].index, call_charge, c->line);
    fprintf(s->out, "%s calls %s\n", any->functions[c->caller].name,
            any->functions[c->callee].name);
  }
  fputs("; functions, with all that they call in turn\n", s->out);
  print_head(s, "");
  for (uint32_t i = 0; good && i < any->function_count; i++) {
    print_row(s, functions[i].index, function_charge, 0);
    fprintf(s->out, "%s\n", any->functions[functions[i].index].name);
  }
  free(calls);
  free(functions);
  return good;
}

static void print_sheet(const Sheet *s) {
  for (uint32_t i = 0; i < s->listing->section_count; i++) {
    const spv_emu_file *file = &s->program->source.files[s->listing->sections[i].file];
    if (*file->name)
      fprintf(s->out, "; %s%s\n", file->name, file->text ? "" : ": the text is not known");
    print_head(s, "line");
    print_section(s, &s->listing->sections[i]);
  }
  print_unplaced(s);
  for (uint32_t p = 0; p < s->count; p++)
    print_most_idle(s, p);
}

char *spv_emu_annotate_source_all(const spv_emu_program *program,
                                  const spv_emu_result *const *results, uint32_t count) {
  spv_emu_listing *listing = spv_emu_list(program, true);
  char *text = NULL;
  size_t size;
  Sheet s = {.out = listing ? open_memstream(&text, &size) : NULL,
             .program = program,
             .results = results,
             .count = count,
             .listing = listing,
             .issues = ISSUES_WIDTH,
             .number = NUMBER_WIDTH};
  if (s.out && listing->source) {
    measure_columns(&s);
    print_sheet(&s);
  }
  if (s.out && fclose(s.out) != 0) {
    free(text);
    text = NULL;
  }
  spv_emu_listing_free(listing);
  return text;
}

char *spv_emu_annotate_calls(const spv_emu_result *const *results, uint32_t count) {
  char *text = NULL;
  size_t size;
  Sheet s = {.out = open_memstream(&text, &size),
             .results = results,
             .count = count,
             .issues = ISSUES_WIDTH,
             .number = NUMBER_WIDTH};
  const spv_emu_result *any = with_calls(&s);
  if (!s.out)
    return NULL;
  for (uint32_t p = 0; p < count; p++)
    s.issues = wider(s.issues, results[p]->issued);
  bool good = !any || print_calls(&s, any);
  if (fclose(s.out) == 0 && good)
    return text;
  free(text);
  return NULL;
}

char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result) {
  return spv_emu_annotate_source_all(program, &result, 1);
}
