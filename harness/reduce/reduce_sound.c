/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_sound: see reduce_sound.h. */
#include "harness/reduce/reduce_sound.h"

#include "harness/shader/case_file.h"
#include "harness/shader/shader.h"
#include "spv-emu/cases/amber_run.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512 };

typedef struct Setting {
  const char *policy; /* NULL: `structured`, else `maximal` */
  uint32_t size;
  bool alone;     /* lanes do not wait for each other: only if they do not communicate */
  bool backwards; /* in a different order: only if the module demands none */
  bool garbage;   /* what is not initialized is not 0 */
} Setting;

static const Setting settings[] = {{.size = 32},
                                   {.policy = "maximal", .size = 8},
                                   {.policy = "none", .size = 8, .alone = true},
                                   {.policy = "scalar", .size = 4, .alone = true},
                                   {.size = 32, .garbage = true},
                                   {.size = 8, .backwards = true}};

enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct Case {
  const AmberScript *script;
  const HnModule *modules;
  bool talks;         /* its lanes communicate */
  bool ordered;       /* its fragments have an order */
  bool may_race;      /* invocations of a workgroup may race */
  uint8_t **contents; /* by buffer, of the first setting; NULL: it has none */
  uint64_t most;      /* issues of a run */
  HnReduceSound *found;
} Case;

static void look_at(Case *c, const HnModule *m) {
  for (size_t at = 5; at < m->count && m->words[at] >> 16; at += m->words[at] >> 16) {
    uint32_t op = m->words[at] & 0xffff;
    c->talks |= op == SpvOpControlBarrier || (op >= SpvOpDPdx && op <= SpvOpFwidthCoarse) ||
                (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
    c->ordered |= op == SpvOpBeginInvocationInterlockEXT;
  }
}

/* Are the buffers those of the first setting, which keeps them? */
static bool agrees(const Case *c, const EmuAmber *amber, bool first) {
  for (uint32_t i = 0; i < c->script->buffer_count; i++) {
    const uint8_t *bytes = emu_amber_contents(amber, i);
    size_t size = bytes ? c->script->buffers[i].size : 0;
    if (first && size) {
      c->contents[i] = malloc(size);
      if (!c->contents[i])
        return false;
      memcpy(c->contents[i], bytes, size);
    } else if (size && (!c->contents[i] || memcmp(c->contents[i], bytes, size) != 0)) {
      return false;
    }
  }
  return true;
}

static bool run(Case *c, const Setting *s) {
  const EmuAmberOptions options = {.subgroup_size = s->size};
  const spv_emu_run_options how = {.policy = s->policy,
                                   .strict = true,
                                   .races = s == settings,
                                   .max_issues = c->most,
                                   .backwards = s->backwards,
                                   .garbage = s->garbage};
  char message[MESSAGE];
  EmuAmber *amber;
  EmuRow row;
  if (emu_amber_open(c->script, c->modules, &options, &amber, message, sizeof message) !=
      SPV_EMU_OK)
    return false;
  bool ran = emu_amber_run(amber, &how, &row, message, sizeof message) == SPV_EMU_OK;
  if (ran) {
    spv_emu_result total = emu_row_total(&row);
    ran = total.outcome == SPV_EMU_RAN && !total.races && (c->may_race || !total.lane_races) &&
          agrees(c, amber, s == settings);
    c->found->issues = total.issued > c->found->issues ? total.issued : c->found->issues;
    c->found->races |= total.lane_races != 0;
  }
  emu_row_free(&row);
  emu_amber_close(amber);
  return ran;
}

/* Runs the first `count` settings. */
static bool runs_alike(Case *c, int count) {
  c->contents = calloc(c->script->buffer_count + 1u, sizeof *c->contents);
  bool good = c->contents;
  for (uint32_t i = 0; i < c->script->shader_count; i++)
    look_at(c, &c->modules[i]);
  for (int i = 0; good && i < count; i++)
    if ((!settings[i].alone || !c->talks) && (!settings[i].backwards || !c->ordered))
      good = run(c, &settings[i]);
  for (uint32_t i = 0; c->contents && i < c->script->buffer_count; i++)
    free(c->contents[i]);
  free(c->contents);
  return good;
}

static bool run_text(const char *path, const char *text, uint64_t most, bool may_race, int count,
                     HnReduceSound *found) {
  const AmberFiles files = hn_files_beside(path);
  AmberScript *script;
  AmberMessage parsed;
  HnModule *modules;
  char *why = NULL;
  *found = (HnReduceSound){0};
  if (amber_parse(text, strlen(text), &files, &script, &parsed) != AMBER_OK)
    return false;
  bool good = hn_shaders_make(script, &modules, &why) == HN_PASS;
  free(why);
  if (good) {
    Case c = {
        .script = script, .modules = modules, .may_race = may_race, .most = most, .found = found};
    good = runs_alike(&c, count);
    hn_shaders_free(modules, script->shader_count);
  }
  amber_destroy(script);
  return good;
}

bool hn_reduce_sound(const char *path, const char *text, uint64_t most, bool may_race,
                     HnReduceSound *found) {
  return run_text(path, text, most, may_race, SETTINGS, found);
}

bool hn_reduce_ends(const char *path, const char *text, uint64_t most) {
  HnReduceSound found;
  return run_text(path, text, most, true, 1, &found);
}
