/* SPDX-License-Identifier: Apache-2.0 */
/* debug_print: see debug_print.h. Lanes that have ended have no values. */
#include "spv-emu/debug/debug_print.h"

#include "passes/ir/decorations.h"
#include "spv-emu/debug/debug_lanes.h"
#include "spv-emu/debug/debug_name.h"

/* Lanes that have the same text. */
typedef struct Same {
  const char *text;
  bool active;
  EmuMask lanes;
} Same;

typedef SR_VEC(Same) Sames;

/* `has`: the lanes that have values of the view. */
static const char *text_of(EmuDebugger *d, const EmuView *v, const EmuMask *has, uint32_t lane) {
  SrText text = {.arena = &d->scratch};
  if (!emu_mask_has(has, lane) || !emu_view_is_computed(d, v, lane))
    return "-";
  emu_view_write(d, v, lane, &text);
  return sr_text_end(&text);
}

static void add_lane(EmuDebugger *d, Sames *sames, const char *text, uint32_t lane) {
  bool active = emu_mask_has(&d->e->lanes.on, lane);
  uint32_t i = 0;
  while (i < sames->count &&
         (sames->at[i].active != active || strcmp(sames->at[i].text, text) != 0))
    i++;
  if (i == sames->count)
    SR_PUSH(&d->scratch, sames, (Same){.text = text, .active = active});
  emu_mask_set(&sames->at[i].lanes, lane);
}

static void print_same(EmuDebugger *d, const Same *s) {
  SrText lanes = {.arena = &d->scratch};
  emu_debug_add_lanes(&lanes, &s->lanes, d->e->lanes.words);
  sr_text_add(&d->out, "  %-12s %s%s\n", sr_text_end(&lanes), s->text,
              s->active ? "" : "  (waiting)");
}

enum { A_ROW = 8, FEW = 8, SHORT = 12 };

/* Are the values too many for a line each, and short? */
static bool are_many(const Sames *sames) {
  for (uint32_t i = 0; i < sames->count; i++)
    if (strlen(sames->at[i].text) > SHORT)
      return false;
  return sames->count > FEW;
}

static const char *text_in(const Sames *sames, uint32_t lane) {
  for (uint32_t i = 0; i < sames->count; i++)
    if (emu_mask_has(&sames->at[i].lanes, lane))
      return sames->at[i].text;
  return "."; /* the lane has ended, or has no invocation */
}

/* Some lanes a line; values of waiting lanes are in parentheses. */
static void print_rows(EmuDebugger *d, const Sames *sames) {
  for (uint32_t lane = 0; lane < d->e->lanes.size; lane++) {
    const char *text = text_in(sames, lane);
    bool waits = *text != '.' && !emu_mask_has(&d->e->lanes.on, lane);
    if (lane % A_ROW == 0)
      sr_text_add(&d->out, "%s  lane %-4u", lane ? "\n" : "", lane);
    sr_text_add(&d->out, waits ? " (%s)" : " %s", text);
  }
  sr_text_add(&d->out, "\n");
}

static void print_by_lane(EmuDebugger *d, const EmuView *v) {
  Sames sames = {0};
  EmuMask has;
  uint32_t function = emu_debug_function_of(d, v);
  if (function == SR_NONE)
    emu_mask_copy(&has, &d->e->live, d->e->lanes.words);
  else
    emu_debug_lanes_in(d, function, &has);
  for (EMU_EACH_LANE(lane, &d->e->live, d->e->lanes.words))
    add_lane(d, &sames, text_of(d, v, &has, lane), lane);
  sr_text_add(&d->out, "\n");
  if (are_many(&sames)) {
    print_rows(d, &sames);
    return;
  }
  for (uint32_t i = 0; i < sames.count; i++)
    print_same(d, &sames.at[i]);
}

static void print_view(EmuDebugger *d, const char *name, const EmuView *v, bool several) {
  sr_text_add(&d->out, "%s", name);
  if (several)
    sr_text_add(&d->out, " (%%%u)", v->id);
  if (emu_view_is_by_lane(d, v)) {
    print_by_lane(d, v);
    return;
  }
  sr_text_add(&d->out, " = ");
  emu_view_write(d, v, emu_mask_next(&d->e->lanes.on, 0, d->e->lanes.words), &d->out);
  sr_text_add(&d->out, "\n");
}

void emu_debug_print(EmuDebugger *d, const char *name) {
  EmuViews views = {0};
  const char *why = emu_debug_find(d, name, &views);
  if (why)
    sr_text_add(&d->out, "%s\n", why);
  for (uint32_t i = 0; i < views.count && !why; i++)
    print_view(d, name, &views.at[i], views.count > 1);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static const char *const classes[] = {"handle", "input",   "uniform", "output",  "workgroup",
                                      "buffer", "private", "local",   "generic", "push constant"};

/* Storage buffers of old modules have the class of uniform blocks. */
static const char *class_of(const EmuDebugger *d, const EmuDebugVariable *v) {
  SrModule *m = d->p->module;
  uint32_t class = v->storage_class;
  bool buffer =
      class == SpvStorageClassUniform && sr_is_decorated(m, v->type, SpvDecorationBufferBlock);
  return !buffer && class < sizeof classes / sizeof *classes ? classes[class] : "buffer";
}

/* The variable's name; of a block without one, that of its type. */
static const char *global_name(const EmuDebugger *d, const EmuDebugVariable *v) {
  const char *name = d->names[v->id] && *d->names[v->id] ? d->names[v->id] : d->names[v->type];
  return name ? name : "";
}

static void list_global(EmuDebugger *d, const EmuDebugVariable *v) {
  const EmuView view = emu_debug_whole(d, v);
  sr_text_add(&d->out, "%-13s %s (%%%u)", class_of(d, v), global_name(d, v), v->id);
  const char *before = ": ";
  for (uint32_t i = 0; i < emu_debug_type(d, view.type)->count; i++) {
    const char *member = emu_debug_type(d, view.type)->op == SpvOpTypeStruct
                             ? emu_debug_member(d, view.type, i)
                             : NULL;
    if (member)
      sr_text_add(&d->out, "%s%s", before, member);
    before = member ? ", " : before;
  }
  sr_text_add(&d->out, "\n");
}

static void print_locals(EmuDebugger *d) {
  const EmuDebugInfo *info = d->p->debug;
  uint32_t function = emu_debug_frame_function(d), count = d->out.count;
  for (uint32_t i = 0; i < info->variables.count; i++) {
    const EmuDebugVariable *v = &info->variables.at[i];
    const EmuView view = emu_debug_whole(d, v);
    if (emu_debug_is_of(d, v->id, function))
      print_view(d, d->names[v->id] ? d->names[v->id] : "a variable", &view, !d->names[v->id]);
  }
  for (uint32_t i = 0; i < d->variables.count; i++)
    if (d->variables.at[i].function == function)
      emu_debug_print(d, d->variables.at[i].name);
  if (d->out.count == count)
    sr_text_add(&d->out, "the function has no variables with names\n");
}

void emu_debug_info_variables(EmuDebugger *d, bool globals) {
  const EmuDebugInfo *info = d->p->debug;
  if (!globals) {
    print_locals(d);
    return;
  }
  for (uint32_t i = 0; i < info->variables.count; i++)
    if (emu_debug_is_of(d, info->variables.at[i].id, SR_NONE))
      list_global(d, &info->variables.at[i]);
}
