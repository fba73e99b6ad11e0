/* SPDX-License-Identifier: Apache-2.0 */
/* graph_profile: see graph_profile.h. A path is a list of places: (function, block, part), where
 * calls cut a block into parts. The blocks of the function, each at its first part, are the steps
 * of a lane in it; a step from a block to one of its successors is one run of its branch. Other
 * steps lead from the end of a call to the next call of the function. The file's format:
 * tool/tool_profile.h. */
#include "spv-graph/graph_profile.h"
#include "passes/base/map.h"
#include "passes/tool/tool_file.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct Runs { /* runs of a branch, by successor */
  uint64_t to[2];
} Runs;

typedef struct Shares {
  const char *path; /* path of the file */
  SrArena *arena;
  const SrFunction *f;
  const Graph *g;
  SrMap block;    /* by label: index in the graph */
  uint32_t *step; /* by place of the current program: block, or SR_NONE */
  Runs *runs;     /* by block */
  bool found;     /* a program has blocks of the function */
} Shares;

static bool refuse(const Shares *s, const char *what) {
  tool_say(s->path, "not a profile of spv-emu: %s", what);
  return false;
}

/* The block of the function that begins at the place, or SR_NONE. False: it is not a place. */
static bool read_place(Shares *s, json_t *from, uint32_t *step) {
  json_int_t function, block, part;
  if (json_unpack(from, "{s:I, s:I, s:I}", "function", &function, "block", &block, "part", &part))
    return refuse(s, "a block lacks function, block or part");
  bool first = function == s->f->id && part == 0 && block > 0 && block <= UINT32_MAX;
  *step = first ? sr_map_get(&s->block, (uint32_t)block) : SR_NONE;
  s->found = s->found || *step != SR_NONE;
  return true;
}

static void count_step(Shares *s, uint32_t from, uint32_t to, uint64_t lanes) {
  const GraphBlock *b = &s->g->block.at[from];
  for (uint32_t k = 0; b->succ_count == 2 && k < 2; k++)
    s->runs[from].to[k] += s->g->succ.at[b->succ + k] == to ? lanes : 0;
}

static bool read_path(Shares *s, const json_t *path, size_t places, uint64_t lanes) {
  uint32_t last = SR_NONE;
  for (size_t i = 0; i < json_array_size(path); i++) {
    const json_t *number = json_array_get(path, i);
    json_int_t place = json_integer_value(number);
    if (!json_is_integer(number) || place < 0 || (size_t)place >= places)
      return refuse(s, "a path names a place that is not in the list of blocks");
    uint32_t step = s->step[place];
    if (step != SR_NONE && last != SR_NONE)
      count_step(s, last, step, lanes);
    last = step != SR_NONE ? step : last;
  }
  return true;
}

/* The number of lanes of the subgroup that took the path. Files of earlier versions do not have
 * it. */
static uint64_t lanes_of(const json_t *program, size_t subgroup, size_t path) {
  const json_t *lanes = json_array_get(json_object_get(program, "lanes"), subgroup);
  json_int_t count = json_integer_value(json_array_get(lanes, path));
  return count > 0 ? (uint64_t)count : 1;
}

static bool read_program(Shares *s, const json_t *program) {
  const json_t *blocks = json_object_get(program, "blocks");
  const json_t *subgroups = json_object_get(program, "subgroups");
  size_t places = json_array_size(blocks);
  if (places == 0 || !json_is_array(subgroups))
    return refuse(s, "a program lacks blocks or subgroups");
  s->step = SR_NEW(s->arena, uint32_t, places);
  for (size_t i = 0; i < places; i++)
    if (!read_place(s, json_array_get(blocks, i), &s->step[i]))
      return false;
  for (size_t i = 0; i < json_array_size(subgroups); i++) {
    const json_t *paths = json_array_get(subgroups, i);
    for (size_t k = 0; k < json_array_size(paths); k++)
      if (!read_path(s, json_array_get(paths, k), places, lanes_of(program, i, k)))
        return false;
  }
  return true;
}

static bool read_programs(Shares *s, const json_t *root) {
  const json_t *programs = json_object_get(json_object_get(root, "profile"), "programs");
  if (json_array_size(programs) == 0)
    return refuse(s, "it has no programs");
  for (size_t i = 0; i < json_array_size(programs); i++)
    if (!read_program(s, json_array_get(programs, i)))
      return false;
  if (s->found)
    return true;
  tool_say(
      s->path,
      "no program of this profile has blocks of function %%%u: record it with the same module, "
      "spv-emu --profile=FILE.json MODULE.spv",
      s->f->id);
  return false;
}

static json_t *load(const char *path) {
  ToolInput in;
  json_error_t error;
  if (!tool_read(path, &in))
    return NULL;
  json_t *root = json_loadb(in.bytes, in.count, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    tool_say(path, "line %d: %s", error.line, error.text);
  free(in.bytes);
  return root;
}

bool profile_apply(SrArena *arena, const char *path, const SrFunction *f, Graph *g) {
  json_t *root = load(path);
  if (!root)
    return false;
  Shares s = {.path = path, .arena = arena, .f = f, .g = g, .block = {.arena = arena}};
  s.runs = SR_NEW(arena, Runs, g->block.count);
  for (uint32_t b = 0; b < f->block_count; b++)
    sr_map_set(&s.block, f->blocks[b].id, b);
  bool good = read_programs(&s, root);
  json_decref(root);
  for (uint32_t b = 0; b < g->block.count && good; b++) {
    uint64_t first = s.runs[b].to[0], runs = first + s.runs[b].to[1];
    if (runs)
      g->block.at[b].taken = (double)first / (double)runs;
  }
  return good;
}
