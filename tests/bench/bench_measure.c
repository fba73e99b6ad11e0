/* SPDX-License-Identifier: Apache-2.0 */
/* bench_measure: command lines of the tools, and which of them are run on which module. */
#include "tests/bench/bench_measure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* LLVM 22 makes hundreds of phis per block of long functions, most of which its clean-up
 * removes. */
enum {
  PATH_SIZE = 512,
  LLVM_QUICK_FUNCTION = 200,
  BACKWARDS_QUICK_BLOCKS = 1000,
  LLVM_FUNCTION = 1000,
  UNBOUNDED_FUNCTION = 20000
};

const char *const bench_tool_names[BENCH_TOOLS] = {
    "read_write",   "structurize", "reconverge", "merge_iterations", "speculative",
    "meld",         "kernel",      "check",      "spirv_val",        "spirv_opt",
    "merge_return", "llvm",        "spirv_dis",  "llvm_spirv"};

typedef struct Paths {
  char spv[PATH_SIZE], out[PATH_SIZE], ll[PATH_SIZE], bc[PATH_SIZE], bc_out[PATH_SIZE];
  char text[PATH_SIZE], kernel[PATH_SIZE];
  char json[PATH_SIZE], messages[PATH_SIZE];
} Paths;

static void name_paths(const BenchPlan *plan, Paths *p) {
  snprintf(p->spv, PATH_SIZE, "%s/in.spv", plan->folder);
  snprintf(p->kernel, PATH_SIZE, "%s/kernel.spv", plan->folder);
  snprintf(p->out, PATH_SIZE, "%s/out.spv", plan->folder);
  snprintf(p->ll, PATH_SIZE, "%s/in.ll", plan->folder);
  snprintf(p->bc, PATH_SIZE, "%s/in.bc", plan->folder);
  snprintf(p->bc_out, PATH_SIZE, "%s/out.bc", plan->folder);
  snprintf(p->text, PATH_SIZE, "%s/text.ll", plan->folder);
  snprintf(p->json, PATH_SIZE, "%s/out.json", plan->folder);
  snprintf(p->messages, PATH_SIZE, "%s/messages", plan->folder);
}

static void remove_paths(const Paths *p) {
  const char *const all[] = {p->spv,    p->kernel, p->out,  p->ll,      p->bc,
                             p->bc_out, p->text,   p->json, p->messages};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    unlink(all[k]);
}

typedef struct Writing {
  const BenchShape *shape;
  const Paths *paths;
} Writing;

static bool write_files(const void *argument) {
  const Writing *w = argument;
  return bench_write(w->shape, w->paths->spv, w->paths->ll) &&
         bench_write_kernel(w->shape, w->paths->kernel);
}

static void note(BenchPlan *plan, const BenchShape *shape, const char *tool, const char *what) {
  fprintf(plan->notes, "%s, %u blocks, functions of %u: %s %s\n", bench_family_names[shape->family],
          (unsigned)shape->blocks, (unsigned)shape->each, tool, what);
}

static void note_failure(BenchPlan *plan, const BenchShape *shape, const char *tool,
                         const Paths *paths) {
  char what[256] = "fails", line[200] = "";
  FILE *messages = fopen(paths->messages, "r");
  if (messages && fgets(line, sizeof line, messages))
    snprintf(what, sizeof what, "fails: %.*s", (int)strcspn(line, "\n"), line);
  if (messages)
    fclose(messages);
  note(plan, shape, tool, what);
  plan->failed = true;
}

