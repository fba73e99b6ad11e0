/* SPDX-License-Identifier: Apache-2.0 */
/* cli_results: see cli_results.h. The rows of the first module are kept, since the case's memory
 * changes with every run; policies mostly leave the same contents, which are then kept once. */
#include "spv-emu/cli/cli_results.h"

#include "passes/base/compiler.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"
#include "spv-emu/cases/typed_numbers.h"
#include "spv-emu/cli/cli_final.h"
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/ulps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 16, LINE = 1024 };

struct EmuCliKept { /* a row of the first module */
  spv_emu_outcome outcome;
  const char *policy; /* that it ran under */
  EmuFinal *finals;   /* their bytes are copies */
  bool *owned;        /* by final: an earlier row does not have the same copy */
  uint32_t count;
};

static bool allocate(EmuCliResults *r, const char *input) {
  r->kept = calloc(r->side, sizeof *r->kept);
  r->different = json_array();
  r->left_out = json_array();
  if (emu_cli_tangles_open(&r->tangles, r->side) && r->kept && r->different && r->left_out)
    return true;
  tool_say(input, "out of memory");
  return false;
}

bool emu_cli_results_open(EmuCliResults *r, const EmuCli *cli, uint32_t rows) {
  *r = (EmuCliResults){.ulps = cli->ulps, .side = cli->before ? rows / 2 : 0};
  return !r->side || allocate(r, cli->before);
}

bool emu_cli_results_open_one(EmuCliResults *r, const EmuCli *cli) {
  *r = (EmuCliResults){.side = 1};
  return allocate(r, cli->input);
}

void emu_cli_results_close(EmuCliResults *r) {
  for (uint32_t i = 0; r->kept && i < r->side; i++) {
    EmuCliKept *k = &r->kept[i];
    for (uint32_t f = 0; k->owned && f < k->count; f++)
      if (k->owned[f])
        free((void *)k->finals[f].bytes);
    free(k->finals);
    free(k->owned);
  }
  free(r->kept);
  if (r->side)
    emu_cli_tangles_close(&r->tangles);
  json_decref(r->different);
  json_decref(r->left_out);
  *r = (EmuCliResults){0};
}

/* ---- the first module ------------------------------------------------------------------------ */

/* The same contents, kept for an earlier row; NULL: there are none. */
static const uint8_t *find_kept(const EmuCliResults *r, const EmuFinal *f) {
  for (uint32_t i = 0; i < r->taken; i++)
    for (uint32_t k = 0; k < r->kept[i].count; k++) {
      const EmuFinal *g = &r->kept[i].finals[k];
      if (g->size == f->size && strcmp(g->name, f->name) == 0 &&
          memcmp(g->bytes, f->bytes, f->size) == 0)
        return g->bytes;
    }
  return NULL;
}

static bool keep_bytes(const EmuCliResults *r, EmuCliKept *k, EmuFinal *f) {
  const uint8_t *same = find_kept(r, f);
  uint8_t *copy = same ? NULL : malloc(f->size + 1);
  if (copy)
    memcpy(copy, f->bytes, f->size);
  if (!same && !copy)
    return false;
  k->owned[k->count++] = copy;
  f->bytes = copy ? copy : same;
  return true;
}

static bool keep(EmuCliResults *r, const EmuCase *c, const EmuRow *row, EmuCliKept *k) {
  spv_emu_result total = emu_row_total(row);
  uint32_t count = 0;
  k->outcome = total.outcome;
  k->policy = total.policy;
  k->finals = emu_final_all(c, row, &count);
  k->owned = calloc(count + 1u, sizeof *k->owned);
  bool good = k->finals && k->owned;
  for (uint32_t i = 0; good && i < count; i++)
    good = keep_bytes(r, k, &k->finals[i]);
  return good;
}

/* ---- the second module ----------------------------------------------------------------------- */

SR_PRINTF(3, 4) static void add(json_t *lines, const EmuRow *row, const char *format, ...) {
  char text[LINE];
  spv_emu_result total = emu_row_total(row);
  int used = snprintf(text, sizeof text, "%s, %" PRIu32 " lane%s: ", total.policy,
                      total.subgroup_size, total.subgroup_size == 1 ? "" : "s");
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, args);
  va_end(args);
  json_array_append_new(lines, tool_json_text(text));
}

static uint64_t count_elements(const EmuFinal *a, const EmuFinal *b) {
  uint64_t count = 0;
  for (uint64_t at = 0; at < a->size; at += a->layout.stride) {
    uint64_t left = a->size - at;
    count += memcmp(a->bytes + at, b->bytes + at,
                    left < a->layout.stride ? left : a->layout.stride) != 0;
  }
  return count;
}

/* ---- within a tolerance ---- */

