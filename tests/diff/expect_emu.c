/* SPDX-License-Identifier: Apache-2.0 */
/* expect_emu: runs AmberScript cases on the emulator under all policies and, if they agree, appends
 * their results to the cases as EXPECTs.
 *
 *   expect_emu CASE.amber…
 *
 * Prints a line for each case: "CASE: ok", "CASE: differs: …" (two configurations of the emulator
 * disagree, or an EXPECT of the case fails), "CASE: refused: …". Cases with accesses out of
 * bounds are refused, since their results depend on the device, and so are runs with too many
 * issues. Exit code 1 if any differs. The new EXPECTs are the emulator's results; spv-harness then
 * compares drivers with them.
 *
 * A case that draws runs under every policy as written and after each of a list of transforms. A
 * policy that tears quads which the reference keeps whole makes their derivatives undefined
 * (docs/graphics.md): `none` may, and is not compared then (nor where a program has subgroup
 * operations); for any other policy that is a difference of its own, since flow in these programs
 * is uniform for each quad. */
#include "harness/backend/compare.h"
#include "harness/shader/case_file.h"
#include "harness/shader/shader.h"
#include "passes/tool/compile/compile_file.h"
#include "spv-emu/cases/amber_run.h"
#include "spv-emu/format/format_number.h"

#include <ctype.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Way {
  const char *transform, *policy; /* NULL: no transform; `structured`, else `maximal` */
  uint32_t size;     /* of subgroups: 8 as in lavapipe, 4 as in SwiftShader, 32 as in a GPU */
  bool alone;        /* lanes run alone: only for programs whose lanes do not communicate, because
                        communication needs reconvergence */
  const char *order; /* of blocks, for the transforms; NULL: their own */
} Way;

/* The first is the reference. (`opt` is a bound; it runs nothing.) */
static const Way ways[] = {
    {NULL, NULL, 32, false, NULL},          {NULL, NULL, 4, false, NULL},
    {NULL, "scalar", 8, true, NULL},        {NULL, "none", 8, true, NULL},
    {NULL, "pdom", 8, false, NULL},         {NULL, "maximal", 8, false, NULL},
    {NULL, "tf-stack", 8, false, NULL},     {NULL, "tf-sandy", 8, false, NULL},
    {NULL, "ssy", 8, false, NULL},          {"reconverge", "exec", 8, false, NULL},
    {"reconverge", "pdom", 8, false, NULL}, {NULL, "barrier", 8, false, NULL},
    {NULL, "minpc", 8, true, NULL},         {NULL, "stackless", 8, true, NULL},
    {NULL, "jip", 8, true, NULL},           {NULL, "dwf", 4, true, NULL},
    {NULL, "tbc", 4, true, NULL},           {NULL, "tbc-lcp", 4, true, NULL},
};

enum { WAYS = sizeof ways / sizeof *ways, MESSAGE = 1024, MOST_ISSUES = 20000000 };

/* Of cases that draw: each transform, in a block order, under each policy. %u is a number that
 * depends on the case. */
static const struct {
  const char *transform, *order; /* order NULL: the transform's own */
} draw_transforms[] = {
    {NULL, NULL},
    {"strip-merges,structurize", NULL},
    {"strip-merges,reconverge", NULL},
    {"strip-merges,reconverge,structurize", NULL},
    {"strip-merges,struct-copy", NULL},
    {"strip-merges,struct-copy,merge-copies,structurize", NULL},
    {"strip-merges,linearize,structurize", NULL},
    {"strip-merges,guard,structurize", NULL},
    {"unstructure:%u", NULL},
    {"unstructure:%u,structurize", NULL},
    {"unstructure:%u,reconverge,structurize", NULL},
    {"strip-merges,reconverge", "rpo"},
    {"strip-merges,reconverge", "df"},
    {"strip-merges,reconverge", "bfpd"},
};
enum { DRAW_TRANSFORMS = sizeof draw_transforms / sizeof *draw_transforms };
static const char *const draw_policies[] = {"scalar",  "none",       "pdom", "tf-stack", "tf-sandy",
                                            "maximal", "structured", "ssy",  "exec",     "barrier"};

typedef struct Case {
  const char *path;
  AmberScript *script;
  HnModule *modules;
  bool talks; /* its lanes communicate */
  bool draws;
} Case;

/* What a run left. */
typedef struct Outcome {
  HnReport report;
  uint64_t quad_breaks;
} Outcome;

/* ---- reading --------------------------------------------------------------------------------- */