/* The best of several runs; zeros if the tool does not finish. */
static BenchCost best(BenchPlan *plan, const BenchShape *shape, const char *const *argv,
                      const Paths *paths) {
  BenchCost least = {BENCH_DONE, 1e30, 0};
  double spent = 0;
  for (unsigned k = 0; k < plan->runs && spent < plan->enough; k++) {
    BenchCost cost = bench_run(argv, "/dev/null", paths->messages, plan->limit);
    const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    if (cost.end == BENCH_FAILED)
      note_failure(plan, shape, name, paths);
    else if (cost.end == BENCH_LATE)
      note(plan, shape, name, "ran into the time limit");
    else if (cost.end == BENCH_ABSENT)
      note(plan, shape, name, "is not installed or cannot be started");
    if (cost.end != BENCH_DONE)
      return cost;
    if (cost.seconds < least.seconds)
      least = cost;
    spent += cost.seconds;
  }
  return least;
}

typedef const char *CommandLine[8];

static void command_line(const BenchPlan *plan, const Paths *p, BenchTool tool, CommandLine argv) {
  const CommandLine lines[BENCH_TOOLS] = {
      [BENCH_COPY] = {plan->ours, "--no-validate", "--transform=none", p->spv, "-o", p->out},
      [BENCH_STRUCTURIZE] = {plan->ours, "--no-validate", "--transform=structurize", p->spv, "-o",
                             p->out},
      [BENCH_RECONVERGE] = {plan->ours, "--no-validate", "--transform=reconverge", p->spv, "-o",
                            p->out},
      [BENCH_ITERATIONS] = {plan->ours, "--no-validate", "--transform=merge-iterations:all", p->spv,
                            "-o", p->out},
      [BENCH_SPECULATIVE] = {plan->ours, "--no-validate", "--transform=speculative:all", p->spv,
                             "-o", p->out},
      [BENCH_MELD] = {plan->ours, "--no-validate", "--transform=meld:0", p->spv, "-o", p->out},
      [BENCH_KERNEL] = {plan->ours, "--no-validate", "--transform=kernel-to-shader", p->kernel,
                        "-o", p->out},
      [BENCH_CHECK] = {plan->ours, "--no-validate", "--transform=structurize", "--check", p->spv,
                       "-o", p->out},
      [BENCH_VAL] = {"spirv-val", p->spv},
      [BENCH_OPT] = {"spirv-opt", "--skip-validation", p->spv, "-o", p->out},
      [BENCH_MERGE_RETURN] = {"spirv-opt", "--skip-validation", "--merge-return", p->spv, "-o",
                              p->out},
      [BENCH_DIS] = {"spirv-dis", p->spv, "-o", p->out},
      [BENCH_BACKWARDS] = {"llvm-spirv-15", "-r", p->kernel, "-o", p->bc}};
  memcpy(argv, lines[tool], sizeof(CommandLine));
}

/* Measures a tool, which must be installed and must accept the module; spvreconv must also finish
 * in time. */
static void measure(BenchPlan *plan, BenchCase *c, const Paths *paths, BenchTool tool) {
  CommandLine argv;
  command_line(plan, paths, tool, argv);
  BenchCost cost = best(plan, &c->shape, argv, paths);
  plan->failed |= cost.end == BENCH_ABSENT || (cost.end == BENCH_LATE && argv[0] == plan->ours);
  if (cost.end != BENCH_DONE)
    return;
  c->seconds[tool] = cost.seconds;
  if (tool == BENCH_STRUCTURIZE)
    c->peak = cost.peak;
}

/* Compares the output, counted here, with spvreconv's counts. */
static void count_ours(BenchPlan *plan, BenchCase *c, const Paths *paths) {
  const char *const argv[] = {plan->ours,
                              "--no-validate",
                              "--transform=structurize",
                              "--json",
                              paths->spv,
                              "-o",
                              paths->out,
                              NULL};
  uint64_t told;
  if (c->seconds[BENCH_STRUCTURIZE] <= 0)
    return;
  if (bench_run(argv, paths->json, paths->messages, plan->limit * 4).end != BENCH_DONE ||
      !bench_count_spirv(paths->out, &c->after)) {
    note_failure(plan, &c->shape, "spvreconv --json", paths);
    return;
  }
  if (!bench_sum_json(paths->json, "added_blocks", &told) ||
      c->before.blocks + told != c->after.blocks)
    note(plan, &c->shape, "spvreconv", "--json counts other added blocks than its output has");
  if (!bench_sum_json(paths->json, "added_phis", &told) || c->before.phis + told != c->after.phis)
    note(plan, &c->shape, "spvreconv", "--json counts other added phis than its output has");
}

