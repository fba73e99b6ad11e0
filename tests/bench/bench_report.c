/* SPDX-License-Identifier: Apache-2.0 */
/* bench_report: see bench_report.h. Exponents are least-squares slopes through (log blocks, log
 * seconds), less the cost of a process on a small module. */
#include "tests/bench/bench_report.h"

#include <math.h>
#include <string.h>

static double per_block(const BenchCase *c, BenchTool tool) {
  return c->seconds[tool] * 1e6 / (double)c->before.blocks;
}

static double bytes(const BenchCase *c) {
  return (double)c->before.words * 4;
}

/* A number, or a dash if nothing was measured. */
static void print_number(FILE *out, int width, int digits, double value) {
  if (value > 0)
    fprintf(out, " %*.*f", width, digits, value);
  else
    fprintf(out, " %*s", width, "-");
}

static void print_ratio(FILE *out, int width, double a, double b) {
  print_number(out, width, 2, a > 0 && b > 0 ? a / b : 0);
}

static const char *form(const BenchCase *c) {
  return c->shape.each >= c->shape.blocks ? "one" : "many";
}

/* ---- one line a case ------------------------------------------------------------------------- */

void bench_print_head(FILE *out) {
  fputs("\nMicroseconds of CPU a block, whole process (llvm: its passes only), and ours against "
        "theirs\n"
        "(structurize / tool; read and write / spirv-opt; kernel-to-shader / llvm-spirv -r); peak: "
        "memory over the module's size.\n\n"
        "family      form of     blocks     words    rw  struct  reconv    iter    spec    meld  "
        "kernel   "
        "check |"
        "   val   opt "
        "m-ret   llvm   back |"
        " s/val s/m-r s/llvm rw/opt k/back | peak\n",
        out);
}

void bench_print_case(FILE *out, const BenchCase *c) {
  const double *s = c->seconds;
  fprintf(out, "%-11s %-4s %6u %6u %9llu", bench_family_names[c->shape.family], form(c),
          (unsigned)c->shape.each, (unsigned)c->before.blocks, (unsigned long long)c->before.words);
  print_number(out, 5, 2, per_block(c, BENCH_COPY));
  print_number(out, 7, 2, per_block(c, BENCH_STRUCTURIZE));
  print_number(out, 7, 2, per_block(c, BENCH_RECONVERGE));
  print_number(out, 7, 2, per_block(c, BENCH_ITERATIONS));
  print_number(out, 7, 2, per_block(c, BENCH_SPECULATIVE));
  print_number(out, 7, 2, per_block(c, BENCH_MELD));
  print_number(out, 7, 2, per_block(c, BENCH_KERNEL));
  print_number(out, 7, 2, per_block(c, BENCH_CHECK));
  fputs(" |", out);
  print_number(out, 5, 1, per_block(c, BENCH_VAL));
  print_number(out, 5, 1, per_block(c, BENCH_OPT));
  print_number(out, 5, 1, per_block(c, BENCH_MERGE_RETURN));
  print_number(out, 6, 1, per_block(c, BENCH_LLVM));
  print_number(out, 6, 1, per_block(c, BENCH_BACKWARDS));
  fputs(" |", out);
  print_ratio(out, 5, s[BENCH_STRUCTURIZE], s[BENCH_VAL]);
  print_ratio(out, 5, s[BENCH_STRUCTURIZE], s[BENCH_MERGE_RETURN]);
  print_ratio(out, 6, s[BENCH_STRUCTURIZE], s[BENCH_LLVM]);
  print_ratio(out, 6, s[BENCH_COPY], s[BENCH_OPT]);
  print_ratio(out, 6, s[BENCH_KERNEL], s[BENCH_BACKWARDS]);
  fputs(" |", out);
  print_ratio(out, 4, (double)c->peak, bytes(c));
  fputc('\n', out);
  fflush(out);
}

/* ---- growth ---------------------------------------------------------------------------------- */

static double added(uint64_t before, uint64_t after, uint64_t blocks) {
  return ((double)after - (double)before) / (double)blocks;
}

static void print_added(FILE *out, const BenchCounts *before, const BenchCounts *after) {
  if (after->blocks == 0) {
    fprintf(out, " %6s %6s %6s", "-", "-", "-");
    return;
  }
  fprintf(out, " %6.2f %6.2f %6.2f", added(before->blocks, after->blocks, before->blocks),
          added(before->instructions, after->instructions, before->blocks),
          added(before->phis, after->phis, before->blocks));
}

