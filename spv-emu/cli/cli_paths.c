/* SPDX-License-Identifier: Apache-2.0 */
/* cli_paths: see cli_paths.h. */
#include "spv-emu/cli/cli_paths.h"

#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"
#include "spv-emu/report/grow.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of blocks, of all lanes, that are recorded. As JSON they need about 100 MB
 * while they are written. */
enum { MOST_RECORDED = 1 << 22 };
enum { LANES_A_WORD = 64 };

typedef struct Path { /* of a lane: indices in Recorded.places */
  uint32_t *at;
  uint64_t count, room;
} Path;

typedef struct Subgroup {
  Path *lanes; /* NULL: not recorded */
  uint32_t lane_count;
} Subgroup;

/* A program. Programs with the same blocks share a record, since orders are orders of blocks. */
typedef struct Recorded {
  spv_emu_place *places;
  uint32_t place_count;
  uint32_t *place_of; /* by part of the program */
  uint32_t part_count;
  Subgroup *subgroups; /* of all its dispatches */
  uint64_t count, room;
  uint64_t before; /* subgroups of dispatches before this one */
} Recorded;

typedef struct Recorder {
  Recorded *programs;
  uint32_t count;
  Recorded *now; /* the program whose dispatch runs; NULL: out of memory */
  uint32_t lanes;
  uint64_t recorded; /* blocks of all lanes */
  bool out_of_memory;
} Recorder;

/* ---- recording ------------------------------------------------------------------------------- */

static bool have_same_blocks(const Recorded *a, const Recorded *b) {
  bool same = a->place_count == b->place_count;
  for (uint32_t i = 0; i < a->place_count && same; i++)
    same = a->places[i].block == b->places[i].block && a->places[i].part == b->places[i].part;
  return same;
}

static bool number_places(Recorded *p) {
  for (uint32_t i = 0; i < p->place_count; i++)
    if (p->places[i].index >= p->part_count)
      p->part_count = p->places[i].index + 1;
  p->place_of = calloc(p->part_count + 1u, sizeof *p->place_of);
  for (uint32_t i = 0; p->place_of && i < p->place_count; i++)
    p->place_of[p->places[i].index] = i;
  return p->place_of != NULL;
}

static Recorded *find_program(Recorder *r, const spv_emu_program *program) {
  Recorded p = {0};
  p.places = spv_emu_places(program, &p.place_count);
  for (uint32_t i = 0; p.places && i < r->count; i++)
    if (have_same_blocks(&r->programs[i], &p)) {
      free(p.places);
      return &r->programs[i];
    }
  Recorded *more = realloc(r->programs, (r->count + 1) * sizeof *more);
  if (!p.places || !more || !number_places(&p)) {
    r->programs = more ? more : r->programs;
    free(p.places);
    return NULL;
  }
  r->programs = more;
  more[r->count] = p;
  return &more[r->count++];
}

static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  Recorder *r = user;
  r->lanes = lanes;
  r->now = find_program(r, program);
  r->out_of_memory = r->out_of_memory || !r->now;
  if (r->now)
    r->now->before = r->now->count;
}

static bool push(Path *path, uint32_t place) {
  void *at = path->at;
  bool good = emu_grow(&at, &path->room, path->count + 1, sizeof *path->at);
  path->at = at;
  if (good)
    path->at[path->count++] = place;
  return good;
}

/* The subgroup, with room for its lanes; NULL: out of memory. */
static Subgroup *find_subgroup(const Recorder *r, Recorded *p, uint64_t number) {
  void *subgroups = p->subgroups;
  bool good = emu_grow(&subgroups, &p->room, number + 1, sizeof *p->subgroups);
  p->subgroups = subgroups;
  if (!good)
    return NULL;
  Subgroup *s = &p->subgroups[number];
  p->count = number >= p->count ? number + 1 : p->count;
  if (!s->lane_count) {
    s->lane_count = r->lanes;
    s->lanes = calloc(r->lanes, sizeof *s->lanes);
    return s->lanes ? s : NULL;
  }
  return s;
}

static void leave_out(Subgroup *s) {
  for (uint32_t i = 0; s->lanes && i < s->lane_count; i++)
    free(s->lanes[i].at);
  free(s->lanes);
  s->lanes = NULL;
}

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  Recorder *r = user;
  Recorded *p = r->now;
  (void)count;
  if (r->out_of_memory || part == SPV_EMU_NO_PART)
    return;
  Subgroup *s = find_subgroup(r, p, p->before + subgroup);
  r->out_of_memory = !s;
  for (uint32_t i = 0; s && s->lanes && i < r->lanes; i++) {
    if (!(lanes[i / LANES_A_WORD] >> i % LANES_A_WORD & 1))
      continue;
    r->out_of_memory = r->out_of_memory || !push(&s->lanes[i], p->place_of[part]);
    r->recorded++;
  }
  if (s && r->recorded > MOST_RECORDED)
    leave_out(s);
}