static bool wants_llvm(BenchPlan *plan, const BenchShape *shape) {
  if (plan->quick && shape->each > LLVM_QUICK_FUNCTION)
    return false;
  if (plan->full || plan->duel || shape->each <= LLVM_QUICK_FUNCTION ||
      (shape->each <= LLVM_FUNCTION && shape->blocks <= UNBOUNDED_FUNCTION &&
       shape->family != BENCH_TANGLED))
    return true;
  note(plan, shape, "LLVM", "is left out: takes minutes (--full runs it)");
  return false;
}

static void run_llvm(BenchPlan *plan, const BenchOpt *o, BenchCase *c, BenchOpted *out,
                     const Paths *p) {
  char passes[160];
  const char *const assemble[] = {o->opt, "-passes=verify", p->ll, "-o", p->bc, NULL};
  const char *const copy[] = {
      o->opt, "-disable-verify", "-passes=no-op-module", p->bc, "-o", p->bc_out, NULL};
  const char *const structurize[] = {o->opt, "-disable-verify", passes, p->bc,
                                     "-o",   p->bc_out,         NULL};
  const char *const print[] = {o->opt,    "-S", "-disable-verify", "-passes=no-op-module",
                               p->bc_out, "-o", p->text,           NULL};
  const char *const verify[] = {o->opt, "-passes=verify", "-disable-output", p->bc_out, NULL};
  bench_opt_structurizer(o, passes, sizeof passes);
  if (!bench_count_llvm(p->ll, &out->before) ||
      best(plan, &c->shape, assemble, p).end != BENCH_DONE)
    return;
  BenchCost base = best(plan, &c->shape, copy, p), cost = best(plan, &c->shape, structurize, p);
  if (base.end != BENCH_DONE || cost.end != BENCH_DONE)
    return;
  out->seconds = cost.seconds > base.seconds ? cost.seconds - base.seconds : 1e-6;
  out->compared = bench_run(print, "/dev/null", p->messages, plan->limit).end == BENCH_DONE &&
                  bench_count_llvm(p->text, &out->after);
  if (bench_run(verify, "/dev/null", p->messages, plan->limit).end == BENCH_FAILED)
    note(plan, &c->shape, o->opt, "writes IR here that its own verifier refuses");
}

/* Cleans the inputs and outputs of both. */
static void clean(BenchPlan *plan, const BenchOpt *o, BenchCase *c, BenchOpted *out,
                  const Paths *p) {
  const char *messages = p->messages;
  unsigned limit = plan->limit;
  out->cleaned = out->compared &&
                 bench_opt_clean(o, p->bc, p->text, messages, limit, &out->clean_before) &&
                 bench_opt_clean(o, p->bc_out, p->text, messages, limit, &out->clean_after);
  out->ours_cleaned =
      c->after.blocks > 0 &&
      bench_opt_clean_spirv(o, p->spv, p->bc, p->text, messages, limit, &out->ours_before) &&
      bench_opt_clean_spirv(o, p->out, p->bc, p->text, messages, limit, &out->ours_after);
  if (c->after.blocks > 0 && !out->ours_cleaned)
    note(plan, &c->shape, "llvm-spirv-15", "is not installed, or cannot read the module");
}

/* LLVM may be missing, too slow or broken: that is a note, not a failure. */
static void measure_llvm(BenchPlan *plan, BenchCase *c, const Paths *p) {
  bool failed = plan->failed;
  for (size_t k = 0; k < plan->opts; k++) {
    run_llvm(plan, &plan->opt[k], c, &c->llvm[k], p);
    clean(plan, &plan->opt[k], c, &c->llvm[k], p);
  }
  c->seconds[BENCH_LLVM] = c->llvm[0].seconds;
  plan->failed = failed;
}

