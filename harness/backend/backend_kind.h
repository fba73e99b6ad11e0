/* backend_kind: what backend.c calls of the backends; the contracts stand in backend.h. */
#ifndef HN_BACKEND_KIND_H
#define HN_BACKEND_KIND_H

#include "backend/backend.h"

typedef struct HnBackendKind {
  HnOutcome (*open)(const HnBackendOptions *options, const AmberScript *script, HnBackend **backend,
                    char **message);
  void (*run)(HnBackend *backend, const HnModule *modules, HnReport *report);
  char *(*close)(HnBackend *backend);
  bool (*list)(const HnBackendOptions *options, char **text);
} HnBackendKind;

struct HnBackend { /* the head of each backend's own struct */
  const HnBackendKind *kind;
};

extern const HnBackendKind hn_backend_vk, hn_backend_emu, hn_backend_none;

#endif
