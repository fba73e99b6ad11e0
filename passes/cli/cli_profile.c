/* cli_profile: see cli_profile.h. */
#include "cli/cli_profile.h"

#include "analysis/priority_profile.h"
#include "cli/cli_file.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t search_budget = 40000000;

const char *cli_profile_file(const char *text) {
  static const char prefix[] = "profile:";
  size_t length = sizeof prefix - 1;
  return text && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

typedef struct Reader {
  const char *path;
  SrHeap heap;
  SrArena arena; /* of one program */
} Reader;

static bool refuse(const Reader *r, const char *what) {
  cli_say(r->path, "not a profile of spv-emu: %s", what);
  return false;
}

/* ---- one program ----------------------------------------------------------------------------- */

static bool is_id(json_int_t number) {
  return number >= 0 && number < UINT32_MAX;
}

static bool read_block(const Reader *r, json_t *from, CliPlace *place, uint32_t *issues,
                       bool *reaches_barrier) {
  json_int_t function, block, part, count;
  int barrier;
  if (json_unpack(from, "{s:I, s:I, s:I, s:I, s:b}", "function", &function, "block", &block, "part",
                  &part, "issues", &count, "reaches_barrier", &barrier) ||
      !is_id(function) || !is_id(block) || !is_id(part) || !is_id(count))
    return refuse(r, "a block lacks function, block, part, issues or reaches_barrier");
  *place = (CliPlace){(uint32_t)function, (uint32_t)block, (uint32_t)part};
  *issues = (uint32_t)count;
  *reaches_barrier = barrier != 0;
  return true;
}

static bool read_blocks(Reader *r, const json_t *from, CliPlace *places, SrProfile *profile) {
  uint32_t *issues = SR_NEW(&r->arena, uint32_t, profile->block_count);
  bool *reaches_barrier = SR_NEW(&r->arena, bool, profile->block_count);
  for (uint32_t i = 0; i < profile->block_count; i++)
    if (!read_block(r, json_array_get(from, i), &places[i], &issues[i], &reaches_barrier[i]))
      return false;
  profile->issues = issues;
  profile->reaches_barrier = reaches_barrier;
  return true;
}

static bool read_trail(Reader *r, const json_t *from, uint32_t block_count, SrTrail *trail) {
  uint32_t *blocks = SR_NEW_RAW(&r->arena, uint32_t, json_array_size(from));
  *trail = (SrTrail){blocks, (uint32_t)json_array_size(from)};
  for (uint32_t i = 0; i < trail->count; i++) {
    const json_t *number = json_array_get(from, i);
    json_int_t block = json_integer_value(number);
    if (!json_is_integer(number) || block < 0 || block >= block_count)
      return refuse(r, "a path holds what is no place in the list of blocks");
    blocks[i] = (uint32_t)block;
  }
  return trail->count || refuse(r, "a path is empty, or no list");
}

static bool read_subgroups(Reader *r, const json_t *from, SrProfile *profile) {
  SrTrails *subgroups = SR_NEW(&r->arena, SrTrails, json_array_size(from));
  profile->subgroups = subgroups;
  profile->subgroup_count = (uint32_t)json_array_size(from);
  for (uint32_t i = 0; i < profile->subgroup_count; i++) {
    const json_t *paths = json_array_get(from, i);
    SrTrail *trails = SR_NEW(&r->arena, SrTrail, json_array_size(paths));
    subgroups[i] = (SrTrails){trails, (uint32_t)json_array_size(paths)};
    for (uint32_t k = 0; k < subgroups[i].count; k++)
      if (!read_trail(r, json_array_get(paths, k), profile->block_count, &trails[k]))
        return false;
  }
  return true;
}

static bool choose(Reader *r, const SrProfile *profile, const CliPlace *places, CliOrder *order) {
  const uint32_t *chosen = sr_profile_order(&r->arena, profile, search_budget);
  order->places = calloc(profile->block_count, sizeof *order->places);
  if (!order->places)
    longjmp(r->heap.out_of_memory, 1);
  for (uint32_t i = 0; i < profile->block_count; i++)
    order->places[order->count++] = places[chosen[i]];
  return true;
}

static bool read_program(Reader *r, const json_t *from, CliOrder *order) {
  const json_t *blocks = json_object_get(from, "blocks");
  const json_t *subgroups = json_object_get(from, "subgroups");
  if (json_array_size(blocks) == 0 || !json_is_array(subgroups))
    return refuse(r, "a program lacks blocks or subgroups");
  r->arena = sr_arena_new(&r->heap);
  SrProfile profile = {.block_count = (uint32_t)json_array_size(blocks)};
  CliPlace *places = SR_NEW(&r->arena, CliPlace, profile.block_count);
  bool good = read_blocks(r, blocks, places, &profile) && read_subgroups(r, subgroups, &profile) &&
              choose(r, &profile, places, order);
  sr_arena_free(&r->arena);
  return good;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool read_programs(Reader *r, const json_t *root, CliProfile *profile) {
  const json_t *programs = json_object_get(json_object_get(root, "profile"), "programs");
  size_t count = json_array_size(programs);
  if (count == 0)
    return refuse(r, "it has no programs");
  profile->orders = calloc(count, sizeof *profile->orders);
  if (!profile->orders)
    longjmp(r->heap.out_of_memory, 1);
  for (; profile->count < count; profile->count++)
    if (!read_program(r, json_array_get(programs, profile->count),
                      &profile->orders[profile->count]))
      return false;
  return true;
}

static bool read_guarded(Reader *r, const json_t *root, CliProfile *profile) {
  if (setjmp(r->heap.out_of_memory)) {
    cli_say(r->path, "out of memory");
    return false;
  }
  return read_programs(r, root, profile);
}

bool cli_profile_read(const char *path, CliProfile *profile) {
  Reader r = {.path = path};
  CliInput in;
  json_error_t error;
  *profile = (CliProfile){0};
  if (!cli_read(path, &in))
    return false;
  json_t *root = json_loadb(in.bytes, in.count, 0, &error);
  free(in.bytes);
  if (!root)
    return refuse(&r, error.text);
  sr_heap_init(&r.heap);
  bool good = read_guarded(&r, root, profile);
  sr_heap_free_all(&r.heap);
  json_decref(root);
  return good;
}

void cli_profile_free(CliProfile *profile) {
  for (uint32_t i = 0; i < profile->count; i++)
    free(profile->orders[i].places);
  free(profile->orders);
  *profile = (CliProfile){0};
}

/* ---- as text --------------------------------------------------------------------------------- */

static void write_function(const CliOrder *order, uint32_t function, FILE *out) {
  char before = '@';
  fprintf(out, "%%%u:", function);
  for (uint32_t i = 0; i < order->count; i++) {
    const CliPlace *p = &order->places[i];
    if (p->function != function || p->part)
      continue;
    fprintf(out, "%c%u", before, p->block);
    before = ',';
  }
}

/* In the order in which functions are met; `written` has room for all of them. */
static void write_functions(const CliOrder *order, uint32_t *written, FILE *out) {
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

char *cli_order_text(const CliOrder *order) {
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