static void print_shape(FILE *out, const BenchCase *c) {
  fprintf(out, "%-11s %-4s %6u %6u", bench_family_names[c->shape.family], form(c),
          (unsigned)c->shape.each, (unsigned)c->before.blocks);
}

static void print_growth(FILE *out, const BenchResults *r) {
  fputs("\nAdded per block of the input: blocks, instructions (phis and branches too, merge "
        "instructions not), phis\n\n"
        "family      form of     blocks    in: instr  phis |   ours: bl. instr   phis |",
        out);
  for (size_t v = 0; v < r->opts; v++)
    fprintf(out, " LLVM %u: bl. instr  phis |", r->opt[v].version);
  fputc('\n', out);
  for (size_t k = 0; k < r->count; k++) {
    const BenchCase *c = &r->cases[k];
    print_shape(out, c);
    fprintf(out, "       %6.2f %5.2f |", added(0, c->before.instructions, c->before.blocks),
            added(0, c->before.phis, c->before.blocks));
    print_added(out, &c->before, &c->after);
    fputs("  |", out);
    for (size_t v = 0; v < r->opts; v++) {
      print_added(out, &c->llvm[v].before, &c->llvm[v].after);
      fputs("  |", out);
    }
    fputc('\n', out);
  }
}

/* ---- after LLVM's clean-up ------------------------------------------------------------------- */

/* Instructions and phis added per block of the input, after the clean-up. */
static void print_cleaned_pair(FILE *out, const BenchCase *c, const BenchCounts *before,
                               const BenchCounts *after, bool known) {
  if (known)
    fprintf(out, " %6.2f %6.2f", added(before->instructions, after->instructions, c->before.blocks),
            added(before->phis, after->phis, c->before.blocks));
  else
    fprintf(out, " %6s %6s", "-", "-");
}

static void print_cleaned(FILE *out, const BenchResults *r) {
  if (r->opts == 0)
    return;
  char passes[160];
  bench_opt_cleanup(&r->opt[0], passes, sizeof passes);
  fprintf(out,
          "\nAdded per block after the same clean-up, which the input gets, too: instructions, "
          "phis\n(%s %s)\n\nfamily      form of     blocks |",
          r->opt[0].opt, passes);
  for (size_t v = 0; v < r->opts; v++)
    fprintf(out, " ours by %u     LLVM %u       |", r->opt[v].version, r->opt[v].version);
  fputc('\n', out);
  for (size_t k = 0; k < r->count; k++) {
    const BenchCase *c = &r->cases[k];
    if (!c->llvm[0].compared)
      continue;
    print_shape(out, c);
    fputs(" |", out);
    for (size_t v = 0; v < r->opts; v++) {
      const BenchOpted *o = &c->llvm[v];
      print_cleaned_pair(out, c, &o->ours_before, &o->ours_after, o->ours_cleaned);
      print_cleaned_pair(out, c, &o->clean_before, &o->clean_after, o->cleaned);
      fputs(" |", out);
    }
    fputc('\n', out);
  }
}

/* ---- exponents ------------------------------------------------------------------------------- */

/* A run of cases of one family and form, from `first` on: one function each, or functions of one
 * size. Returns its length. */
static size_t series(const BenchResults *r, size_t first) {
  const BenchCase *a = &r->cases[first];
  size_t n = 1;
  while (first + n < r->count && r->cases[first + n].shape.family == a->shape.family &&
         strcmp(form(&r->cases[first + n]), form(a)) == 0 &&
         (form(a)[0] == 'o' || r->cases[first + n].shape.each == a->shape.each))
    n++;
  return n;
}

/* The slope of the line through the points; NAN: there are fewer than two. */
static double slope(const double *x, const double *y, size_t n) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = 0; k < n; k++) {
    sx += x[k];
    sy += y[k];
    sxx += x[k] * x[k];
    sxy += x[k] * y[k];
  }
  double spread = (double)n * sxx - sx * sx;
  return n >= 2 ? ((double)n * sxy - sx * sy) / spread : NAN;
}

enum { SERIES_MAX = 8 };

