/* SPDX-License-Identifier: Apache-2.0 */
/* backend_kind: the functions of a backend; backend.h and run/backend_open.h have their
 * contracts. */
#ifndef HN_BACKEND_KIND_H
#define HN_BACKEND_KIND_H

#include "harness/backend/backend.h"

typedef struct HnBackendKind {
  HnOutcome (*open)(const HnBackendOptions *options, const AmberScript *script, HnBackend **backend,
                    char **message);
  void (*run)(HnBackend *backend, const HnModule *modules, HnReport *report);
  char *(*close)(HnBackend *backend);
  bool (*list)(const HnBackendOptions *options, char **text);
} HnBackendKind;

struct HnBackend { /* the first member of each backend's struct */
  const HnBackendKind *kind;
};

#endif
