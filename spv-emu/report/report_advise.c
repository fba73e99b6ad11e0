/* SPDX-License-Identifier: Apache-2.0 */
/* report_advise: see report_advise.h. */
#include "spv-emu/report/report_advise.h"

#include "passes/tool/tool_json.h"
#include "spv-emu/report/report_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 5, NAME = 160, LOOP = 2 * NAME + 32, WIDTH = 96 };

static const double LITTLE = 0.01; /* a smaller part of the issues does not decide the order */

/* ---- the worst lines ------------------------------------------------------------------------- */

typedef struct Worst {
  const EmuPart *part;
  spv_emu_waste waste;
} Worst;

typedef struct Lines {
  Worst *at;
  uint32_t count;
  uint64_t issued, needed, lanes, slots;
  bool exact;
  bool idle; /* the order: lines with the most idle lanes first, not those with the most to save */
} Lines;

static int by_waste(const void *left, const void *right) {
  const Worst *a = left, *b = right;
  return spv_emu_waste_order(&a->waste, &b->waste, false);
}

static int by_idle(const void *left, const void *right) {
  const Worst *a = left, *b = right;
  return spv_emu_waste_order(&a->waste, &b->waste, true);
}

static bool add_part(Lines *lines, const EmuPart *part) {
  uint32_t count;
  spv_emu_waste *wastes = spv_emu_wastes(part->program, part->result, &count);
  Worst *more = wastes ? realloc(lines->at, (lines->count + count + 1u) * sizeof *more) : NULL;
  lines->at = more ? more : lines->at;
  for (uint32_t i = 0; more && i < count; i++)
    more[lines->count++] = (Worst){part, wastes[i]};
  free(wastes);
  return more != NULL;
}

/* False: out of memory. Free lines->at in any case. */
static bool find_lines(const EmuAdvice *a, Lines *lines) {
  spv_emu_result total = emu_row_total(a->row), least = emu_row_total(a->least);
  bool known = least.outcome == SPV_EMU_RAN;
  *lines = (Lines){.issued = total.issued,
                   .needed = known ? least.issued : 0,
                   .exact = known && least.exact,
                   .lanes = total.lane_instructions,
                   .slots = total.lane_slots};
  lines->idle = (double)(lines->issued - lines->needed) < LITTLE * (double)lines->issued;
  for (uint32_t p = 0; p < a->row->part_count; p++) {
    const EmuPart *part = &a->row->parts[p];
    if (part->result && part->program && !add_part(lines, part))
      return false;
  }
  qsort(lines->at, lines->count, sizeof *lines->at, lines->idle ? by_idle : by_waste);
  return lines->at != NULL;
}

/* ---- words ----------------------------------------------------------------------------------- */

static double mean(uint64_t sum, uint64_t count) {
  return count ? (double)sum / (double)count : 0;
}

/* "line 12", "line 12 of math.glsl", "block %24 of main" */
static const char *name_place(const EmuPart *part, uint32_t file, uint32_t line, uint32_t at,
                              char *name) {
  const spv_emu_source *source = spv_emu_source_of(part->program);
  const spv_emu_block *block = &part->result->blocks[part->result->parts[at].block];
  bool named = line && file != SPV_EMU_NO_FILE && source->file_count > 1;
  if (line)
    snprintf(name, NAME, "line %u%s%s", line, named ? " of " : "",
             named ? source->files[file].name : "");
  else
    snprintf(name, NAME, "block %%%u of %s", block->id, block->function);
  return name;
}

/* "the loop in line 8 after 0 to 178 iterations, 60 on average" */
static void name_loop(const EmuPart *part, uint32_t loop, char *text) {
  const spv_emu_loop *l = &part->result->loops[loop];
  char name[NAME], count[NAME];
  snprintf(count, sizeof count, "after %u to %u iterations, %.3g on average", l->least, l->most,
           mean(l->iterations, l->lanes));
  snprintf(text, LOOP, "the loop in %s %s", name_place(part, l->file, l->line, l->part, name),
           l->least < l->most ? count : "at different places");
}

