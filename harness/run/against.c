/* SPDX-License-Identifier: Apache-2.0 */
/* against: see against.h. */
#include "harness/run/against.h"

#include "harness/backend/compare.h"
#include "harness/backend/range.h"
#include "harness/run/backend_open.h"
#include "harness/shader/perturb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERTURBED = 12 }; /* number of modules whose results make up the range */

typedef struct Comparison {
  const HnAgainst *against;
  const AmberScript *script;
  const HnModule *modules, *own_modules; /* the script's; those that ran on `own` */
  HnBackend *own;
  HnReport *report;
} Comparison;

/* Takes over `message`. */
static void conclude(const Comparison *c, HnOutcome outcome, char *message) {
  free(c->report->message);
  c->report->outcome = outcome;
  c->report->message = message;
}

static HnReport run_other(const Comparison *c) {
  HnReport report = {.outcome = HN_FAIL};
  HnBackend *backend;
  report.outcome = hn_backend_open(&c->against->backend, c->script, &backend, &report.message);
  if (report.outcome != HN_PASS)
    return report;
  hn_backend_run(backend, c->modules, &report);
  free(hn_backend_close(backend));
  return report;
}

/* Does the case change any buffer? */
static bool changes(const Comparison *c) {
  bool any = false;
  for (uint32_t i = 0; i < c->script->buffer_count; i++) {
    const HnContents *contents = &c->report->buffers[i];
    const AmberBuffer *declared = &c->script->buffers[i];
    any = any || (contents->bytes && declared->size &&
                  memcmp(contents->bytes, declared->bytes, declared->size) != 0);
  }
  return any;
}

/* Adds the results of the modules with errors drawn from `seed` to the range. False: out of
 * memory. */
static bool add_run(const Comparison *c, uint64_t seed, HnRange *range) {
  HnModule *perturbed = calloc(c->script->shader_count + 1u, sizeof *perturbed);
  bool good = perturbed;
  for (uint32_t i = 0; good && i < c->script->shader_count; i++)
    if (c->own_modules[i].count)
      good = (perturbed[i] = hn_perturb(c->own_modules[i], seed, true)).words;
  if (good) {
    HnReport report;
    hn_backend_run(c->own, perturbed, &report);
    hn_range_add(range, &report);
    hn_report_clear(&report);
  }
  hn_shaders_free(perturbed, c->script->shader_count);
  return good;
}

static bool holds(const Comparison *c, const HnReport *other, char **message) {
  HnRange *range = hn_range_new(c->script);
  bool good = range;
  if (good)
    hn_range_add(range, c->report);
  for (uint64_t seed = 1; good && seed <= PERTURBED; seed++)
    good = add_run(c, seed, range);
  good =
      good && hn_range_holds(range, c->report, other, c->against->name, c->against->ulps, message);
  hn_range_free(range);
  return good;
}

static void compare(const Comparison *c, const HnReport *other) {
  char *message = NULL;
  if (hn_compare_within(c->script, c->report, other, c->against->name, c->against->ulps, &message))
    return;
  if (!amber_has_kernels(c->script)) {
    conclude(c, HN_FAIL, message);
    return;
  }
  free(message);
  message = NULL;
  if (!holds(c, other, &message))
    conclude(c, HN_FAIL, message);
}

void hn_against(const HnAgainst *against, const AmberScript *script, const HnModule *modules,
                const HnModule *own_modules, HnBackend *own, HnReport *report, HnReport *found) {
  const Comparison c = {against, script, modules, own_modules, own, report};
  *found = (HnReport){0};
  if (!changes(&c)) {
    conclude(&c, HN_SKIP, strdup("not compared: the case leaves all buffers as they were"));
    return;
  }
  HnReport other = run_other(&c);
  char *message = NULL;
  if (other.buffers)
    compare(&c, &other);
  else if (asprintf(&message, "not compared: %s: %s", against->name,
                    other.message ? other.message : "out of memory") >= 0)
    conclude(&c, HN_SKIP, message);
  if (report->outcome == HN_FAIL)
    *found = other;
  else
    hn_report_clear(&other);
}
