/* SPDX-License-Identifier: Apache-2.0 */
/* options: the caller's options, checked once and converted to what the library works with. */
#ifndef SR_OPTIONS_H
#define SR_OPTIONS_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/driver/limits.h"
#include "passes/driver/pass.h"
#include "passes/transform/wave/exec_mask.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>

typedef struct SrOptions {
  const SrStep *steps; /* in the order to run */
  uint32_t step_count;
  const char *order; /* as --order, or NULL */
  void (*drawing)(void *user, const char *name, const char *dot);
  void *drawing_user;
  SrUniformMode uniformity;
  SrScope scope;
  bool env_given;
  spv_target_env env; /* if given */
  spvreconv_validate validate;
  uint32_t max_growth; /* percent */
  uint32_t
      needed_growth;  /* the same for kernel-to-shader, which can do nothing without its copies */
  uint32_t tail_copy; /* instructions */
  SrGoal goal;
  SrStructureForm structure;
  SrLimits limits;
  bool strip_debug;
  SrWaveOptions lowering;
  unsigned want; /* SPVRECONV_WANT_… */
  uint32_t check_walks;
  const spvreconv_profile *const *profiles;
  uint32_t profile_count;
  uint64_t (*bounded)(void *user, const spvreconv_bounded *loop);
  void *bounded_user;
  const char *profiled; /* the transform that needs the profiles, or NULL */
} SrOptions;

/* No version's struct is larger. */
enum { SR_LARGEST_OPTIONS = 4096 };

/* Can spvreconv_options_init have set `size`? */
bool sr_options_size_is_sane(const spvreconv_options *given);
/* Converts the caller's options (NULL: the defaults) to this version's struct; the caller's struct
 * may be older and smaller, or newer and larger. Returns what is wrong with the options, or NULL.
 */
const char *sr_options_take(const spvreconv_options *given, spvreconv_options *all);

/* Reads the steps that a comma list names; sets no other field of *out. */
SR_MUST_USE SrStatus sr_options_read_transforms(SrDiag *diag, SrArena *arena, const char *list,
                                                SrOptions *out);
/* Reads all of this version's options. Strings are not copied, except those of transforms. */
SR_MUST_USE SrStatus sr_options_read(const spvreconv_options *given, SrArena *arena, SrDiag *diag,
                                     SrOptions *out);

#endif