/* The exponent of the time of `tool`, over at most SERIES_MAX sizes. */
static double exponent(const BenchResults *r, size_t first, size_t count, BenchTool tool) {
  double x[SERIES_MAX], y[SERIES_MAX];
  size_t n = 0;
  double start = tool <= BENCH_KERNEL ? r->small[tool]
                 : tool == BENCH_LLVM ? 0
                                      : r->small[BENCH_OPT];
  for (size_t k = first; k < first + count && n < SERIES_MAX; k++) {
    double seconds = r->cases[k].seconds[tool] - start;
    if (r->cases[k].seconds[tool] <= 0 || seconds <= 0)
      continue;
    x[n] = log((double)r->cases[k].before.blocks);
    y[n++] = log(seconds);
  }
  return slope(x, y, n);
}

/* The exponent of the number of phis added, or of all instructions added; NAN: none are. */
static double exponent_added(const BenchResults *r, size_t first, size_t count, bool phis) {
  double x[SERIES_MAX], y[SERIES_MAX];
  size_t n = 0;
  for (size_t k = first; k < first + count && n < SERIES_MAX; k++) {
    const BenchCase *c = &r->cases[k];
    double more = phis ? added(c->before.phis, c->after.phis, 1)
                       : added(c->before.instructions, c->after.instructions, 1);
    if (c->after.blocks == 0 || more <= 0)
      continue;
    x[n] = log((double)c->before.blocks);
    y[n++] = log(more);
  }
  return slope(x, y, n);
}

static void print_exponents(FILE *out, const BenchResults *r) {
  static const BenchTool tools[] = {BENCH_COPY,         BENCH_STRUCTURIZE, BENCH_RECONVERGE,
                                    BENCH_ITERATIONS,   BENCH_SPECULATIVE, BENCH_MELD,
                                    BENCH_KERNEL,       BENCH_VAL,         BENCH_OPT,
                                    BENCH_MERGE_RETURN, BENCH_LLVM};
  fputs("\nExponents over the sizes above (time ~ blocks^x; start-up time subtracted)\n\n"
        "family      form     rw struct reconv   iter   spec   meld kernel    val    opt  m-ret   "
        "llvm | "
        "we add: "
        "instr. phis\n",
        out);
  for (size_t k = 0, n; k < r->count; k += n) {
    n = series(r, k);
    if (n < 2)
      continue;
    fprintf(out, "%-11s %-4s", bench_family_names[r->cases[k].shape.family], form(&r->cases[k]));
    for (size_t t = 0; t < sizeof tools / sizeof *tools; t++) {
      double x = exponent(r, k, n, tools[t]);
      print_number(out, 6, 2, isnan(x) ? 0 : x);
    }
    fputs(" |", out);
    for (int phis = 0; phis < 2; phis++) {
      double x = exponent_added(r, k, n, phis);
      print_number(out, phis ? 5 : 13, 2, isnan(x) ? 0 : x);
    }
    fputc('\n', out);
  }
}

/* ---- targets --------------------------------------------------------------------------------- */

/* Judges a figure; NAN: spvreconv did not finish. */
typedef void Judge(void *sink, const char *what, const BenchCase *c, double value, double limit);