/* The numbers of two contents that are further apart than the tolerance. */
typedef struct Far {
  uint64_t ulps;
  const EmuFinal *a, *b;
  uint64_t numbers, count, first; /* all; those that differ; the first one's byte */
  char left[64], right[64];       /* the first one */
} Far;

static void find_far(void *user, const EmuField *field, uint64_t at) {
  Far *far = user;
  const uint8_t *x = far->a->bytes + at, *y = far->b->bytes + at;
  far->numbers++;
  if (emu_ulps_between(field, x, y) <= far->ulps || far->count++)
    return;
  far->first = at;
  emu_number_print(field, emu_field_get(field, x), far->left, sizeof far->left);
  emu_number_print(field, emu_field_get(field, y), far->right, sizeof far->right);
}

/* Compares numbers; the bytes between them do not count. */
static void compare_within(EmuCliResults *r, const EmuRow *row, const EmuFinal *a,
                           const EmuFinal *b) {
  const EmuTypedNumbers numbers = {b->shape, &a->layout, a->size};
  Far far = {.ulps = r->ulps, .a = a, .b = b};
  emu_typed_numbers_visit(&numbers, find_far, &far);
  r->differences += far.count > 0;
  if (far.count)
    add(r->different, row,
        "%s, byte %" PRIu64 ": %s before, %s after; %" PRIu64 " of %" PRIu64
        " numbers are more than %" PRIu64 " ulps apart",
        a->name, far.first, far.left, far.right, far.count, far.numbers, r->ulps);
}

/* Contents that cannot be compared, and why. It matters if one of the modules has written them. */
static void leave_out(EmuCliResults *r, const EmuRow *row, const EmuFinal *a, const EmuFinal *b,
                      const char *why) {
  bool written = emu_final_is_written(a) || (b && emu_final_is_written(b));
  r->unknown += written;
  add(r->left_out, row, "%s: %s%s", a->name, why,
      written ? "" : "; the run leaves it unchanged, so that it does not matter");
}

/* Do both modules begin with the same contents? What is not known counts as the same. */
static bool same_start(const EmuFinal *a, const EmuFinal *b) {
  return !a->initial || !b->initial || memcmp(a->initial, b->initial, a->size) == 0;
}

static void compare(EmuCliResults *r, const EmuRow *row, const EmuFinal *a, const EmuFinal *b) {
  if (a->size != b->size) {
    leave_out(r, row, a, b, "before and after have it in different sizes");
    return;
  }
  if (!same_start(a, b)) {
    leave_out(r, row, a, b, "before and after begin with different contents");
    return;
  }
  r->compared++;
  if (memcmp(a->bytes, b->bytes, a->size) == 0)
    return;
  if (r->ulps) {
    compare_within(r, row, a, b);
    return;
  }
  r->differences++;
  AmberDifference d = amber_difference(&a->layout, a->bytes, b->bytes, a->size);
  add(r->different, row,
      "%s, element %" PRIu64 " (byte %zu): %s before, %s after; %" PRIu64 " of %" PRIu64
      " elements differ",
      a->name, (uint64_t)d.byte / a->layout.stride, d.byte, d.left, d.right, count_elements(a, b),
      (a->size + a->layout.stride - 1) / a->layout.stride);
}

