/* SPDX-License-Identifier: Apache-2.0 */
/* tool_profile: see tool_profile.h. */
#include "passes/tool/tool_profile.h"

#include "passes/tool/tool_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tool_profile_file(const char *text) {
  static const char prefix[] = "profile:";
  size_t length = sizeof prefix - 1;
  return text && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool refuse(const char *path, const char *what) {
  tool_say(path, "not a profile of spv-emu: %s", what);
  return false;
}

static bool out_of_memory(const char *path) {
  tool_say(path, "out of memory");
  return false;
}

/* ---- one program ---- */

/* The arrays of a spvreconv_profile. */
typedef struct ToolProgram {
  const char *path; /* of the file, for messages */
  uint32_t block_count, path_count, subgroup_count;
  uint32_t *functions, *labels, *parts; /* by block */
  uint32_t *issues, *blocks, *path_end, *subgroup_end;
  bool *reaches_barrier;
} Program;

static void free_program(Program *p) {
  free(p->functions);
  free(p->labels);
  free(p->parts);
  free(p->issues);
  free(p->blocks);
  free(p->path_end);
  free(p->subgroup_end);
  free(p->reaches_barrier);
}

static bool is_id(json_int_t number) {
  return number >= 0 && number < UINT32_MAX;
}

static bool read_block(Program *p, json_t *from, uint32_t i) {
  json_int_t function, block, part, issues;
  int barrier;
  if (json_unpack(from, "{s:I, s:I, s:I, s:I, s:b}", "function", &function, "block", &block, "part",
                  &part, "issues", &issues, "reaches_barrier", &barrier) ||
      !is_id(function) || !is_id(block) || !is_id(part) || !is_id(issues))
    return refuse(p->path, "a block lacks function, block, part, issues or reaches_barrier");
  p->functions[i] = (uint32_t)function;
  p->labels[i] = (uint32_t)block;
  p->parts[i] = (uint32_t)part;
  p->issues[i] = (uint32_t)issues;
  p->reaches_barrier[i] = barrier != 0;
  return true;
}

static bool read_blocks(Program *p, const json_t *from) {
  for (uint32_t i = 0; i < p->block_count; i++)
    if (!read_block(p, json_array_get(from, i), i))
      return false;
  return true;
}

static bool read_path(Program *p, const json_t *from, uint32_t *count) {
  size_t length = json_array_size(from);
  for (size_t i = 0; i < length; i++) {
    const json_t *number = json_array_get(from, i);
    json_int_t block = json_integer_value(number);
    if (!json_is_integer(number) || block < 0 || block >= p->block_count)
      return refuse(p->path, "a path names a place that is not in the list of blocks");
    p->blocks[(*count)++] = (uint32_t)block;
  }
  return length || refuse(p->path, "a path is empty, or not a list");
}

static bool read_subgroups(Program *p, const json_t *from) {
  uint32_t count = 0, path = 0;
  for (uint32_t i = 0; i < p->subgroup_count; i++) {
    const json_t *paths = json_array_get(from, i);
    for (size_t k = 0; k < json_array_size(paths); k++) {
      if (!read_path(p, json_array_get(paths, k), &count))
        return false;
      p->path_end[path++] = count;
    }
    p->subgroup_end[i] = path;
  }
  return true;
}

/* False: out of memory. */
static bool make_room(Program *p, const json_t *subgroups) {
  size_t steps = 0, paths = 0;
  for (uint32_t i = 0; i < p->subgroup_count; i++) {
    const json_t *of = json_array_get(subgroups, i);
    paths += json_array_size(of);
    for (size_t k = 0; k < json_array_size(of); k++)
      steps += json_array_size(json_array_get(of, k));
  }
  p->path_count = (uint32_t)paths;
  p->functions = calloc(p->block_count, sizeof *p->functions);
  p->labels = calloc(p->block_count, sizeof *p->labels);
  p->parts = calloc(p->block_count, sizeof *p->parts);
  p->issues = calloc(p->block_count, sizeof *p->issues);
  p->reaches_barrier = calloc(p->block_count, sizeof *p->reaches_barrier);
  p->blocks = calloc(steps + 1, sizeof *p->blocks);
  p->path_end = calloc(paths + 1, sizeof *p->path_end);
  p->subgroup_end = calloc(p->subgroup_count + 1u, sizeof *p->subgroup_end);
  return p->functions && p->labels && p->parts && p->issues && p->reaches_barrier && p->blocks &&
         p->path_end && p->subgroup_end;
}

static spvreconv_profile profile_of(const Program *p) {
  return (spvreconv_profile){.size = sizeof(spvreconv_profile),
                             .block_count = p->block_count,
                             .path_count = p->path_count,
                             .subgroup_count = p->subgroup_count,
                             .issues = p->issues,
                             .reaches_barrier = p->reaches_barrier,
                             .blocks = p->blocks,
                             .path_end = p->path_end,
                             .subgroup_end = p->subgroup_end,
                             .functions = p->functions,
                             .labels = p->labels,
                             .parts = p->parts};
}