static void judge_case(Judge *judge, void *sink, const BenchCase *c) {
  const double *s = c->seconds;
  double blocks = (double)c->before.blocks;
  if (s[BENCH_COPY] > 0 && c->shape.blocks >= 10000)
    judge(sink, "read and write, us a block", c, per_block(c, BENCH_COPY), BENCH_COPY_MICROSECONDS);
  if (c->shape.each >= BENCH_TIMED_FUNCTION)
    judge(sink, "structurize, us a block", c,
          s[BENCH_STRUCTURIZE] > 0 ? per_block(c, BENCH_STRUCTURIZE) : NAN,
          BENCH_STRUCTURIZE_MICROSECONDS);
  if (s[BENCH_KERNEL] > 0 && c->shape.each >= BENCH_TIMED_FUNCTION)
    judge(sink, "kernel-to-shader, us a block", c, per_block(c, BENCH_KERNEL),
          BENCH_KERNEL_MICROSECONDS);
  if (s[BENCH_KERNEL] > 0 && s[BENCH_BACKWARDS] > 0)
    judge(sink, "kernel-to-shader / llvm-spirv -r", c, s[BENCH_KERNEL] / s[BENCH_BACKWARDS],
          BENCH_SHARE_OF_BACKWARDS);
  if (s[BENCH_STRUCTURIZE] > 0 && s[BENCH_VAL] > 0 && c->shape.blocks == 10000)
    judge(sink, "structurize / spirv-val", c, s[BENCH_STRUCTURIZE] / s[BENCH_VAL],
          BENCH_SHARE_OF_VAL);
  if (s[BENCH_STRUCTURIZE] > 0 && s[BENCH_CHECK] > 0 && c->shape.blocks == 1000)
    judge(sink, "--check / structurize", c,
          (s[BENCH_CHECK] - s[BENCH_STRUCTURIZE]) / s[BENCH_STRUCTURIZE], BENCH_CHECK_SHARE);
  if (c->peak > 0 && bytes(c) > 1e6)
    judge(sink, "peak memory / module", c, (double)c->peak / bytes(c), BENCH_PEAK);
  const BenchOpted *o = &c->llvm[0];
  if (o->cleaned && o->ours_cleaned && c->shape.each <= BENCH_CLEANED_FUNCTION &&
      c->shape.family != BENCH_TANGLED)
    judge(sink, "cleaned instructions, ours / LLVM's", c,
          added(o->ours_before.instructions, o->ours_after.instructions, 1) /
              added(o->clean_before.instructions, o->clean_after.instructions, 1),
          BENCH_SHARE_OF_LLVM_CLEANED);
  if (!o->compared || c->after.blocks == 0 ||
      (c->shape.family != BENCH_LOCAL && c->shape.family != BENCH_IRREDUCIBLE))
    return;
  double share =
      c->shape.family == BENCH_LOCAL ? BENCH_SHARE_OF_LLVM_LOCAL : BENCH_SHARE_OF_LLVM_IRREDUCIBLE;
  double llvm = (double)o->before.blocks;
  judge(sink, "instructions added, ours / LLVM's", c,
        added(c->before.instructions, c->after.instructions, 1) / blocks * llvm /
            added(o->before.instructions, o->after.instructions, 1),
        share);
  judge(sink, "phis added, ours / LLVM's", c,
        added(c->before.phis, c->after.phis, 1) / blocks * llvm /
            added(o->before.phis, o->after.phis, 1),
        share);
}

static void judge_all(Judge *judge, void *sink, const BenchResults *r) {
  for (size_t k = 0; k < r->count; k++)
    judge_case(judge, sink, &r->cases[k]);
  for (size_t k = 0, n; k < r->count; k += n) {
    n = series(r, k);
    const double x[] = {exponent(r, k, n, BENCH_STRUCTURIZE), exponent_added(r, k, n, false),
                        exponent_added(r, k, n, true)};
    static const char *const what[] = {"exponent of structurize", "exponent of instructions added",
                                       "exponent of phis added"};
    for (size_t e = 0; e < sizeof x / sizeof *x; e++)
      if (!isnan(x[e]))
        judge(sink, what[e], &r->cases[k], x[e], BENCH_EXPONENT);
    static const struct {
      BenchTool tool;
      const char *what;
      double limit;
    } others[] = {{BENCH_RECONVERGE, "exponent of reconverge", BENCH_RECONVERGE_EXPONENT},
                  {BENCH_ITERATIONS, "exponent of merge-iterations:all", BENCH_EXPONENT},
                  {BENCH_SPECULATIVE, "exponent of speculative:all", BENCH_EXPONENT},
                  {BENCH_MELD, "exponent of meld:0", BENCH_EXPONENT},
                  {BENCH_KERNEL, "exponent of kernel-to-shader", BENCH_EXPONENT}};
    for (size_t e = 0; e < sizeof others / sizeof *others; e++) {
      double y = exponent(r, k, n, others[e].tool);
      if (!isnan(y))
        judge(sink, others[e].what, &r->cases[k], y, others[e].limit);
    }
  }
  static const BenchTool small[] = {BENCH_COPY, BENCH_STRUCTURIZE};
  for (int k = 0; k < 2; k++)
    if (r->small[small[k]] > 0)
      judge(sink, k ? "small module, structurize, ms" : "small module, read and write, ms", NULL,
            r->small[small[k]] * 1e3, BENCH_SMALL_MILLISECONDS);
}

static void print_target(void *sink, const char *what, const BenchCase *c, double value,
                         double limit) {
  char where[64] = "20 blocks";
  if (c)
    snprintf(where, sizeof where, "%s, %s, %u blocks", bench_family_names[c->shape.family], form(c),
             (unsigned)c->shape.blocks);
  fprintf(sink, "  %-36s %-36s %8.2f  target %5.2f  %s\n", what, where, value, limit,
          isnan(value)     ? "not done"
          : value <= limit ? "ok"
                           : "above");
}

