/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv-bench: the cost of spvreconv, compared with spirv-val, spirv-opt and LLVM on the same
 * modules. The report compares figures with targets, but a missed target is not a failure: the exit
 * code is 1 only if a tool does not run or refuses a module. */
#include "tests/bench/bench_report.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MANY = 500,
  COMPARE_BLOCKS = 5000,
  COMPARE_QUICK = 1000,
  COMPARE_EACH = 200,
  SIZES = 3,
  PATH_SIZE = 400
};
enum { COMPARE_TANGLED = 1000 }; /* LLVM takes seconds on a tangled function of 200 blocks */

static const uint32_t sizes[SIZES] = {1000, 10000, 100000};

typedef struct Options {
  bool quick, full, duel, json, wanted[BENCH_FAMILIES];
  uint64_t seed, most; /* most: blocks in a module */
  char tools[PATH_SIZE];
  unsigned llvm[BENCH_OPTS]; /* versions */
  size_t llvms;
} Options;

static void usage(FILE *out) {
  fputs(
      "usage: spvreconv-bench [--quick | --full | --duel] [--most=N] [--family=LIST] [--seed=N]"
      " [--tools-dir=DIR] [--llvm=LIST] [--json]\n"
      "  --quick      up to 10,000 blocks, fewer runs: half a minute\n"
      "  --full       also what takes minutes or hours: see tests/bench/README.md\n"
      "  --duel       only structurize and LLVM, on functions of 200 and 500 blocks\n"
      "  --most       no module of more blocks than N\n"
      "  --family     comma list of structured, local, long, irreducible, tangled\n"
      "  --llvm       versions of LLVM to compare with, two at most, as 22,15 (default: the newest"
      " opt, and opt-15)\n"
      "  --tools-dir  where spvreconv is (default: beside this program)\n",
      out);
}

static bool read_families(const char *list, bool *wanted) {
  memset(wanted, 0, BENCH_FAMILIES * sizeof *wanted);
  for (const char *p = list; *p;) {
    size_t length = strcspn(p, ",");
    int f = 0;
    while (f < BENCH_FAMILIES && (strlen(bench_family_names[f]) != length ||
                                  strncmp(bench_family_names[f], p, length) != 0))
      f++;
    if (f == BENCH_FAMILIES)
      return false;
    wanted[f] = true;
    p += length + (p[length] == ',');
  }
  return *list != '\0';
}

static bool read_versions(const char *list, Options *o) {
  for (const char *p = list; *p;) {
    char *end;
    unsigned long version = strtoul(p, &end, 10);
    if (end == p || version < 15 || version > 99 || o->llvms == BENCH_OPTS ||
        (*end && (*end != ',' || !end[1])))
      return false;
    o->llvm[o->llvms++] = (unsigned)version;
    p = end + (*end == ',');
  }
  return o->llvms > 0;
}

