/* SPDX-License-Identifier: Apache-2.0 */
/* path: see path.h. */
#include "harness/observe/path.h"

#include "harness/observe/instrument.h"
#include "spv-emu/cases/random.h"

#include <stdlib.h>
#include <string.h>

typedef struct Walk {
  const ObPoints *points;
  ObPath *path;
  uint32_t top;  /* the innermost open construct or call; SR_NONE: before the start */
  uint32_t runs; /* dispatches begun */
  CvEvent event;
  bool no_memory;
} Walk;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t state = a * UINT64_C(0x100000001b3) ^ b;
  return emu_random(&state);
}

/* ---- the stack ---- */

static ObOpened *top_of(const Walk *w) {
  return &w->path->opened[w->top];
}

/* Opens a construct or call inside the top. Fields that it does not set are those of the top. */
static ObOpened *open_one(Walk *w, uint32_t header) {
  ObPath *path = w->path;
  if (path->opened_count == path->opened_room) {
    uint32_t room = path->opened_room ? 2 * path->opened_room : 16;
    ObOpened *more = realloc(path->opened, room * sizeof *more);
    if (!more) {
      w->no_memory = true;
      return NULL;
    }
    path->opened = more;
    path->opened_room = room;
  }
  ObOpened *one = &path->opened[path->opened_count];
  *one = (ObOpened){
      .outer = w->top, .header = header, .merge = SR_NONE, .target = SR_NONE, .closed = SR_NONE};
  if (w->top != SR_NONE) {
    one->strict = top_of(w)->strict;
    one->loose = top_of(w)->loose;
  }
  w->top = path->opened_count++;
  return one;
}

/* Closes what is open from the top to `last`, at the path's next point. */
static void close_to(Walk *w, uint32_t last, bool merged) {
  for (bool done = false; !done;) {
    ObOpened *one = top_of(w);
    done = w->top == last;
    one->closed = w->path->count;
    one->merged = done && merged;
    w->top = one->outer;
  }
}

static void close_inside(Walk *w, uint32_t last) {
  while (w->top != last)
    close_to(w, w->top, false);
}

/* ---- steps ---- */

static void start(Walk *w, uint32_t point) {
  while (w->top != SR_NONE)
    close_to(w, w->top, w->path->opened[w->top].outer == SR_NONE);
  ObOpened *one = open_one(w, point);
  if (one)
    one->strict = one->loose = mix(0, ++w->runs);
  w->event = CV_AT_START;
}

static void iterate(Walk *w, ObOpened *loop) {
  const ObOpened *outer = &w->path->opened[loop->outer];
  uint64_t iteration = (uint64_t)loop->header << 32 | loop->iteration;
  loop->strict = mix(outer->strict, iteration);
  loop->loose = mix(outer->loose, iteration);
}

/* The construct of this call whose header, continue target or merge block is the block; SR_NONE:
 * there is none. */
static uint32_t find_open(const Walk *w, uint32_t block) {
  for (uint32_t i = w->top; i != SR_NONE; i = w->path->opened[i].outer) {
    const ObOpened *one = &w->path->opened[i];
    if (one->merge == block || one->target == block ||
        (one->target != SR_NONE && one->header == block))
      return i;
    if (one->calls)
      return SR_NONE;
  }
  return SR_NONE;
}

/* Returns whether the block begins another iteration of a loop. */
static bool reach(Walk *w, uint32_t block, ObEnd end) {
  uint32_t found = find_open(w, block);
  if (found == SR_NONE) {
    w->event = end == OB_SPLITS ? CV_AT_ARM : end == OB_SWITCHES ? CV_AT_CASE : w->event;
    return false;
  }
  ObOpened *one = &w->path->opened[found];
  if (one->merge == block) {
    w->event = one->switches ? CV_AT_SWITCH_JOIN : one->target == SR_NONE ? CV_AT_JOIN : CV_AT_EXIT;
    close_inside(w, found);
    close_to(w, found, true);
    return false;
  }
  close_inside(w, found);
  if (one->header != block) {
    w->event = CV_AT_CONTINUE;
    return false;
  }
  one->iteration++;
  iterate(w, one);
  w->event = CV_AT_ITERATION;
  return true;
}

static void enter_block(Walk *w, uint32_t block, ObEnd end) {
  const ObPoint *p = &w->points->at[block];
  if (reach(w, block, end) || p->merge == SR_NONE)
    return;
  ObOpened *one = open_one(w, block);
  if (!one)
    return;
  one->merge = p->merge;
  one->target = p->target;
  one->switches = p->end == OB_SWITCHES && p->target == SR_NONE;
  if (one->target != SR_NONE)
    iterate(w, one);
}

static void begin(Walk *w) {
  start(w, w->points->entry);
  if (!w->no_memory)
    enter_block(w, w->points->entry, OB_BRANCHES);
}

static void call(Walk *w, uint32_t from) {
  ObOpened *one = open_one(w, w->points->at[from].next);
  if (!one)
    return;
  one->calls = true;
  one->strict = mix(one->strict, from);
  one->loose = mix(one->loose, from);
  w->event = CV_AT_CALL;
}

/* The open call; SR_NONE: the path is in the entry point's function. */
static uint32_t open_call(const Walk *w) {
  uint32_t i = w->top;
  while (i != SR_NONE && !w->path->opened[i].calls)
    i = w->path->opened[i].outer;
  return i;
}