static bool choose(const Program *p, ToolOrder *order) {
  const spvreconv_profile profile = profile_of(p);
  uint32_t *chosen = calloc(p->block_count, sizeof *chosen);
  order->places = calloc(p->block_count, sizeof *order->places);
  bool good = chosen && order->places && spvreconv_profile_order(&profile, chosen) == SPVRECONV_OK;
  for (uint32_t i = 0; good && i < p->block_count; i++)
    order->places[order->count++] =
        (ToolPlace){p->functions[chosen[i]], p->labels[chosen[i]], p->parts[chosen[i]]};
  free(chosen);
  return good || out_of_memory(p->path);
}

/* The program is to be freed in any case. */
static bool read_program(const char *path, const json_t *from, Program *p) {
  const json_t *blocks = json_object_get(from, "blocks");
  const json_t *subgroups = json_object_get(from, "subgroups");
  *p = (Program){0};
  if (json_array_size(blocks) == 0 || !json_is_array(subgroups))
    return refuse(path, "a program lacks blocks or subgroups");
  *p = (Program){.path = path,
                 .block_count = (uint32_t)json_array_size(blocks),
                 .subgroup_count = (uint32_t)json_array_size(subgroups)};
  return (make_room(p, subgroups) || out_of_memory(path)) && read_blocks(p, blocks) &&
         read_subgroups(p, subgroups);
}

/* ---- the file ---- */

static bool read_programs(const char *path, const json_t *root, ToolPaths *paths) {
  const json_t *programs = json_object_get(json_object_get(root, "profile"), "programs");
  size_t count = json_array_size(programs);
  if (count == 0)
    return refuse(path, "it has no programs");
  paths->programs = calloc(count, sizeof *paths->programs);
  paths->profiles = calloc(count, sizeof *paths->profiles);
  paths->addresses = calloc(count, sizeof *paths->addresses);
  if (!paths->programs || !paths->profiles || !paths->addresses)
    return out_of_memory(path);
  for (uint32_t i = 0; i < count; i++) {
    paths->count++;
    if (!read_program(path, json_array_get(programs, i), &paths->programs[i]))
      return false;
    paths->profiles[i] = profile_of(&paths->programs[i]);
    paths->addresses[i] = &paths->profiles[i];
  }
  return true;
}

bool tool_paths_read(const char *path, ToolPaths *paths) {
  ToolInput in;
  json_error_t error;
  *paths = (ToolPaths){0};
  if (!tool_read(path, &in))
    return false;
  json_t *root = json_loadb(in.bytes, in.count, 0, &error);
  free(in.bytes);
  if (!root)
    return refuse(path, error.text);
  bool good = read_programs(path, root, paths);
  json_decref(root);
  return good;
}

void tool_paths_free(ToolPaths *paths) {
  for (uint32_t i = 0; i < paths->count; i++)
    free_program(&paths->programs[i]);
  free(paths->programs);
  free(paths->profiles);
  free(paths->addresses);
  *paths = (ToolPaths){0};
}

static bool choose_all(const char *path, const ToolPaths *paths, ToolProfile *profile) {
  profile->orders = calloc(paths->count, sizeof *profile->orders);
  if (!profile->orders)
    return out_of_memory(path);
  while (profile->count < paths->count) {
    uint32_t i = profile->count++;
    if (!choose(&paths->programs[i], &profile->orders[i]))
      return false;
  }
  return true;
}

bool tool_profile_read(const char *path, ToolProfile *profile) {
  ToolPaths paths;
  *profile = (ToolProfile){0};
  bool good = tool_paths_read(path, &paths) && choose_all(path, &paths, profile);
  tool_paths_free(&paths);
  return good;
}

void tool_profile_free(ToolProfile *profile) {
  for (uint32_t i = 0; i < profile->count; i++)
    free(profile->orders[i].places);
  free(profile->orders);
  *profile = (ToolProfile){0};
}

/* ---- as text ---- */

static void write_function(const ToolOrder *order, uint32_t function, FILE *out) {
  char before = '@';
  fprintf(out, "%%%u:", function);
  for (uint32_t i = 0; i < order->count; i++) {
    const ToolPlace *p = &order->places[i];
    if (p->function != function || p->part)
      continue;
    fprintf(out, "%c%u", before, p->block);
    before = ',';
  }
}

/* Writes the functions in the order in which they first appear; `written` has room for all of
 * them. */
static void write_functions(const ToolOrder *order, uint32_t *written, FILE *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < order->count; i++) {
    uint32_t function = order->places[i].function, k = 0;
    while (k < count && written[k] != function)
      k++;
    if (k < count)
      continue;
    if (count)
      fputc(';', out);
    written[count++] = function;
    write_function(order, function, out);
  }
}

char *tool_order_text(const ToolOrder *order) {
  char *text = NULL;
  size_t size = 0;
  uint32_t *written = calloc(order->count + 1u, sizeof *written);
  FILE *out = written ? open_memstream(&text, &size) : NULL;
  bool good = out != NULL;
  if (out) {
    write_functions(order, written, out);
    good = fclose(out) == 0;
  }
  free(written);
  if (good)
    return text;
  free(text);
  return NULL;
}