static void say_loop(const EmuPart *part, const spv_emu_cause *c, char *text) {
  char loop[LOOP];
  name_loop(part, c->index, loop);
  snprintf(text, EMU_ADVISE_SENTENCE, "lanes leave %s: %.3g enter it, %.3g are left here", loop,
           c->outside, c->inside);
}

static void say_exit(const EmuPart *part, const spv_emu_cause *c, char *text) {
  char loop[LOOP];
  name_loop(part, part->result->branches[c->index].loop, loop);
  snprintf(
      text, EMU_ADVISE_SENTENCE,
      "lanes leave %s, and run this without waiting for one another: %.3g enter the loop, %.3g "
      "come here at a time",
      loop, c->outside, c->inside);
}

static void say_branch(const EmuPart *part, const spv_emu_cause *c, char *text) {
  const spv_emu_branch *b = &part->result->branches[c->index];
  const spv_emu_part *at = &part->result->parts[b->part];
  char name[NAME];
  snprintf(text, EMU_ADVISE_SENTENCE,
           "lanes go %s ways at the %s in %s in %.3g %% of its %" PRIu64
           " execution%s: %.3g come there, %.3g come here",
           b->targets == 2 ? "both" : "several", b->targets == 2 ? "branch" : "switch",
           name_place(part, b->file, b->line, b->part, name),
           100 * mean(at->diverged, at->executions), at->executions, at->executions == 1 ? "" : "s",
           c->outside, c->inside);
}

void emu_advise_cause(const EmuPart *part, const spv_emu_cause *c, char text[EMU_ADVISE_SENTENCE]) {
  if (c->kind == SPV_EMU_CAUSE_LOOP)
    say_loop(part, c, text);
  else if (c->kind == SPV_EMU_CAUSE_EXIT)
    say_exit(part, c, text);
  else
    say_branch(part, c, text);
}

