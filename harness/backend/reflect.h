/* reflect: what an entry point of a module asks of the pipeline that it runs in.
 *
 * Drivers die of a shader without its entry point, or with a descriptor that nothing binds, so that
 * is found out before. Read by SPIRV-Tools' parser; a module that it refuses is left to the
 * validator. */
#ifndef HN_REFLECT_H
#define HN_REFLECT_H

#include "backend/backend.h"

typedef struct HnSlot {
  uint32_t set, binding;
} HnSlot;

typedef struct HnInterface {
  bool named, found; /* there is an entry point of the name; and of the stage as well */
  HnSlot *slots;     /* descriptors that functions it can call refer to; owned */
  size_t slot_count;
  bool push_constants; /* it refers to push constants */
  uint64_t outputs;    /* bit i: it has an output at location i */
} HnInterface;

/* False: the module cannot be read, or memory is out; nothing is known then, and `out` is clear. */
bool hn_reflect(HnModule module, AmberStage stage, const char *entry_point, HnInterface *out);
void hn_interface_clear(HnInterface *interface);

/* Whether the pipelines that the script runs have what their shaders ask for; `modules` by index in
 * script->shaders. Where not, *message is one line with the line of the script, to be freed. */
bool hn_pipelines_check(const AmberScript *script, const HnModule *modules, char **message);

#endif
