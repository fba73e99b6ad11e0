/* SPDX-License-Identifier: Apache-2.0 */
/* cli_stats: see cli_stats.h. graph.def and counts.def list all figures. */
#include "passes/cli/cli_stats.h"

#include "passes/tool/tool_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  LABEL = 28,
  NAME = 50
}; /* width of the labels' column; most characters of a function's name that are shown */

/* ---- all figures of a function --------------------------------------------------------------- */

/* Prints a label, such as " multi exit loops ", in a column of its own. */
static void print_label(const char *name, FILE *out) {
  int n = fprintf(out, "  ");
  for (; *name; name++, n++)
    fputc(*name == '_' ? ' ' : *name, out);
  fprintf(out, "%*s", n < LABEL ? LABEL - n : 1, "");
}

static void print_counts(const char *name, uint64_t before, uint64_t after, FILE *out) {
  print_label(name, out);
  fprintf(out, "%10" PRIu64 "%10" PRIu64 "\n", before, after);
}

static void print_flags(const char *name, bool before, bool after, FILE *out) {
  print_label(name, out);
  fprintf(out, "%10s%10s\n", before ? "yes" : "no", after ? "yes" : "no");
}

static void print_reals(const char *name, double before, double after, FILE *out) {
  print_label(name, out);
  fprintf(out, "%10.2f%10.2f\n", before, after);
}

/* Counts that are zero are left out. */
static void print_change(const char *name, uint32_t count, FILE *out) {
  if (count == 0)
    return;
  print_label(name, out);
  fprintf(out, "%20" PRIu32 "\n", count);
}

/* Of the output. */
static void print_text(const char *name, const char *text, FILE *out) {
  print_label(name, out);
  fprintf(out, "%20s\n", text);
}

/* Prints "function NAME before after". */
static void print_head(const spvreconv_function *f, FILE *out) {
  bool cut = strlen(f->name) > NAME;
  int n = fprintf(out, "function %.*s%s", cut ? NAME - 3 : NAME, f->name, cut ? "..." : "");
  fprintf(out, "%*s%10s%10s\n", n < LABEL ? LABEL - n : 1, "", "before", "after");
}

static void print_function(const spvreconv_function *f, FILE *out) {
  const spvreconv_graph *b = f->before, *a = f->after;
  print_head(f, out);
#define SR_COUNT(name, join) print_counts(#name, b->name, a->name, out);
#define SR_FLAG(name) print_flags(#name, b->name, a->name, out);
#define SR_REAL(name) print_reals(#name, b->name, a->name, out);
#include "passes/cli/graph.def"
#undef SR_COUNT
#undef SR_FLAG
#undef SR_REAL
#define SR_COUNT(name) print_change(#name, f->transform->name, out);
#include "passes/names/counts.def"
#undef SR_COUNT
  print_text("structure", f->structure, out);
  print_change("violations_repaired", f->violations_repaired, out);
  if (f->best_order)
    print_text("best_order", f->best_order, out);
}

/* ---- the sum --------------------------------------------------------------------------------- */

typedef struct Sum {
  uint32_t functions;
  spvreconv_graph before, after;           /* counts; the flags are not used */
  uint32_t structured[2], reconverging[2]; /* number of functions, before and after */
  uint32_t portable;                       /* number of functions, after */
  uint32_t repaired;                       /* violations */
  spvreconv_counts transform;
} Sum;

#define SR_SUM(to, from) (to) += (from)
#define SR_MAX(to, from) (to) = (to) > (from) ? (to) : (from)

static void add_graph(spvreconv_graph *to, const spvreconv_graph *from) {
#define SR_COUNT(name, join) SR_##join(to->name, from->name);
#define SR_FLAG(name)
#define SR_REAL(name)
#include "passes/cli/graph.def"
#undef SR_COUNT
#undef SR_FLAG
#undef SR_REAL
}

static void add_function(Sum *sum, const spvreconv_function *f) {
  sum->functions++;
  add_graph(&sum->before, f->before);
  add_graph(&sum->after, f->after);
  sum->structured[0] += f->before->structured;
  sum->structured[1] += f->after->structured;
  sum->reconverging[0] += f->before->reconverging;
  sum->reconverging[1] += f->after->reconverging;
  sum->portable += strcmp(f->structure, "portable") == 0;
  sum->repaired += f->violations_repaired;
#define SR_COUNT(name) sum->transform.name += f->transform->name;
#include "passes/names/counts.def"
#undef SR_COUNT
}

