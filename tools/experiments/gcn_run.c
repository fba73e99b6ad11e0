/* SPDX-License-Identifier: Apache-2.0 */
/* gcn_run: runs the kernel of a graph (graph_llvm.awk) as LLVM's AMDGPU backend has compiled it, on recorded paths of
 * lanes, and counts what it issues.
 *
 *   gcn_run KERNEL.s <PATHS >COUNTS
 *
 * PATHS: a line for each subgroup: the paths of its lanes, at most 32, separated by commas; a path is the numbers of the
 * blocks. COUNTS: "MASKS BRANCHES BLOCKS": mask instructions, branches, and blocks of the graph issued, over all subgroups.
 *
 * The kernel stores the number of each block, then loads the word that its branch goes by. At the store each active lane
 * must be at this block on its path; at the load it gets the word that leads to the next one. So a run that ends
 * has taken each lane along its path. Scalar registers hold 32 lanes in the lower half of a pair. An instruction that is not
 * known ends the program with status 1. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = 32,
  WIDTH = 64,
  LINES = 40000,
  VECTORS = 256,
  SCALARS = 128,
  STEPS = 20000000,
  OTHER = 0x7fffffff
};

typedef struct Line {
  char *op, *arg[4];
  int args, target; /* of a branch: index of a line */
} Line;

typedef struct Wave {
  uint32_t vector[VECTORS][WIDTH], scalar[SCALARS];
  uint32_t exec, vcc;
  const char *path[LANES]; /* what is left of it; the first number is the block where the lane is */
  uint64_t masks, branches, blocks;
} Wave;

static Line line[LINES];
static char *label[LINES];
static int lines;
static char *succ_line; /* the graph, a line of graphs/kernels.txt, in the environment */

static _Noreturn void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("gcn_run: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

static char *copy(const char *text) {
  char *made = malloc(strlen(text) + 1);
  if (!made)
    fail("out of memory");
  return strcpy(made, text);
}

/* ---- the graph ---- */

/* The word that leads a lane from block `from` to block `to`: of two successors the first takes the block's own number; of
 * more, successor k takes k + 1, the first one any other. */
static uint32_t word_for(uint32_t from, uint32_t to) {
  char *text = copy(succ_line), *at = strtok(text, " ");
  for (uint32_t b = 0; at && (at = strtok(NULL, " ")) && b < from; b++)
    ;
  if (!at)
    fail("block %u is not in the graph", from);
  at = strpbrk(at, ":=");
  uint32_t succ[64], count = 0;
  for (char *p = at ? at + 1 : NULL; p && *p && *p != '-' && count < 64; p += *p == ',')
    succ[count++] = (uint32_t)strtoul(p, &p, 10);
  free(text);
  if (count == 2)
    return to == succ[0] ? from : OTHER;
  for (uint32_t k = 1; k < count; k++)
    if (succ[k] == to)
      return k + 1;
  return OTHER;
}

/* ---- reading ---- */

static void read_line(char *text) {
  text[strcspn(text, ";\n")] = 0;
  char *word = strtok(text, " \t,");
  if (!word || lines == LINES)
    return;
  size_t length = strlen(word);
  if (word[length - 1] == ':') {
    word[length - 1] = 0;
    label[lines] = copy(word); /* the last of several labels wins, which LLVM does not write */
    return;
  }
  if (word[0] == '.')
    return;
  Line *l = &line[lines++];
  l->op = copy(word);
  while ((word = strtok(NULL, " \t,")) && l->args < 4)
    l->arg[l->args++] = copy(word);
}

static void find_targets(void) {
  for (int i = 0; i < lines; i++) {
    if (strncmp(line[i].op, "s_branch", 8) != 0 && strncmp(line[i].op, "s_cbranch", 9) != 0)
      continue;
    line[i].target = -1;
    for (int k = 0; k < lines; k++)
      if (label[k] && strcmp(label[k], line[i].arg[0]) == 0)
        line[i].target = k;
    if (line[i].target < 0)
      fail("no label %s", line[i].arg[0]);
  }
}

/* ---- operands ---- */

/* A mask: exec, vcc, s[4:5], 0, -1. */
static uint32_t *mask_at(Wave *w, const char *name) {
  if (strcmp(name, "exec") == 0)
    return &w->exec;
  if (strcmp(name, "vcc") == 0)
    return &w->vcc;
  if (strncmp(name, "s[", 2) != 0 || atoi(name + 2) >= SCALARS)
    fail("%s is no mask", name);
  return &w->scalar[atoi(name + 2)];
}

static uint32_t mask_of(Wave *w, const char *name) {
  if (strcmp(name, "0") == 0)
    return 0;
  return strcmp(name, "-1") == 0 ? UINT32_MAX : *mask_at(w, name);
}

static uint32_t constant(const char *text) {
  float real;
  uint32_t bits;
  if (!strchr(text, '.'))
    return (uint32_t)strtol(text, NULL, 0);
  real = strtof(text, NULL);
  memcpy(&bits, &real, sizeof bits);
  return bits;
}

static uint32_t value_of(const Wave *w, const char *name, int lane) {
  if (name[0] == 'v')
    return w->vector[atoi(name + 1)][lane];
  return name[0] == 's' ? w->scalar[atoi(name + 1)] : constant(name);
}

static uint32_t reversed(uint32_t x) {
  uint32_t y = 0;
  for (int i = 0; i < 32; i++)
    y |= (x >> i & 1) << (31 - i);
  return y;
}

/* ---- running ---- */

static bool is_mask_op(const char *op) {
  static const char *const names[] = {"s_mov",          "s_and",         "s_or",
                                      "s_xor",          "s_andn2",       "s_orn2",
                                      "s_and_saveexec", "s_or_saveexec", "s_andn2_saveexec",
                                      "s_not"};
  size_t length = strlen(op);
  if (length < 4 || strcmp(op + length - 4, "_b64") != 0)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length - 4 && strncmp(op, names[i], length - 4) == 0)
      return true;
  return false;
}

