/* backend_none: a device that runs nothing: the modules have been transformed and validated by the
 * time it is their turn, and that is all. */
#include "backend/backend_kind.h"

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