/* Prints, before and after, whether a property holds: "yes", "no", or for how many of the
 * functions, as "2 of 3". */
static void print_holds(const char *name, const uint32_t counts[2], uint32_t functions, FILE *out) {
  print_label(name, out);
  for (int i = 0; i < 2; i++) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, counts[i], functions);
    fprintf(out, "%10s", counts[i] == functions ? "yes" : counts[i] ? text : "no");
  }
  fputc('\n', out);
}

/* Prints counts, such as "3 blocks, 5 instructions, 1 selector", without those that are 0. */
static void print_parts(const char *label, const char *const names[3], const uint32_t counts[3],
                        FILE *out) {
  const char *before = "";
  if (!counts[0] && !counts[1] && !counts[2])
    return;
  print_label(label, out);
  for (int i = 0; i < 3; i++)
    if (counts[i]) {
      fprintf(out, "%s%" PRIu32 " %s%s", before, counts[i], names[i], counts[i] == 1 ? "" : "s");
      before = ", ";
    }
  fputc('\n', out);
}

/* Prints the structure that all functions of the output have, and what was repaired. */
static void print_structure(const Sum *sum, FILE *out) {
  print_label("structure", out);
  fprintf(out, "%s",
          sum->portable == sum->functions        ? "portable"
          : sum->structured[1] == sum->functions ? "any"
                                                 : "none");
  if (sum->repaired)
    fprintf(out, "; repaired: %" PRIu32 " violation%s", sum->repaired,
            sum->repaired == 1 ? "" : "s");
  fputc('\n', out);
}

static void print_sum(const Sum *sum, const spvreconv_function *only, FILE *out) {
  const spvreconv_graph *b = &sum->before, *a = &sum->after;
  const spvreconv_counts *c = &sum->transform;
  if (sum->functions == 1)
    print_head(only, out);
  else
    fprintf(out, "%-10" PRIu32 "%-*s%10s%10s\n", sum->functions, LABEL - 10, "functions", "before",
            "after");
  print_counts("blocks", b->blocks, a->blocks, out);
  print_counts("instructions", b->instructions, a->instructions, out);
  print_counts("divergent branches", b->divergent_branches, a->divergent_branches, out);
  print_counts("irreducible loops", b->irreducible_loops, a->irreducible_loops, out);
  print_holds("structured", sum->structured, sum->functions, out);
  print_holds("reconverging", sum->reconverging, sum->functions, out);
  print_structure(sum, out);
  print_parts("added", (const char *const[]){"block", "instruction", "selector"},
              (const uint32_t[]){c->added_blocks, c->added_instructions, c->selectors}, out);
  print_parts("copied", (const char *const[]){"block", "instruction", ""},
              (const uint32_t[]){c->duplicated_blocks, c->duplicated_instructions, 0}, out);
}

/* ---- transform best ---------------------------------------------------------------------------
 */

static double percent(uint64_t before, uint64_t after) {
  return before ? 100 * ((double)after - (double)before) / (double)before : 0;
}

static uint64_t issues(const spvreconv_cost *c) {
  return c->frontier_issues + c->stack_issues;
}

static uint32_t count_tried(const spvreconv_choice *c, const char *verdict) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->tried_count; i++)
    count += strcmp(c->tried[i].verdict, verdict) == 0;
  return count;
}

/* Prints a list that transform best did not choose, and why. */
static void print_tried(const spvreconv_choice *c, const spvreconv_tried *t, FILE *out) {
  if (!t->why || strcmp(t->verdict, "same") == 0)
    return;
  fprintf(out, "  %s: %s%s%s", t->verdict, t->transforms, t->order ? ", order " : "",
          t->order ? t->order : "");
  if (t->cost)
    fprintf(out, ": issues %" PRIu64 " (%+.1f %%), instructions %" PRIu32, issues(t->cost),
            percent(issues(c->structurize), issues(t->cost)), t->cost->instructions);
  fprintf(out, ": %s\n", t->why);
}

/* Prints what transform best chose for the function, what that gains over structurize, and, if
 * `all`, the verdicts on the other lists. */
