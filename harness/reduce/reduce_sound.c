/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_sound: see reduce_sound.h. */
#include "harness/reduce/reduce_sound.h"

#include "harness/shader/file.h"
#include "harness/shader/shader.h"
#include "spv-emu/cases/amber_run.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512 };

typedef struct Setting {
  const char *policy; /* NULL: `structured`, else `maximal` */
  uint32_t size;
  bool alone; /* lanes do not wait for each other: only if they do not communicate */
} Setting;

static const Setting settings[] = {
    {NULL, 32, false}, {"maximal", 8, false}, {"none", 8, true}, {"scalar", 4, true}};

enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct Case {
  const AmberScript *script;
  const HnModule *modules;
  bool talks;         /* its lanes communicate */
  uint8_t **contents; /* by buffer, of the first setting; NULL: it has none */
  uint64_t most;      /* issues of a run */
  uint64_t issues;    /* of the first run */
} Case;

static bool talks(const HnModule *m) {
  for (size_t at = 5; at < m->count && m->words[at] >> 16; at += m->words[at] >> 16) {
    uint32_t op = m->words[at] & 0xffff;
    if (op == SpvOpControlBarrier || (op >= SpvOpDPdx && op <= SpvOpFwidthCoarse) ||
        (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap))
      return true;
  }
  return false;
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
  const spv_emu_run_options how = {
      .policy = s->policy, .strict = true, .races = s == settings, .max_issues = c->most};
  char message[MESSAGE];
  EmuAmber *amber;
  EmuRow row;
  if (emu_amber_open(c->script, c->modules, &options, &amber, message, sizeof message) !=
      SPV_EMU_OK)
    return false;
  bool ran = emu_amber_run(amber, &how, &row, message, sizeof message) == SPV_EMU_OK;
  if (ran) {
    spv_emu_result total = emu_row_total(&row);
    ran = total.outcome == SPV_EMU_RAN && !total.races && agrees(c, amber, s == settings);
    c->issues = s == settings ? total.issued : c->issues;
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
    c->talks = c->talks || talks(&c->modules[i]);
  for (int i = 0; good && i < count; i++)
    if (!settings[i].alone || !c->talks)
      good = run(c, &settings[i]);
  for (uint32_t i = 0; c->contents && i < c->script->buffer_count; i++)
    free(c->contents[i]);
  free(c->contents);
  return good;
}

static bool run_text(const char *path, const char *text, uint64_t most, int count,
                     uint64_t *issues) {
  const AmberFiles files = hn_files_beside(path);
  AmberScript *script;
  AmberMessage parsed;
  HnModule *modules;
  char *why = NULL;
  if (amber_parse(text, strlen(text), &files, &script, &parsed) != AMBER_OK)
    return false;
  bool good = hn_shaders_make(script, &modules, &why) == HN_PASS;
  free(why);
  if (good) {
    Case c = {.script = script, .modules = modules, .most = most};
    good = runs_alike(&c, count);
    if (issues)
      *issues = c.issues;
    hn_shaders_free(modules, script->shader_count);
  }
  amber_destroy(script);
  return good;
}

bool hn_reduce_sound(const char *path, const char *text, uint64_t most, uint64_t *issues) {
  return run_text(path, text, most, SETTINGS, issues);
}

bool hn_reduce_ends(const char *path, const char *text, uint64_t most) {
  return run_text(path, text, most, 1, NULL);
}