static void print_small(FILE *out, const BenchResults *r) {
  fprintf(out,
          "\nA module of 20 blocks, ms of CPU a process: read and write %.2f, structurize %.2f; "
          "spirv-opt without passes %.2f, spirv-dis %.2f\n",
          r->small[BENCH_COPY] * 1e3, r->small[BENCH_STRUCTURIZE] * 1e3, r->small[BENCH_OPT] * 1e3,
          r->small[BENCH_DIS] * 1e3);
}

void bench_print_rest(FILE *out, const BenchResults *r) {
  print_growth(out, r);
  print_cleaned(out, r);
  print_exponents(out, r);
  print_small(out, r);
  fputs("\nTargets (exponents: from the first size given on)\n\n", out);
  judge_all(print_target, out, r);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_counts(FILE *out, const char *key, const BenchCounts *n) {
  fprintf(out, ",\"%s\":{\"blocks\":%llu,\"instructions\":%llu,\"phis\":%llu}", key,
          (unsigned long long)n->blocks, (unsigned long long)n->instructions,
          (unsigned long long)n->phis);
}

/* Under keys that begin with that name. */
static void json_opted(FILE *out, const char *name, const BenchOpted *o) {
  const struct {
    const char *suffix;
    const BenchCounts *counts;
    bool known;
  } all[] = {{"before", &o->before, o->compared},
             {"after", &o->after, o->compared},
             {"clean_before", &o->clean_before, o->cleaned},
             {"clean_after", &o->clean_after, o->cleaned},
             {"ours_clean_before", &o->ours_before, o->ours_cleaned},
             {"ours_clean_after", &o->ours_after, o->ours_cleaned}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    char key[40];
    snprintf(key, sizeof key, "%s_%s", name, all[k].suffix);
    if (all[k].known)
      json_counts(out, key, all[k].counts);
  }
}

static void json_case(FILE *out, const BenchCase *c) {
  fprintf(out, "{\"family\":\"%s\",\"blocks\":%u,\"function_blocks\":%u,\"words\":%llu",
          bench_family_names[c->shape.family], (unsigned)c->shape.blocks, (unsigned)c->shape.each,
          (unsigned long long)c->before.words);
  for (int t = 0; t < BENCH_TOOLS; t++)
    if (c->seconds[t] > 0)
      fprintf(out, ",\"%s_seconds\":%.6f", bench_tool_names[t], c->seconds[t]);
  fprintf(out, ",\"peak_bytes\":%ld", c->peak);
  json_counts(out, "before", &c->before);
  json_counts(out, "after", &c->after);
  json_opted(out, "llvm", &c->llvm[0]);
  json_opted(out, "llvm_second", &c->llvm[1]);
  fputc('}', out);
}

typedef struct JsonList {
  FILE *out;
  const char *between;
} JsonList;

static void json_target(void *sink, const char *what, const BenchCase *c, double value,
                        double limit) {
  JsonList *list = sink;
  fprintf(list->out, "%s{\"what\":\"%s\"", list->between, what);
  if (c)
    fprintf(list->out, ",\"family\":\"%s\",\"blocks\":%u,\"function_blocks\":%u",
            bench_family_names[c->shape.family], (unsigned)c->shape.blocks,
            (unsigned)c->shape.each);
  if (isnan(value))
    fputs(",\"value\":null", list->out);
  else
    fprintf(list->out, ",\"value\":%.4f", value);
  fprintf(list->out, ",\"target\":%.4f,\"ok\":%s}", limit, value <= limit ? "true" : "false");
  list->between = ",";
}

void bench_print_json(FILE *out, const BenchResults *r) {
  fprintf(out, "{\"tool\":\"spvreconv-bench\",\"seed\":%llu,\"small\":{",
          (unsigned long long)r->seed);
  const char *between = "";
  for (int t = 0; t < BENCH_TOOLS; t++)
    if (r->small[t] > 0) {
      fprintf(out, "%s\"%s_seconds\":%.6f", between, bench_tool_names[t], r->small[t]);
      between = ",";
    }
  fputs("},\"cases\":[", out);
  for (size_t k = 0; k < r->count; k++) {
    fputs(k ? "," : "", out);
    json_case(out, &r->cases[k]);
  }
  fputs("],\"targets\":[", out);
  judge_all(json_target, &(JsonList){out, ""}, r);
  fputs("]}\n", out);
}