static void run_mask(Wave *w, const Line *l) {
  const char *op = l->op;
  uint32_t a = mask_of(w, l->arg[1]), b = l->args > 2 ? mask_of(w, l->arg[2]) : 0;
  w->masks++;
  if (strstr(op, "_saveexec")) {
    uint32_t old = w->exec;
    w->exec = strncmp(op, "s_andn2", 7) == 0 ? a & ~old
              : strncmp(op, "s_and", 5) == 0 ? a & old
                                             : a | old;
    *mask_at(w, l->arg[0]) = old;
    return;
  }
  *mask_at(w, l->arg[0]) = strcmp(op, "s_mov_b64") == 0     ? a
                           : strcmp(op, "s_not_b64") == 0   ? ~a
                           : strcmp(op, "s_and_b64") == 0   ? a & b
                           : strcmp(op, "s_or_b64") == 0    ? a | b
                           : strcmp(op, "s_xor_b64") == 0   ? a ^ b
                           : strcmp(op, "s_andn2_b64") == 0 ? a & ~b
                                                            : a | ~b;
}

/* A store of a block's number: where the active lanes are. */
static void run_store(Wave *w, const Line *l) {
  const char *data = l->arg[1];
  w->blocks++;
  for (int i = 0; i < LANES; i++) {
    if (!(w->exec >> i & 1))
      continue;
    char *rest;
    uint32_t block = value_of(w, data, i), on_path = (uint32_t)strtoul(w->path[i], &rest, 10);
    if (block != on_path)
      fail("lane %d is at block %u, not %u", i, block, on_path);
    w->path[i] = rest;
  }
}

static void run_load(Wave *w, const Line *l, uint32_t block) {
  for (int i = 0; i < LANES; i++)
    if (w->exec >> i & 1)
      w->vector[atoi(l->arg[0] + 1)][i] = word_for(block, (uint32_t)strtoul(w->path[i], NULL, 10));
}

static void run_compare(Wave *w, const Line *l) {
  uint32_t result = 0;
  bool equal = strncmp(l->op, "v_cmp_eq", 8) == 0;
  for (int i = 0; i < LANES; i++)
    if (w->exec >> i & 1)
      result |= (uint32_t)((value_of(w, l->arg[1], i) == value_of(w, l->arg[2], i)) == equal) << i;
  *mask_at(w, l->arg[0]) = result;
}