static void print_choice(const spvreconv_function *f, bool all, FILE *out) {
  const spvreconv_choice *c = f->choice;
  if (!c)
    return;
  uint64_t before = issues(c->structurize), after = issues(c->chosen);
  fprintf(out,
          "best of %.*s: %s%s%s: issues %" PRIu64 " -> %" PRIu64
          " (%+.1f %%), instructions %" PRIu32 " -> %" PRIu32 ", %" PRIu32 " %s lane%s; %" PRIu32
          " lists tried: %" PRIu32 " lost, %" PRIu32 " refused\n",
          NAME, f->name, c->transforms, c->order ? ", order " : "", c->order ? c->order : "",
          before, after, percent(before, after), c->structurize->instructions,
          c->chosen->instructions, c->lanes, c->recorded ? "recorded" : "supposed",
          c->lanes == 1 ? "" : "s", c->tried_count, count_tried(c, "lost"),
          count_tried(c, "refused"));
  for (uint32_t i = 0; all && i < c->tried_count; i++)
    print_tried(c, &c->tried[i], out);
}

/* ---- reports --------------------------------------------------------------------------------- */

void cli_print_stats(const spvreconv_result *result, const char *file, CliStats kind, bool check,
                     FILE *out) {
  size_t words;
  Sum sum = {0};
  spvreconv_result_words(result, &words);
  fprintf(out, "%s: %zu words in, %zu words out%s\n", tool_name(file),
          spvreconv_result_input_words(result), words,
          spvreconv_result_changed(result) ? "" : ", unchanged");
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    if (kind == CLI_STATS_ALL)
      print_function(f, out);
    else
      add_function(&sum, f);
  if (sum.functions)
    print_sum(&sum, spvreconv_result_function(result, 0), out);
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    print_choice(f, kind == CLI_STATS_ALL, out);
  if (check)
    cli_print_check(result, file, NULL, out);
}

bool cli_has_compared(const spvreconv_check *check) {
  return check->functions && (!check->edges || check->edges_covered);
}

/* Prints that the functions are the same word for word, or that there are none. */
static void print_unchanged(const spvreconv_check *c, const char *against, FILE *out) {
  if (!against)
    fputs("nothing to compare: no function was changed\n", out);
  else if (c->unchanged)
    fprintf(out, "the same as %s word for word, %" PRIu64 " function%s\n", tool_name(against),
            c->unchanged, c->unchanged == 1 ? "" : "s");
  else
    fprintf(out, "nothing was compared: neither this module nor %s has a function\n",
            tool_name(against));
}

void cli_print_check(const spvreconv_result *result, const char *file, const char *against,
                     FILE *out) {
  const spvreconv_check *c = spvreconv_result_check(result);
  fprintf(out, "%s: ", tool_name(file));
  if (!c->functions)
    print_unchanged(c, against, out);
  else if (!cli_has_compared(c))
    fprintf(out, "nothing was compared: no walk took one of the %" PRIu64 " edges\n", c->edges);
  else
    fprintf(out,
            "no difference on %" PRIu64 " walks through %" PRIu64
            " changed function%s; covered %" PRIu64 " of %" PRIu64 " edges, %" PRIu64 " of %" PRIu64
            " pairs of the input, %" PRIu64 " of %" PRIu64 " edges, %" PRIu64 " of %" PRIu64
            " pairs of the output\n",
            c->walks, c->functions, c->functions == 1 ? "" : "s", c->edges_covered, c->edges,
            c->pairs_covered, c->pairs, c->output_edges_covered, c->output_edges,
            c->output_pairs_covered, c->output_pairs);
}

static void print_time(const char *name, double milliseconds, double total) {
  fprintf(stderr, "%-20s%12.3f%9.1f%%\n", name, milliseconds,
          total > 0 ? 100 * milliseconds / total : 100);
}

void cli_print_times(const spvreconv_result *result) {
  const spvreconv_pass *pass;
  double total = 0;
  for (size_t i = 0; (pass = spvreconv_result_pass(result, i)); i++)
    total += pass->milliseconds;
  fprintf(stderr, "%-20s%12s%10s\n", "pass", "ms", "share");
  for (size_t i = 0; (pass = spvreconv_result_pass(result, i)); i++)
    print_time(pass->name, pass->milliseconds, total);
  print_time("total", total, total);
}