/* The folder of this program. */
static void find_tools(char *out) {
  ssize_t length = readlink("/proc/self/exe", out, PATH_SIZE - 1);
  out[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(out, '/');
  if (slash)
    *slash = '\0';
}

static bool read_number(const char *text, uint64_t *number) {
  char *end;
  *number = strtoull(text, &end, 0);
  return *text && !*end;
}

/* Returns 0, or the exit code plus 1. */
static int read_options(int argc, char **argv, Options *o) {
  static const struct option known[] = {{"quick", no_argument, NULL, 'q'},
                                        {"full", no_argument, NULL, 'f'},
                                        {"duel", no_argument, NULL, 'd'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"most", required_argument, NULL, 'm'},
                                        {"family", required_argument, NULL, 'F'},
                                        {"seed", required_argument, NULL, 's'},
                                        {"tools-dir", required_argument, NULL, 't'},
                                        {"llvm", required_argument, NULL, 'l'},
                                        {"help", no_argument, NULL, 'h'},
                                        {0}};
  *o = (Options){.seed = 1, .most = UINT64_MAX, .wanted = {true, true, true, true, true}};
  find_tools(o->tools);
  for (int c; (c = getopt_long(argc, argv, "h", known, NULL)) != -1;) {
    if (c == 'h')
      return usage(stdout), 1;
    o->quick |= c == 'q';
    o->full |= c == 'f';
    o->duel |= c == 'd';
    o->json |= c == 'j';
    if (c == 't')
      snprintf(o->tools, sizeof o->tools, "%s", optarg);
    if (c == '?' || (c == 's' && !read_number(optarg, &o->seed)) ||
        (c == 'm' && !read_number(optarg, &o->most)) ||
        (c == 'F' && !read_families(optarg, o->wanted)) || (c == 'l' && !read_versions(optarg, o)))
      return usage(stderr), 3;
  }
  if (optind < argc || o->quick + o->full + o->duel > 1)
    return usage(stderr), 3;
  return 0;
}

/* All shapes of one family: one function, functions of 500 blocks, and functions small enough for
 * LLVM on any graph. One function of the family `tangled` with 100,000 blocks takes minutes. */
static uint32_t list_shapes(BenchFamily family, const Options *o, BenchShape *out) {
  if (o->duel) {
    out[0] = (BenchShape){family, COMPARE_QUICK, COMPARE_EACH, o->seed};
    out[1] = (BenchShape){family, COMPARE_QUICK, MANY, o->seed};
    return family == BENCH_TANGLED ? 0 : 2;
  }
  bool reduced = family == BENCH_TANGLED && !o->full;
  uint32_t n = 0, most = o->quick ? SIZES - 1 : SIZES;
  while (most > 0 && sizes[most - 1] > o->most)
    most--;
  for (uint32_t k = 0; k < most && !(reduced && k == SIZES - 1); k++)
    out[n++] = (BenchShape){family, sizes[k], sizes[k], o->seed};
  for (uint32_t k = 0; k < most; k++)
    out[n++] = (BenchShape){family, sizes[k], MANY, o->seed};
  uint32_t compared = reduced ? COMPARE_TANGLED : o->quick ? COMPARE_QUICK : COMPARE_BLOCKS;
  if (compared > o->most)
    compared = (uint32_t)o->most;
  out[n++] = (BenchShape){family, compared, COMPARE_EACH, o->seed};
  return n;
}

static bool measure_all(BenchPlan *plan, const Options *o, BenchResults *r) {
  bool good = bench_measure_small(plan, o->seed, o->quick ? 30 : 200, r->small);
  if (!o->json)
    bench_print_head(stdout);
  for (int f = 0; f < BENCH_FAMILIES; f++) {
    BenchShape shapes[2 * SIZES + 1];
    uint32_t n = o->wanted[f] ? list_shapes((BenchFamily)f, o, shapes) : 0;
    for (uint32_t k = 0; k < n; k++) {
      BenchCase *c = &r->cases[r->count++];
      good &= bench_measure(plan, &shapes[k], c);
      if (!o->json)
        bench_print_case(stdout, c);
    }
  }
  if (o->wanted[BENCH_TANGLED] && !o->quick && !o->full && !o->duel)
    fprintf(plan->notes, "tangled, one function of %u blocks: left out, takes minutes (--full)\n",
            (unsigned)sizes[SIZES - 1]);
  return good;
}

static void print_notes(FILE *notes, FILE *out) {
  char line[512];
  rewind(notes);
  while (fgets(line, sizeof line, notes))
    fprintf(out, "note: %s", line);
}

static int run(const Options *o, const char *folder) {
  char ours[PATH_SIZE + 16];
  BenchCase cases[BENCH_FAMILIES * (2 * SIZES + 1)];
  BenchResults r = {.cases = cases, .seed = o->seed};
  snprintf(ours, sizeof ours, "%s/spvreconv", o->tools);
  BenchPlan plan = {.ours = ours,
                    .folder = folder,
                    .runs = o->duel    ? 1
                            : o->quick ? 2
                                       : 5,
                    .enough = o->quick ? 0.3 : 2,
                    .limit = o->quick  ? 10
                             : o->full ? 3600
                                       : 60,
                    .quick = o->quick,
                    .full = o->full,
                    .duel = o->duel,
                    .notes = tmpfile()};
  plan.opts = bench_opt_find(o->llvm, o->llvms, plan.opt);
  r.opt = plan.opt;
  r.opts = plan.opts;
  if (!plan.notes)
    return perror("spvreconv-bench"), 1;
  if (!o->json)
    printf("spvreconv-bench: seed %llu, best of %u runs, user and system time\n",
           (unsigned long long)o->seed, plan.runs);
  bool good = measure_all(&plan, o, &r);
  if (o->json)
    bench_print_json(stdout, &r);
  else
    bench_print_rest(stdout, &r);
  fflush(stdout);
  print_notes(plan.notes, o->json ? stderr : stdout);
  fclose(plan.notes);
  return good && !plan.failed ? 0 : 1;
}

int main(int argc, char **argv) {
  Options o;
  int stop = read_options(argc, argv, &o);
  if (stop)
    return stop - 1;
  const char *parent = getenv("TMPDIR");
  char folder[PATH_SIZE];
  snprintf(folder, sizeof folder, "%s/spvreconv-bench-XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder))
    return perror(folder), 1;
  int code = run(&o, folder);
  rmdir(folder);
  return code;
}