/* ---- output ---------------------------------------------------------------------------------- */

static json_t *place_object(const spv_emu_place *p) {
  return json_pack("{s:I, s:I, s:I, s:I, s:b}", "function", (json_int_t)p->function, "block",
                   (json_int_t)p->block, "part", (json_int_t)p->part, "issues",
                   (json_int_t)p->issues, "reaches_barrier", p->reaches_barrier);
}

static bool is_same(const Path *a, const Path *b) {
  return a->count == b->count &&
         (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

/* Lanes that do not exist have no path. */
static bool is_first_of_its_kind(const Subgroup *s, uint32_t lane) {
  for (uint32_t i = 0; i < lane; i++)
    if (is_same(&s->lanes[i], &s->lanes[lane]))
      return false;
  return s->lanes[lane].count > 0;
}

static json_t *path_array(const Path *path) {
  json_t *array = json_array();
  for (uint64_t i = 0; i < path->count; i++)
    json_array_append_new(array, json_integer(path->at[i]));
  return array;
}

static json_t *subgroup_array(const Subgroup *s) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < s->lane_count; i++)
    if (is_first_of_its_kind(s, i))
      json_array_append_new(array, path_array(&s->lanes[i]));
  return array;
}

/* How many lanes took each path of subgroup_array. */
static json_t *lanes_array(const Subgroup *s) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < s->lane_count; i++) {
    json_int_t lanes = 0;
    if (!is_first_of_its_kind(s, i))
      continue;
    for (uint32_t k = i; k < s->lane_count; k++)
      lanes += is_same(&s->lanes[i], &s->lanes[k]);
    json_array_append_new(array, json_integer(lanes));
  }
  return array;
}

static json_t *program_object(const Recorded *p) {
  json_t *blocks = json_array(), *subgroups = json_array(), *lanes = json_array();
  json_int_t left_out = 0;
  for (uint32_t i = 0; i < p->place_count; i++)
    json_array_append_new(blocks, place_object(&p->places[i]));
  for (uint64_t i = 0; i < p->count; i++) {
    if (p->subgroups[i].lanes) {
      json_array_append_new(subgroups, subgroup_array(&p->subgroups[i]));
      json_array_append_new(lanes, lanes_array(&p->subgroups[i]));
    }
    left_out += !p->subgroups[i].lanes;
  }
  return json_pack("{s:I, s:o, s:o, s:o}", "subgroups_left_out", left_out, "blocks", blocks,
                   "subgroups", subgroups, "lanes", lanes);
}

static json_t *profile_object(const Recorder *r, const char *module) {
  json_t *programs = json_array();
  for (uint32_t i = 0; i < r->count; i++)
    json_array_append_new(programs, program_object(&r->programs[i]));
  return json_pack("{s:s, s:s, s:o, s:{s:I, s:o}}", "tool", "spv-emu", "version", SPVRECONV_VERSION,
                   "module", tool_json_text(module), "profile", "subgroup_size",
                   (json_int_t)r->lanes, "programs", programs);
}

static bool write_profile(const Recorder *r, const char *module, const char *file) {
  json_t *root = profile_object(r, module);
  char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
  json_decref(root);
  if (!text)
    tool_say(file, "out of memory");
  bool good = text && tool_write(file, text, strlen(text));
  free(text);
  return good;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void free_recorder(Recorder *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    Recorded *p = &r->programs[i];
    for (uint64_t k = 0; k < p->count; k++)
      leave_out(&p->subgroups[k]);
    free(p->subgroups);
    free(p->place_of);
    free(p->places);
  }
  free(r->programs);
}

bool emu_cli_paths(const EmuCli *cli, EmuCase *c, const char *file) {
  Recorder r = {0};
  EmuRow row = {0};
  char message[512];
  const spv_emu_schedule schedule = {
      .user = &r, .subgroups = UINT64_MAX, .begun = begun, .issued = issued};
  spv_emu_run_options how = cli->run;
  how.policy = "tf-stack";
  how.priority = NULL;
  how.order_count = 0;
  how.threads = 1;
  how.schedule = &schedule;
  const char *why = message;
  if (emu_case_run(c, &how, &row, message, sizeof message) == SPV_EMU_OK) {
    const spv_emu_result total = emu_row_total(&row);
    snprintf(message, sizeof message, "%s", total.message);
    why = r.out_of_memory                ? "out of memory"
          : total.outcome != SPV_EMU_RAN ? message
          : r.count == 0                 ? "the case runs nothing"
                                         : NULL;
  }
  if (why)
    tool_say(cli->input, "no profile: %s", why);
  bool good = !why && write_profile(&r, cli->input, file);
  emu_row_free(&row);
  free_recorder(&r);
  return good;
}
