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
 * compares drivers with them. */
#include "backend/compare.h"
#include "cases/amber_run.h"
#include "compile/compile_file.h"
#include "shader/file.h"
#include "shader/shader.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Way {
  const char *transform, *policy; /* NULL: no transform; policy structured, or else maximal */
  uint32_t size; /* of subgroups: 8 as in lavapipe, 4 as in SwiftShader, 32 as in a GPU */
  bool alone;    /* lanes run alone: only for programs whose lanes do not communicate, because
                    communication needs reconvergence */
} Way;

/* The first is the reference. (`opt` is a bound; it runs nothing.) */
static const Way ways[] = {
    {NULL, NULL, 32, false},          {NULL, NULL, 4, false},           {NULL, "scalar", 8, true},
    {NULL, "none", 8, true},          {NULL, "pdom", 8, false},         {NULL, "maximal", 8, false},
    {NULL, "tf-stack", 8, false},     {NULL, "tf-sandy", 8, false},     {NULL, "ssy", 8, false},
    {"reconverge", "exec", 8, false}, {"reconverge", "pdom", 8, false},
};

enum { WAYS = sizeof ways / sizeof *ways, MESSAGE = 1024, MOST_ISSUES = 20000000 };

typedef struct Case {
  const char *path;
  AmberScript *script;
  HnModule *modules;
  bool talks; /* its lanes communicate */
} Case;

/* ---- reading --------------------------------------------------------------------------------- */

static void look_at(Case *c, const HnModule *m) {
  for (size_t at = 5; at < m->count && m->words[at] >> 16; at += m->words[at] >> 16) {
    uint32_t op = m->words[at] & 0xffff;
    c->talks |= op == SpvOpControlBarrier ||
                (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
  }
}

static bool open_case(Case *c, char *message) {
  const AmberFiles files = {hn_file_read_beside, (void *)c->path};
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

static Verdict run_way(const Case *c, const Way *way, HnReport *report, char *message) {
  const EmuAmberOptions options = {.transform = way->transform, .subgroup_size = way->size};
  const spv_emu_run_options how = {
      .policy = way->policy, .strict = true, .max_issues = MOST_ISSUES};
  EmuAmber *amber;
  EmuRow row;
  if (emu_amber_open(c->script, c->modules, &options, &amber, message, MESSAGE) != SPV_EMU_OK)
    return REFUSED;
  bool ran = emu_amber_run(amber, &how, &row, message, MESSAGE) == SPV_EMU_OK;
  Verdict verdict = ran ? judge(&row, way == ways, message) : REFUSED;
  if (verdict == AGREES && !keep(c, amber, report)) {
    snprintf(message, MESSAGE, "out of memory");
    verdict = REFUSED;
  }
  emu_row_free(&row);
  emu_amber_close(amber);
  return verdict;
}

/* A policy that does not apply to the module is skipped. */
static Verdict run_other(const Case *c, const Way *way, const HnReport *reference, char *message) {
  HnReport report = {0};
  char why[MESSAGE], *difference = NULL;
  if (c->talks && way->alone)
    return AGREES;
  Verdict verdict = run_way(c, way, &report, why);
  if (verdict == AGREES &&
      !hn_compare(c->script, &report, reference, "of the reference", &difference)) {
    snprintf(why, sizeof why, "%s", difference ? difference : "out of memory");
    free(difference);
    verdict = DIFFERS;
  }
  hn_report_clear(&report);
  if (verdict == DIFFERS)
    snprintf(message, MESSAGE, "policy %s, subgroups of %u%s%s: %.700s",
             way->policy ? way->policy : "structured", way->size, way->transform ? " after " : "",
             way->transform ? way->transform : "", why);
  return verdict == DIFFERS ? DIFFERS : AGREES;
}

/* ---- EXPECTs --------------------------------------------------------------------------------- */

static void write_buffer(FILE *out, const AmberBuffer *buffer, const uint8_t *bytes) {
  uint32_t written = 0;
  fprintf(out, "EXPECT %s IDX 0 EQ", buffer->name);
  for (uint32_t i = 0; i < buffer->element_count; i++)
    for (uint32_t k = 0; k < buffer->layout.field_count; k++) {
      const AmberField *field = &buffer->layout.fields[k];
      char text[64];
      amber_value_print(field, amber_field_get(field, bytes + (size_t)i * buffer->layout.stride),
                        text, sizeof text);
      fprintf(out, "%s%s", written++ % 10 ? " " : " \\\n  ", text);
    }
  fputc('\n', out);
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
      write_buffer(out, buffer, now->bytes);
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
  HnReport reference = {0};
  if (!open_case(c, message))
    return REFUSED;
  Verdict verdict = run_way(c, &ways[0], &reference, message);
  for (size_t i = 1; verdict == AGREES && i < WAYS; i++)
    verdict = run_other(c, &ways[i], &reference, message);
  if (verdict == AGREES && !has_expects(c->script) && !write_expects(c, &reference)) {
    snprintf(message, MESSAGE, "cannot be written");
    verdict = REFUSED;
  }
  hn_report_clear(&reference);
  return verdict;
}

int main(int argc, char **argv) {
  int code = 0;
  HnShaderTables *tables =
      hn_shader_tables_open(); /* else glslang would rebuild them for each case */
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