static bool wants_val(BenchPlan *plan, const BenchShape *shape) {
  if (plan->full || shape->each <= UNBOUNDED_FUNCTION)
    return true;
  note(plan, shape, "spirv-val", "is left out: quadratic in a function (--full runs it)");
  return false;
}

/* The translator may be missing: that is a note, not a failure. */
static void measure_backwards(BenchPlan *plan, BenchCase *c, const Paths *paths) {
  bool failed = plan->failed;
  if (plan->quick && c->shape.blocks > BACKWARDS_QUICK_BLOCKS)
    return;
  measure(plan, c, paths, BENCH_BACKWARDS);
  plan->failed = failed;
}

/* The families for which reconverge must take near-linear time. */
static bool is_reducible(const BenchShape *shape) {
  return shape->family == BENCH_STRUCTURED || shape->family == BENCH_LONG;
}

bool bench_measure(BenchPlan *plan, const BenchShape *shape, BenchCase *out) {
  Paths paths;
  name_paths(plan, &paths);
  *out = (BenchCase){.shape = *shape};
  bool good = bench_isolate(write_files, &(Writing){shape, &paths}) &&
              bench_count_spirv(paths.spv, &out->before);
  if (good)
    measure(plan, out, &paths, BENCH_STRUCTURIZE);
  if (good && !plan->duel) {
    measure(plan, out, &paths, BENCH_COPY);
    if (is_reducible(shape))
      measure(plan, out, &paths, BENCH_RECONVERGE);
    measure(plan, out, &paths, BENCH_ITERATIONS);
    measure(plan, out, &paths, BENCH_SPECULATIVE);
    measure(plan, out, &paths, BENCH_MELD);
    measure(plan, out, &paths, BENCH_KERNEL);
    measure(plan, out, &paths, BENCH_CHECK);
    measure_backwards(plan, out, &paths);
    measure(plan, out, &paths, BENCH_OPT);
    measure(plan, out, &paths, BENCH_MERGE_RETURN);
    if (wants_val(plan, shape))
      measure(plan, out, &paths, BENCH_VAL);
  }
  if (good) {
    count_ours(plan, out, &paths);
    if (wants_llvm(plan, shape))
      measure_llvm(plan, out, &paths);
  }
  remove_paths(&paths);
  return good;
}

static bool mean(BenchPlan *plan, const Paths *paths, BenchTool tool, unsigned runs,
                 double *seconds) {
  CommandLine argv;
  double sum = 0;
  command_line(plan, paths, tool, argv);
  for (unsigned k = 0; k < runs; k++) {
    BenchCost cost = bench_run(argv, "/dev/null", paths->messages, plan->limit);
    if (cost.end != BENCH_DONE) {
      fprintf(plan->notes, "%s fails on a small module\n", argv[0]);
      plan->failed = true;
      return false;
    }
    sum += cost.seconds;
  }
  *seconds = sum / runs;
  return true;
}

bool bench_measure_small(BenchPlan *plan, uint64_t seed, unsigned runs,
                         double seconds[BENCH_TOOLS]) {
  static const BenchTool tools[] = {BENCH_COPY,       BENCH_STRUCTURIZE, BENCH_RECONVERGE,
                                    BENCH_ITERATIONS, BENCH_SPECULATIVE, BENCH_MELD,
                                    BENCH_KERNEL,     BENCH_OPT,         BENCH_DIS};
  const BenchShape shape = {BENCH_LOCAL, 20, 20, seed};
  Paths paths;
  name_paths(plan, &paths);
  bool good = bench_isolate(write_files, &(Writing){&shape, &paths});
  for (size_t k = 0; k < sizeof tools / sizeof *tools && good; k++)
    good = mean(plan, &paths, tools[k], runs, &seconds[tools[k]]);
  remove_paths(&paths);
  return good;
}