/* Of several calls of the line's function, the one through which most lanes are lost. */
static bool say_call(const Worst *w, char *text) {
  const spv_emu_result *r = w->part->result;
  const spv_emu_call_site *c = w->waste.call == SPV_EMU_NO_CALL ? NULL : &r->calls[w->waste.call];
  uint32_t calls = 0;
  char name[NAME];
  for (uint32_t i = 0; c && i < r->call_count; i++)
    calls += r->calls[i].callee == c->callee && r->calls[i].executions;
  if (calls < 2)
    return false;
  snprintf(text, EMU_ADVISE_SENTENCE,
           "of %u calls of %s the one in %s loses most: it runs with %.3g lanes", calls,
           r->functions[c->callee].name, name_place(w->part, c->file, c->line, c->part, name),
           mean(c->lane_instructions, c->issues));
  return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The line's text without its indentation, up to its end. */
static void print_line(const Worst *w, FILE *out) {
  const spv_emu_source *source = spv_emu_source_of(w->part->program);
  if (w->waste.file == SPV_EMU_NO_FILE || !source->files[w->waste.file].text)
    return;
  const spv_emu_file *file = &source->files[w->waste.file];
  const char *at = file->text, *end = at + file->size, *stop;
  for (uint32_t n = 1; at && at < end && n < w->waste.line; n++) {
    at = memchr(at, '\n', (size_t)(end - at));
    at += at != NULL;
  }
  for (; at && at < end && (*at == ' ' || *at == '\t'); at++)
    ;
  if (!at || at >= end)
    return;
  stop = memchr(at, '\n', (size_t)(end - at));
  int length = (int)((stop ? stop : end) - at);
  length -= length && at[length - 1] == '\r';
  fprintf(out, "    %.*s\n", length, at);
}

/* Have both lines the same causes? */
static bool have_same_causes(const Worst *a, const Worst *b) {
  bool same = a->part == b->part && a->waste.call == b->waste.call &&
              a->waste.cause_count == b->waste.cause_count;
  for (uint32_t i = 0; same && i < a->waste.cause_count; i++) {
    const spv_emu_cause *x = &a->waste.causes[i], *y = &b->waste.causes[i];
    same = x->kind == y->kind && x->index == y->index;
  }
  return same;
}

/* Prints a sentence in lines of at most WIDTH columns, where its words allow that. */
static void print_wrapped(const char *text, FILE *out) {
  size_t column = 0;
  for (const char *end; *text; text = end + strspn(end, " ")) {
    end = text + strcspn(text, " ");
    size_t length = (size_t)(end - text);
    bool breaks = column && column + 1 + length > WIDTH;
    fputs(!column ? "  " : breaks ? "\n    " : " ", out);
    column = !column ? 2 : breaks ? 4 : column + 1;
    fwrite(text, 1, length, out);
    column += length;
  }
  fputc('\n', out);
}

static void print_causes(const Worst *w, FILE *out) {
  char text[EMU_ADVISE_SENTENCE];
  for (uint32_t i = 0; i < w->waste.cause_count; i++) {
    emu_advise_cause(w->part, &w->waste.causes[i], text);
    print_wrapped(text, out);
  }
  if (say_call(w, text))
    print_wrapped(text, out);
}

/* `before`: the line printed before it; NULL: it is the first. */
static void print_worst(const Worst *w, const Worst *before, FILE *out) {
  char name[NAME];
  const spv_emu_waste *waste = &w->waste;
  fprintf(out, "\n%s: %" PRIu64 " issues, %.3g of %u lanes",
          name_place(w->part, waste->file, waste->line, waste->part, name), waste->issues,
          mean(waste->lanes, waste->issues), w->part->result->subgroup_size);
  if (waste->avoidable)
    fprintf(out, "; up to %" PRIu64 " could be saved", waste->avoidable);
  fputc('\n', out);
  print_line(w, out);
  if (before && have_same_causes(w, before) && waste->cause_count)
    fputs("  for the same reason\n", out);
  else
    print_causes(w, out);
}

static void print_head(const EmuAdvice *a, const Lines *lines, FILE *out) {
  spv_emu_result total = emu_row_total(a->row);
  double saved = 100 * mean(lines->issued - lines->needed, lines->issued);
  fprintf(out, "%" PRIu64 " issues under policy %s, %.3g of %u lanes active on average\n",
          lines->issued, total.policy, mean(lines->lanes, lines->issued), total.subgroup_size);
  if (!lines->needed)
    return;
  fprintf(out, "No schedule of these lanes has fewer than %" PRIu64 " issues (policy opt%s): ",
          lines->needed, lines->exact ? "" : ", a lower bound");
  if (lines->idle)
    fputs("better schedules save next to nothing\n", out);
  else
    fprintf(out, "%s%.3g %% could be saved\n", lines->exact ? "" : "at most ", saved);
}

static void print_list(const EmuTried *t, FILE *out) {
  fprintf(out, "%s%s%s", t->transform, t->order ? " with --order=" : "", t->order ? t->order : "");
}

static void print_tried(const EmuAdvice *a, const Lines *lines, FILE *out) {
  if (!a->tried_count) {
    fprintf(out, "\nNone of the %u lists of transforms tried saves %.3g %% of the issues.\n",
            a->measured, a->percent);
    return;
  }
  fprintf(out,
          "\nOf %u lists of transforms tried on the same data, with equal results, these help:\n",
          a->measured);
  for (uint32_t i = 0; i < a->tried_count; i++) {
    const EmuTried *t = &a->tried[i];
    fprintf(out, "\n%" PRIu64 " issues, %.3g %% fewer: ", t->issues,
            100 * mean(lines->issued - t->issues, lines->issued));
    print_list(t, out);
    if (t->chosen)
      fputs(", which chooses ", out);
    if (t->chosen)
      print_list(t->chosen, out);
    fprintf(out, "\n    %s\n", t->command);
    if (t->write)
      fprintf(out, "    %s\n", t->write);
  }
  if (a->tried[0].issues < lines->needed)
    fprintf(out,
            "\nThe bound of %" PRIu64
            " issues is for the program as written; a transform changes the program.\n",
            lines->needed);
}

bool emu_advise_text(const EmuAdvice *a, FILE *out) {
  Lines lines;
  bool good = find_lines(a, &lines);
  if (good) {
    print_head(a, &lines, out);
    emu_report_messages(a->report, a->row, out);
    if (lines.count)
      fprintf(out, "\nThe lines with the most %s:\n",
              lines.idle ? "idle lanes"
                         : "issues that a better schedule could save, each an upper bound");
    for (uint32_t i = 0; i < lines.count && i < MOST_LINES; i++)
      print_worst(&lines.at[i], i ? &lines.at[i - 1] : NULL, out);
    print_tried(a, &lines, out);
  }
  free(lines.at);
  return good;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *line_object(const Worst *w) {
  const spv_emu_waste *waste = &w->waste;
  const spv_emu_result *r = w->part->result;
  const spv_emu_block *block = &r->blocks[r->parts[waste->part].block];
  char text[EMU_ADVISE_SENTENCE];
  json_t *o = json_object(), *causes = json_array();
  emu_source_file(o, spv_emu_source_of(w->part->program), waste->file);
  tool_json_set_count(o, "line", waste->line);
  json_object_set_new(o, "function", tool_json_text(block->function));
  tool_json_set_count(o, "block", block->id);
  tool_json_set_count(o, "issues", waste->issues);
  tool_json_set_count(o, "lane_instructions", waste->lanes);
  tool_json_set_count(o, "avoidable_issues", waste->avoidable);
  tool_json_set_count(o, "idle_lanes", waste->idle);
  for (uint32_t i = 0; i < waste->cause_count; i++) {
    emu_advise_cause(w->part, &waste->causes[i], text);
    json_array_append_new(causes, tool_json_text(text));
  }
  if (say_call(w, text))
    json_array_append_new(causes, tool_json_text(text));
  json_object_set_new(o, "causes", causes);
  return o;
}

static json_t *tried_object(const EmuTried *t, uint64_t issued) {
  json_t *o = json_object();
  json_object_set_new(o, "transform", tool_json_text(t->transform));
  json_object_set_new(o, "order", t->order ? tool_json_text(t->order) : json_null());
  json_object_set_new(o, "chooses", t->chosen ? tool_json_text(t->chosen->transform) : json_null());
  tool_json_set_count(o, "issues", t->issues);
  json_object_set_new(o, "percent_fewer", json_real(100 * mean(issued - t->issues, issued)));
  json_object_set_new(o, "command", tool_json_text(t->command));
  return o;
}

json_t *emu_advise_object(const EmuAdvice *a) {
  Lines lines;
  bool good = find_lines(a, &lines);
  json_t *o = json_object(), *worst = json_array(), *transforms = json_array();
  json_object_set_new(o, "policy", json_string(emu_row_total(a->row).policy));
  tool_json_set_count(o, "issues", lines.issued);
  tool_json_set_count(o, "needed_issues", lines.needed);
  json_object_set_new(o, "exact", json_boolean(lines.exact));
  for (uint32_t i = 0; good && i < lines.count; i++)
    json_array_append_new(worst, line_object(&lines.at[i]));
  json_object_set_new(o, "lines", worst);
  tool_json_set_count(o, "transforms_tried", a->measured);
  for (uint32_t i = 0; i < a->tried_count; i++)
    json_array_append_new(transforms, tried_object(&a->tried[i], lines.issued));
  json_object_set_new(o, "transforms", transforms);
  free(lines.at);
  if (good)
    return o;
  json_decref(o);
  return NULL;
}