static const EmuFinal *find(const EmuFinal *all, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

/* What only one module has is a difference where that module writes it. */
static void only_in(EmuCliResults *r, const EmuRow *row, const EmuFinal *f, const char *side) {
  if (emu_final_is_written(f)) {
    r->differences++;
    add(r->different, row, "%s: only %s has it, and writes it", f->name, side);
  } else {
    add(r->left_out, row, "%s: only %s has it, and leaves it unchanged", f->name, side);
  }
}

static void compare_all(EmuCliResults *r, const EmuCliKept *k, const EmuRow *row,
                        const EmuFinal *after, uint32_t count) {
  for (uint32_t i = 0; i < k->count; i++) {
    const EmuFinal *same = find(after, count, k->finals[i].name);
    if (same)
      compare(r, row, &k->finals[i], same);
    else
      only_in(r, row, &k->finals[i], "before");
  }
  for (uint32_t i = 0; i < count; i++)
    if (!find(k->finals, k->count, after[i].name))
      only_in(r, row, &after[i], "after");
}

/* At least one of the two runs did not end by itself. A policy that does not apply shows
 * nothing. */
static void compare_outcomes(EmuCliResults *r, const EmuCliKept *k, const EmuRow *row,
                             spv_emu_outcome after) {
  bool skipped = k->outcome == SPV_EMU_SKIP || after == SPV_EMU_SKIP;
  bool differ = !skipped && k->outcome != after;
  r->differences += differ;
  r->unknown += !skipped && !differ;
  add(differ ? r->different : r->left_out, row, "%s before, %s after", emu_outcome_name(k->outcome),
      emu_outcome_name(after));
}

typedef struct Said {
  EmuCliResults *r;
  const EmuRow *row;
} Said;

static void say_tangle(void *user, const char *line) {
  const Said *said = user;
  add(said->r->different, said->row, "%s", line);
}

/* Under the default policy, structured where it applies, the two modules may run under two. */
static bool judge_tangles(EmuCliResults *r, const EmuRow *row, const EmuCliKept *k) {
  Said said = {r, row};
  bool equal;
  if (strcmp(k->policy, emu_row_total(row).policy) != 0) {
    if (emu_cli_tangles_any(&r->tangles, r->taken))
      add(r->left_out, row,
          "which lanes run subgroup operations together: before ran under %s; name one --policy "
          "for "
          "both",
          k->policy);
    return true;
  }
  if (!emu_cli_tangles_judge(&r->tangles, r->taken, row, say_tangle, &said, &equal))
    return false;
  r->differences += !equal;
  return true;
}

static bool judge(EmuCliResults *r, const EmuCase *c, const EmuRow *row, const EmuCliKept *k) {
  spv_emu_result total = emu_row_total(row);
  if (k->outcome != SPV_EMU_RAN || total.outcome != SPV_EMU_RAN) {
    compare_outcomes(r, k, row, total.outcome);
    return true;
  }
  uint32_t count;
  EmuFinal *after = emu_final_all(c, row, &count);
  if (after)
    compare_all(r, k, row, after, count);
  free(after);
  return after && judge_tangles(r, row, k);
}

bool emu_cli_results_listen(EmuCliResults *r, const EmuCase *c, const spv_emu_tangles **to) {
  *to = NULL;
  if (!r->side)
    return true;
  *to = emu_cli_tangles_listen(&r->tangles, r->taken);
  if (!*to)
    tool_say(c->input, "out of memory");
  return *to;
}

bool emu_cli_results_take(EmuCliResults *r, const EmuCase *c, const EmuRow *row) {
  if (!r->side)
    return true;
  bool good = r->taken < r->side ? keep(r, c, row, &r->kept[r->taken])
                                 : judge(r, c, row, &r->kept[r->taken - r->side]);
  r->taken++;
  if (!good)
    tool_say(c->input, "out of memory");
  return good;
}

/* Both have what the case leaves; the case may have been loaded again between, so that of the first
 * only the bytes are left. */
static bool leaves_same(const EmuCliKept *k, const EmuFinal *after, uint32_t count) {
  bool same = count && k->count == count;
  for (uint32_t i = 0; same && i < count; i++) {
    const EmuFinal *f = find(after, count, k->finals[i].name);
    same = f && f->size == k->finals[i].size && memcmp(f->bytes, k->finals[i].bytes, f->size) == 0;
  }
  return same;
}

bool emu_cli_results_same(const EmuCliResults *r, const EmuCase *c, const EmuRow *row) {
  uint32_t count = 0;
  EmuFinal *after = emu_final_all(c, row, &count);
  bool same = after && leaves_same(&r->kept[0], after, count);
  free(after);
  return same;
}

/* ---- reports --------------------------------------------------------------------------------- */

static const char *verdict(const EmuCliResults *r) {
  return r->differences ? "differ" : r->compared && !r->unknown ? "equal" : "not compared";
}

bool emu_cli_results_good(const EmuCliResults *r) {
  return !r->side || (!r->differences && r->compared && !r->unknown);
}

json_t *emu_cli_results_object(const EmuCliResults *r) {
  json_t *o = r->side ? json_object() : NULL;
  if (!o)
    return NULL;
  json_object_set_new(o, "verdict", json_string(verdict(r)));
  json_object_set_new(o, "compared", json_integer((json_int_t)r->compared));
  json_object_set(o, "differences", r->different);
  json_object_set(o, "not_compared", r->left_out);
  json_object_set_new(o, "tangles", emu_cli_tangles_object(&r->tangles));
  return o;
}

static void print_lines(const json_t *lines, const char *before, FILE *out) {
  size_t count = json_array_size(lines);
  for (size_t i = 0; i < count && i < MOST_LINES; i++)
    fprintf(out, "%s%s\n", before, json_string_value(json_array_get(lines, i)));
  if (count > MOST_LINES)
    fprintf(out, "%s%zu more\n", before, count - MOST_LINES);
}

void emu_cli_results_print(const EmuCliResults *r, FILE *out) {
  if (!r->side)
    return;
  print_lines(r->different, "differs: ", out);
  print_lines(r->left_out, "not compared: ", out);
  if (!r->compared && !r->differences)
    fputs("not compared: no run of both modules left anything in a buffer or an image\n", out);
  fprintf(out, "results: %s\n", verdict(r));
}
