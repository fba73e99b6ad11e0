/* SPDX-License-Identifier: Apache-2.0 */
/* reflect: what an entry point of a module requires of its pipeline.
 *
 * Drivers crash on a missing entry point or an unbound descriptor, so these are checked first. A
 * module that spvreconv's reader refuses is left to the validator. */
#ifndef HN_REFLECT_H
#define HN_REFLECT_H

#include "harness/backend/backend.h"

typedef struct HnSlot {
  uint32_t set, binding;
} HnSlot;

/* One of the three numbers of a workgroup's size. */
typedef struct HnSize {
  uint32_t value;
  bool specialized; /* the constant `id` sets it; `value` is its default */
  uint32_t id;
} HnSize;

typedef struct HnInterface {
  bool named, found; /* an entry point has this name; it also has this stage */
  HnSlot *slots;     /* descriptors used by the functions that it can call; owned */
  size_t slot_count;
  bool push_constants; /* it uses push constants */
  uint64_t outputs;    /* bit i: it has an output at location i */
  HnSize size[3];      /* of compute shaders; 1 if the module does not state it */
} HnInterface;

/* False: the module cannot be read, or out of memory; `out` is empty then. */
bool hn_reflect(HnModule module, AmberStage stage, const char *entry_point, HnInterface *out);
/* The number of invocations of a compute shader's workgroup; its three sizes count modulo 65,536,
 * which is more than a device allows. */
uint64_t hn_interface_invocations(const HnInterface *interface, const AmberAttachedShader *shader);
void hn_interface_clear(HnInterface *interface);

/* Do the pipelines that the script runs have what their shaders require? `modules`: by index in
 * script->shaders. On false *message is one line, with the line of the script; the caller frees
 * it. */
bool hn_pipelines_check(const AmberScript *script, const HnModule *modules, char **message);

#endif