static void look_at(Case *c, const HnModule *m) {
  for (size_t at = 5; at < m->count && m->words[at] >> 16; at += m->words[at] >> 16) {
    uint32_t op = m->words[at] & 0xffff;
    c->talks |= op == SpvOpControlBarrier ||
                (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
  }
}

static bool open_case(Case *c, char *message) {
  const AmberFiles files = hn_files_beside(c->path);
  AmberMessage parsed;
  uint8_t *bytes;
  size_t size;
  char *why = NULL;
  if (!compile_file_read(c->path, HN_FILE_MOST, &bytes, &size)) {
    snprintf(message, MESSAGE, "cannot be read");
    return false;
  }
  bool good = amber_parse((const char *)bytes, size, &files, &c->script, &parsed) == AMBER_OK;
  free(bytes);
  if (!good) {
    snprintf(message, MESSAGE, "%s", parsed.text);
    return false;
  }
  if (hn_shaders_make(c->script, &c->modules, &why) != HN_PASS) {
    snprintf(message, MESSAGE, "%s", why ? why : "out of memory");
    free(why);
    return false;
  }
  for (uint32_t i = 0; i < c->script->shader_count; i++)
    look_at(c, &c->modules[i]);
  for (uint32_t i = 0; i < c->script->pipeline_count; i++)
    c->draws |= c->script->pipelines[i].graphics;
  return true;
}

static void close_case(Case *c) {
  if (c->script)
    hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
}

/* ---- running --------------------------------------------------------------------------------- */

typedef enum Verdict { AGREES, DIFFERS, REFUSED } Verdict;

static bool keep(const Case *c, const EmuAmber *amber, HnReport *report) {
  report->buffers = calloc(c->script->buffer_count + 1u, sizeof *report->buffers);
  if (!report->buffers)
    return false;
  report->buffer_count = c->script->buffer_count;
  for (uint32_t i = 0; i < report->buffer_count; i++) {
    const uint8_t *bytes = emu_amber_contents(amber, i);
    size_t size = bytes ? c->script->buffers[i].size : 0;
    report->buffers[i] = (HnContents){bytes ? malloc(size + 1) : NULL, size};
    if (bytes && !report->buffers[i].bytes)
      return false;
    if (size)
      memcpy(report->buffers[i].bytes, bytes, size);
  }
  return true;
}

/* If the reference run faults or does not end, the program is to blame, so it is refused. */
static Verdict judge(const EmuRow *row, bool first, char *message) {
  spv_emu_result total = emu_row_total(row);
  if (total.outcome == SPV_EMU_RAN && !row->failed)
    return AGREES;
  snprintf(message, MESSAGE, "%s", emu_row_message(row, &total));
  bool bad = total.outcome == SPV_EMU_FAULT || total.outcome == SPV_EMU_LIMIT;
  bool refused = total.outcome == SPV_EMU_SKIP || (first && bad);
  return refused ? REFUSED : DIFFERS;
}

/* Runs the case under a policy. */
static Verdict run_policy(const Case *c, EmuAmber *amber, const char *policy, bool first,
                          Outcome *outcome, char *message) {
  const spv_emu_run_options how = {.policy = policy, .strict = true, .max_issues = MOST_ISSUES};
  EmuRow row;
  bool ran = emu_amber_run(amber, &how, &row, message, MESSAGE) == SPV_EMU_OK;
  Verdict verdict = ran ? judge(&row, first, message) : REFUSED;
  if (ran)
    outcome->quad_breaks = emu_row_total(&row).quad_breaks;
  if (verdict == AGREES && !keep(c, amber, &outcome->report)) {
    snprintf(message, MESSAGE, "out of memory");
    verdict = REFUSED;
  }
  emu_row_free(&row);
  return verdict;
}

static Verdict run_way(const Case *c, const Way *way, Outcome *outcome, char *message) {
  const EmuAmberOptions options = {.transform = way->transform, .subgroup_size = way->size};
  EmuAmber *amber;
  if (emu_amber_open(c->script, c->modules, &options, &amber, message, MESSAGE) != SPV_EMU_OK)
    return REFUSED;
  Verdict verdict = run_policy(c, amber, way->policy, way == ways, outcome, message);
  emu_amber_close(amber);
  return verdict;
}

/* Did policy `none` tear quads that the reference keeps whole? Then anything may come of it. */
static bool may_differ(const Way *way, const Outcome *outcome, const Outcome *reference) {
  return way->policy && strcmp(way->policy, "none") == 0 &&
         outcome->quad_breaks > reference->quad_breaks;
}

/* Compares what a run left with the reference. */
static Verdict compare(const Case *c, const Outcome *outcome, const Outcome *reference, char *why) {
  bool torn = outcome->quad_breaks > reference->quad_breaks;
  char *difference = NULL;
  if (torn && reference->quad_breaks == 0) {
    snprintf(why, MESSAGE, "%llu quads are torn", (unsigned long long)outcome->quad_breaks);
    return DIFFERS;
  }
  if (hn_compare(c->script, &outcome->report, &reference->report, "of the reference", &difference))
    return AGREES;
  snprintf(why, MESSAGE, "%s", difference ? difference : "out of memory");
  free(difference);
  return DIFFERS;
}

static void explain(const Way *way, const char *why, char *message) {
  snprintf(message, MESSAGE, "policy %s, subgroups of %u%s%s%s%s: %.700s",
           way->policy ? way->policy : "structured", way->size, way->transform ? " after " : "",
           way->transform ? way->transform : "", way->order ? " in order " : "",
           way->order ? way->order : "", why);
}

/* Compares the outcome of a run with the reference, and frees it. What was refused agrees. */
static Verdict settle(const Case *c, const Way *way, Verdict verdict, Outcome *outcome,
                      const Outcome *reference, char *why, char *message) {
  if (verdict == AGREES)
    verdict = compare(c, outcome, reference, why);
  hn_report_clear(&outcome->report);
  if (verdict == DIFFERS)
    explain(way, why, message);
  return verdict == DIFFERS ? DIFFERS : AGREES;
}

/* A policy that does not apply to the module is skipped. */
static Verdict run_other(const Case *c, const Way *way, const Outcome *reference, char *message) {
  Outcome outcome = {0};
  char why[MESSAGE];
  if (c->talks && way->alone)
    return AGREES;
  Verdict verdict = run_way(c, way, &outcome, why);
  return settle(c, way, verdict, &outcome, reference, why, message);
}

static Verdict run_others(const Case *c, const Outcome *reference, char *message) {
  Verdict verdict = AGREES;
  for (size_t i = 1; verdict == AGREES && i < WAYS; i++)
    verdict = run_other(c, &ways[i], reference, message);
  return verdict;
}

/* ---- cases that draw ------------------------------------------------------------------------- */

static uint32_t number_of(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name : path;
  while (*name && !isdigit((unsigned char)*name))
    name++;
  return 1 + (uint32_t)(strtoul(name, NULL, 10) % 9973);
}

static Verdict run_draw(const Case *c, EmuAmber *amber, const Way *way, const Outcome *reference,
                        char *message) {
  Outcome outcome = {0};
  char why[MESSAGE];
  Verdict verdict = run_policy(c, amber, way->policy, false, &outcome, why);
  if (may_differ(way, &outcome, reference))
    verdict = REFUSED;
  return settle(c, way, verdict, &outcome, reference, why, message);
}

/* The list with the case's number in place of %u. */
static const char *name_transform(const Case *c, const char *list, char *text, size_t size) {
  const char *hole = list ? strstr(list, "%u") : NULL;
  if (!hole)
    return list;
  snprintf(text, size, "%.*s%u%s", (int)(hole - list), list, number_of(c->path), hole + 2);
  return text;
}

static Verdict run_policies(const Case *c, EmuAmber *amber, Way *way, const Outcome *reference,
                            char *message) {
  Verdict verdict = AGREES;
  for (size_t i = 0; verdict == AGREES && i < sizeof draw_policies / sizeof *draw_policies; i++) {
    way->policy = draw_policies[i];
    if (!c->talks || strcmp(way->policy, "none") != 0)
      verdict = run_draw(c, amber, way, reference, message);
  }
  return verdict;
}

/* A transform may refuse the module. Subgroups are of 32, 8 and 4 lanes in turn; in every second
 * transform they mix triangles. */
static Verdict run_transform(const Case *c, uint32_t index, const Outcome *reference,
                             char *message) {
  static const uint32_t sizes[] = {32, 8, 4};
  char list[100], why[MESSAGE];
  Way way = {name_transform(c, draw_transforms[index].transform, list, sizeof list), NULL,
             sizes[index % 3], false, draw_transforms[index].order};
  const EmuAmberOptions options = {.transform = way.transform,
                                   .orders = &way.order,
                                   .order_count = way.order ? 1 : 0,
                                   .subgroup_size = way.size,
                                   .mixed = index % 2 == 1};
  EmuAmber *amber;
  if (emu_amber_open(c->script, c->modules, &options, &amber, why, sizeof why) != SPV_EMU_OK)
    return AGREES;
  Verdict verdict = run_policies(c, amber, &way, reference, message);
  emu_amber_close(amber);
  return verdict;
}

static Verdict run_draws(const Case *c, const Outcome *reference, char *message) {
  Verdict verdict = AGREES;
  for (uint32_t i = 0; verdict == AGREES && i < DRAW_TRANSFORMS; i++)
    verdict = run_transform(c, i, reference, message);
  return verdict;
}

/* ---- EXPECTs --------------------------------------------------------------------------------- */

/* An image is compared with a buffer of its format. */
static void write_image(FILE *out, const AmberBuffer *buffer, const uint8_t *bytes) {
  fprintf(out, "BUFFER expected_%s FORMAT %s WIDTH %u HEIGHT %u DATA", buffer->name,
          buffer->format->name, buffer->width, buffer->height);
  for (uint32_t i = 0; i < buffer->element_count; i++)
    for (uint32_t k = 0; k < buffer->layout.field_count; k++) {
      const EmuField *field = &buffer->layout.fields[k];
      char text[64];
      emu_number_print(field, emu_field_get(field, bytes + (size_t)i * buffer->layout.stride), text,
                       sizeof text);
      fprintf(out, "%s%s", i % 4 || k ? " " : "\n  ", text);
    }
  fprintf(out, "\nEND\nEXPECT %s EQ_BUFFER expected_%s\n", buffer->name, buffer->name);
}

static void write_buffer(FILE *out, const AmberBuffer *buffer, const uint8_t *bytes) {
  uint32_t written = 0;
  fprintf(out, "EXPECT %s IDX 0 EQ", buffer->name);
  for (uint32_t i = 0; i < buffer->element_count; i++)
    for (uint32_t k = 0; k < buffer->layout.field_count; k++) {
      const EmuField *field = &buffer->layout.fields[k];
      char text[64];
      emu_number_print(field, emu_field_get(field, bytes + (size_t)i * buffer->layout.stride), text,
                       sizeof text);
      fprintf(out, "%s%s", written++ % 10 ? " " : " \\\n  ", text);
    }
  fputc('\n', out);
}

static bool is_image(const AmberScript *script, uint32_t buffer) {
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    for (uint32_t k = 0; k < script->pipelines[i].color_count; k++)
      if (script->pipelines[i].colors[k].buffer == buffer)
        return true;
  return false;
}

/* Appends EXPECTs about all that the shader may have changed. */
static bool write_expects(const Case *c, const HnReport *report) {
  FILE *out = fopen(c->path, "a");
  if (!out)
    return false;
  for (uint32_t i = 0; i < report->buffer_count; i++) {
    const AmberBuffer *buffer = &c->script->buffers[i];
    const HnContents *now = &report->buffers[i];
    if (now->bytes && now->size && memcmp(now->bytes, buffer->bytes, now->size) != 0)
      (is_image(c->script, i) ? write_image : write_buffer)(out, buffer, now->bytes);
  }
  return fclose(out) == 0;
}

static bool has_expects(const AmberScript *script) {
  for (uint32_t i = 0; i < script->command_count; i++)
    if (script->commands[i].kind == AMBER_EXPECT)
      return true;
  return false;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static Verdict try_case(Case *c, char *message) {
  Outcome reference = {0};
  if (!open_case(c, message))
    return REFUSED;
  Verdict verdict = run_way(c, &ways[0], &reference, message);
  if (verdict == AGREES)
    verdict = (c->draws ? run_draws : run_others)(c, &reference, message);
  if (verdict == AGREES && !has_expects(c->script) && !write_expects(c, &reference.report)) {
    snprintf(message, MESSAGE, "cannot be written");
    verdict = REFUSED;
  }
  hn_report_clear(&reference.report);
  return verdict;
}

int main(int argc, char **argv) {
  int code = 0;
  /* Kept open, since glslang would otherwise rebuild them for each case. */
  HnShaderTables *tables = hn_shader_tables_open();
  for (int i = 1; i < argc; i++) {
    Case c = {.path = argv[i]};
    char message[MESSAGE] = "";
    Verdict verdict = try_case(&c, message);
    close_case(&c);
    message[strcspn(message, "\n")] = 0;
    if (verdict == AGREES)
      printf("%s: ok\n", argv[i]);
    else
      printf("%s: %s: %s\n", argv[i], verdict == DIFFERS ? "differs" : "refused", message);
    fflush(stdout);
    code |= verdict == DIFFERS;
  }
  hn_shader_tables_close(tables);
  return code;
}