static bool is_successor(const Walk *w, const ObPoint *from, uint32_t point) {
  const uint32_t *at = w->points->successors + from->first_successor;
  uint32_t low = 0, high = from->successor_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (at[middle] < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < from->successor_count && at[low] == point;
}

/* Leaves a point that ends its function, or the dispatch. */
static bool leave(Walk *w, uint32_t point) {
  uint32_t caller = open_call(w);
  if (caller == SR_NONE) {
    if (point == w->points->entry)
      begin(w);
    return point == w->points->entry;
  }
  if (w->path->opened[caller].header != point)
    return false;
  close_inside(w, caller);
  close_to(w, caller, false);
  w->event = CV_AT_RETURN;
  return true;
}

/* False: the point cannot follow. */
static bool step(Walk *w, uint32_t from, uint32_t point) {
  const ObPoint *p = &w->points->at[from];
  if (p->callee != SR_NONE) {
    if (p->callee != point)
      return false;
    call(w, from);
    if (!w->no_memory)
      enter_block(w, point, OB_BRANCHES);
    return true;
  }
  if (p->next != SR_NONE)
    return p->next == point;
  if (p->end == OB_ENDS)
    return leave(w, point);
  if (!is_successor(w, p, point))
    return false;
  enter_block(w, point, p->end);
  return true;
}

/* ---- the whole path ---- */

static void note(Walk *w, uint32_t point, const uint32_t *words) {
  ObOpened *top = top_of(w);
  ObSeen *seen = &w->path->at[w->path->count++];
  *seen = (ObSeen){.point = point, .event = w->event, .inside = w->top};
  seen->strict = mix(top->strict, point);
  seen->loose = mix(top->loose, point);
  memcpy(seen->got.word, words, sizeof seen->got.word);
  if (w->points->at[point].kind == OB_SELECTOR && top->switches)
    top->strict = mix(top->strict, (uint64_t)words[1] << 32 | words[0]);
}

static bool walk(Walk *w, const uint32_t *records, uint32_t count) {
  for (uint32_t i = 0; i < count && !w->no_memory; i++) {
    const uint32_t *words = records + (size_t)i * OB_RECORD;
    uint32_t point = words[0] - 1;
    bool first = w->path->count == 0;
    bool fits = point < w->points->count &&
                (first ? point == w->points->entry : step(w, w->path->at[i - 1].point, point));
    if (!fits) {
      w->path->wrong_step = i;
      break;
    }
    if (first)
      begin(w);
    if (!w->no_memory)
      note(w, point, words + 1);
  }
  return !w->no_memory;
}

bool ob_path_read(const ObPoints *points, const uint32_t *part, uint32_t records, ObPath *path) {
  uint32_t count = part[0] < records ? part[0] : records;
  *path = (ObPath){.ran = part[3] != 0,
                   .cut = part[0] > records,
                   .subgroup = part[1],
                   .lane = part[2],
                   .size = part[3],
                   .at = malloc((count + 1) * sizeof *path->at),
                   .wrong_step = SR_NONE};
  Walk w = {.points = points, .path = path, .top = SR_NONE};
  return path->at && walk(&w, part + OB_HEAD, count);
}

void ob_path_free(ObPath *path) {
  free(path->at);
  free(path->opened);
  *path = (ObPath){0};
}

/* ---- uniform control flow ---- */

/* Do all paths have their next point, the same one, after `place`? */
static bool all_step(ObPath *const *paths, uint32_t count, const uint32_t *place) {
  for (uint32_t i = 0; i < count; i++) {
    const ObPath *path = paths[i];
    uint32_t next = place[i] + 1;
    if (next >= path->count || path->at[next].point != paths[0]->at[place[0] + 1].point)
      return false;
  }
  return true;
}

static bool all_merged(ObPath *const *paths, uint32_t count, const uint32_t *inside) {
  for (uint32_t i = 0; i < count; i++)
    if (!paths[i]->opened[inside[i]].merged)
      return false;
  return true;
}

/* Moves `place` to the merge block of the innermost construct that all leave through it. False:
 * there is none. The paths have been in step since they entered the open constructs, so their
 * stacks are equal. */
static bool all_merge(ObPath *const *paths, uint32_t count, uint32_t *place) {
  for (uint32_t i = 0; i < count; i++)
    place[i] = paths[i]->at[place[i]].inside;
  while (!all_merged(paths, count, place))
    for (uint32_t i = 0; i < count; i++) {
      place[i] = paths[i]->opened[place[i]].outer;
      if (place[i] == SR_NONE)
        return false;
    }
  for (uint32_t i = 0; i < count; i++)
    place[i] = paths[i]->opened[place[i]].closed;
  return true;
}

void ob_paths_uniform(ObPath *const *paths, uint32_t count, uint32_t *place) {
  for (uint32_t i = 0; i < count; i++) {
    place[i] = 0;
    if (!paths[i]->count)
      return;
  }
  for (bool in_step = count; in_step;) {
    for (uint32_t i = 0; i < count; i++)
      paths[i]->at[place[i]].uniform = true;
    if (all_step(paths, count, place))
      for (uint32_t i = 0; i < count; i++)
        place[i]++;
    else
      in_step = all_merge(paths, count, place);
  }
}
