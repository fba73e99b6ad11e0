/* variant: what a list of transforms makes of the modules of a script. */
#ifndef HN_VARIANT_H
#define HN_VARIANT_H

#include "shader/outcome.h"
#include "shader/shader.h"

typedef struct HnVariant {
  HnOutcome outcome; /* HN_PASS: may be run; HN_INVALID: spirv-val refuses a module; HN_FAIL: a
                        transform did */
  char *message;     /* why not HN_PASS, one line, or NULL */
  HnModule *modules; /* by index in script->shaders; empty where the script's are */
  uint64_t hash;     /* of all modules */
} HnVariant;

/* Runs the transforms, named as in spvreconv's --transform, over the modules that hn_shaders_make
 * made, and SPIRV-Tools' validator (for Vulkan 1.3, or of kernels the universal one) over what
 * comes out. `check`: each is compared with the script's, too, without being run. */
HnVariant hn_variant_make(const AmberScript *script, const HnModule *modules,
                          const char *transforms, bool check);
void hn_variant_free(HnVariant *variant, const AmberScript *script);

/* Says in one line, to be freed, what is wrong with a list of transforms; NULL: nothing. */
char *hn_variant_check(const char *transforms);

#endif