/* Moves and the like; false: not one of these. */
static bool run_move(Wave *w, const Line *l) {
  int to = atoi(l->arg[0] + 1);
  if (strncmp(l->op, "v_mov_b32", 9) == 0 || strncmp(l->op, "v_bfrev_b32", 11) == 0) {
    for (int i = 0; i < LANES; i++)
      if (w->exec >> i & 1) {
        uint32_t x = value_of(w, l->arg[1], i);
        w->vector[to][i] = l->op[2] == 'm' ? x : reversed(x);
      }
    return true;
  }
  if (strcmp(l->op, "v_writelane_b32") == 0)
    w->vector[to][atoi(l->arg[2])] = w->scalar[atoi(l->arg[1] + 1)];
  else if (strcmp(l->op, "v_readlane_b32") == 0)
    w->scalar[to] = w->vector[atoi(l->arg[1] + 1)][atoi(l->arg[2])];
  else
    return strncmp(l->op, "s_waitcnt", 9) == 0 || strncmp(l->op, "s_load", 6) == 0 ||
           strncmp(l->op, "v_lshlrev", 9) == 0 || strncmp(l->op, "v_add", 5) == 0 ||
           strcmp(l->op, "s_nop") == 0;
  return true;
}

/* Does the branch go to its target? */
static bool goes(const Wave *w, const char *op) {
  if (strcmp(op, "s_branch") == 0)
    return true;
  if (strncmp(op, "s_cbranch_exec", 14) == 0)
    return (w->exec == 0) == (op[14] == 'z');
  if (strncmp(op, "s_cbranch_vcc", 13) == 0)
    return (w->vcc == 0) == (op[13] == 'z');
  fail("unknown branch %s", op);
}

static void run(Wave *w) {
  uint32_t block = 0; /* of the last store: the one that any lane has */
  for (int at = 0, steps = 0; strcmp(line[at].op, "s_endpgm") != 0; steps++) {
    const Line *l = &line[at++];
    if (steps == STEPS)
      fail("no end");
    if (strncmp(l->op, "s_branch", 8) == 0 || strncmp(l->op, "s_cbranch", 9) == 0) {
      w->branches++;
      at = goes(w, l->op) ? l->target : at;
    } else if (is_mask_op(l->op)) {
      run_mask(w, l);
    } else if (strncmp(l->op, "global_store", 12) == 0) {
      run_store(w, l);
      for (int i = 0; i < LANES; i++)
        if (w->exec >> i & 1)
          block = value_of(w, l->arg[1], i);
    } else if (strncmp(l->op, "global_load", 11) == 0) {
      run_load(w, l, block);
    } else if (strncmp(l->op, "v_cmp_eq", 8) == 0 || strncmp(l->op, "v_cmp_ne", 8) == 0) {
      run_compare(w, l);
    } else if (!run_move(w, l)) {
      fail("unknown instruction %s", l->op);
    }
  }
  for (int i = 0; i < LANES; i++)
    if (w->path[i] && w->path[i][strspn(w->path[i], " ")])
      fail("lane %d ends before block%s", i, w->path[i]);
}

int main(int argc, char **argv) {
  static char text[1 << 20];
  FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
  succ_line = getenv("GRAPH");
  if (!f || !succ_line)
    fail("usage: GRAPH=LINE gcn_run KERNEL.s <PATHS");
  while (fgets(text, sizeof text, f))
    read_line(text);
  fclose(f);
  find_targets();
  uint64_t masks = 0, branches = 0, blocks = 0;
  while (fgets(text, sizeof text, stdin)) {
    static Wave w;
    memset(&w, 0, sizeof w);
    text[strcspn(text, "\n")] = 0;
    int lanes = 0;
    for (char *p = text; p; lanes++) {
      if (lanes == LANES)
        fail("more than %d lanes", LANES);
      w.path[lanes] = p;
      p = strchr(p, ',');
      if (p)
        *p++ = 0;
    }
    w.exec = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
    run(&w);
    masks += w.masks;
    branches += w.branches;
    blocks += w.blocks;
  }
  printf("%llu %llu %llu\n", (unsigned long long)masks, (unsigned long long)branches,
         (unsigned long long)blocks);
}
