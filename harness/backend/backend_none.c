/* SPDX-License-Identifier: Apache-2.0 */
/* backend_none: a device that runs nothing. The caller transforms and validates the modules before
 * it runs them; with this backend, nothing else happens. */
#include "harness/backend/backend_none.h"

#include <stdlib.h>
#include <string.h>

static HnOutcome open_none(const HnBackendOptions *options, const AmberScript *script,
                           HnBackend **backend, char **message) {
  (void)options, (void)script;
  *message = NULL;
  *backend = malloc(sizeof **backend);
  if (!*backend)
    return HN_FAIL;
  (*backend)->kind = &hn_backend_none;
  return HN_PASS;
}

static void run_none(HnBackend *backend, const HnModule *modules, HnReport *report) {
  (void)backend, (void)modules;
  *report = (HnReport){.outcome = HN_PASS};
}

static char *close_none(HnBackend *backend) {
  free(backend);
  return NULL;
}

static bool list_none(const HnBackendOptions *options, char **text) {
  (void)options;
  *text = strdup("no device: modules are transformed and validated, not run\n");
  return *text != NULL;
}

const HnBackendKind hn_backend_none = {open_none, run_none, close_none, list_none};
