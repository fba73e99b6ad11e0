/* SPDX-License-Identifier: Apache-2.0 */
/* cli_trace: see cli_trace.h. */
#include "spv-emu/cli/cli_trace.h"

#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { LANES_A_DIGIT = 4, WORD_LANES = 64 };

/* ---- the stack's length ---------------------------------------------------------------------- */

static void write_issues(void *user, uint64_t subgroup, uint64_t issue, uint32_t count,
                         uint32_t block, uint32_t depth) {
  const EmuCliTrace *t = user;
  for (uint32_t i = 1; i <= count; i++)
    fprintf(t->stack, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 "\n", t->trace.policy,
            subgroup, issue + i, block, depth);
}

/* ---- entries --------------------------------------------------------------------------------- */

static void begin_step(void *user, uint64_t subgroup, const char *name) {
  EmuCliTrace *t = user;
  if (t->policy != t->trace.policy || t->subgroup != subgroup)
    fprintf(t->entries, "; policy %s, subgroup %" PRIu64 "\n", t->trace.policy, subgroup);
  t->policy = t->trace.policy;
  t->subgroup = subgroup;
  t->step = name;
}

/* The last lane is on the left. */
static void write_mask(const EmuCliTrace *t, FILE *file, const uint64_t *lanes) {
  for (uint32_t i = (t->trace.lanes + LANES_A_DIGIT - 1) / LANES_A_DIGIT; i-- > 0;)
    fprintf(
        file, "%x",
        (unsigned)(lanes[i * LANES_A_DIGIT / WORD_LANES] >> i * LANES_A_DIGIT % WORD_LANES & 15));
}

static void write_entry(void *user, bool pushed, const uint64_t *lanes, uint32_t next,
                        uint32_t rejoin) {
  EmuCliTrace *t = user;
  fprintf(t->entries, "%-4s  %s  mask ", t->step ? t->step : "", pushed ? "push" : "pop ");
  t->step = NULL;
  write_mask(t, t->entries, lanes);
  fprintf(t->entries, "  npc %%%" PRIu32, next);
  if (rejoin)
    fprintf(t->entries, "  rpc %%%" PRIu32, rejoin);
  else if (strcmp(t->trace.policy, "pdom") == 0)
    fprintf(t->entries, "  rpc end");
  fputc('\n', t->entries);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void write_group(void *user, uint64_t subgroup, uint64_t step, spv_emu_group kind,
                        uint32_t place, const uint64_t *lanes) {
  static const char *const kinds[] = {"runs", "waits", "register"};
  const EmuCliTrace *t = user;
  fprintf(t->groups, "%s,%" PRIu64 ",%" PRIu64 ",%s,%s%" PRIu32 ",", t->trace.policy, subgroup,
          step + 1, kinds[kind], kind == SPV_EMU_GROUP_REGISTER ? "B" : "%", place);
  write_mask(t, t->groups, lanes);
  fputc('\n', t->groups);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool failed(const char *path) {
  fprintf(stderr, "%s: %s: %s\n", tool_program, path, strerror(errno));
  return false;
}

/* "-" is standard output. */
static bool open_file(const char *path, FILE **file) {
  if (!path)
    return true;
  *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  return *file || failed(path);
}

bool emu_cli_trace_open(EmuCliTrace *t, const char *stack_file, const char *entries_file,
                        const char *groups_file) {
  *t = (EmuCliTrace){
      .stack_file = stack_file, .entries_file = entries_file, .groups_file = groups_file};
  if (!open_file(stack_file, &t->stack) || !open_file(entries_file, &t->entries) ||
      !open_file(groups_file, &t->groups))
    return false;
  if (t->stack)
    fprintf(t->stack, "policy,subgroup,issue,block,depth\n");
  if (t->groups)
    fprintf(t->groups, "policy,subgroup,step,kind,place,lanes\n");
  return true;
}

spv_emu_trace *emu_cli_trace_start(EmuCliTrace *t) {
  t->policy = NULL;
  t->trace = (spv_emu_trace){.user = t,
                             .issued = t->stack ? write_issues : NULL,
                             .step = t->entries ? begin_step : NULL,
                             .entry = t->entries ? write_entry : NULL,
                             .group = t->groups ? write_group : NULL};
  return t->stack || t->entries || t->groups ? &t->trace : NULL;
}

static bool close_file(const char *path, FILE *file) {
  if (!file)
    return true;
  if (file == stdout) /* main says whether that could be written */
    return true;
  bool good = !ferror(file);
  return (fclose(file) == 0 && good) || failed(path);
}

bool emu_cli_trace_close(EmuCliTrace *t) {
  bool good = close_file(t->stack_file, t->stack);
  good = close_file(t->groups_file, t->groups) && good;
  return close_file(t->entries_file, t->entries) && good;
}
