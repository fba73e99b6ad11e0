/* options: the caller's options, checked once and turned into what the library works with. */
#ifndef SR_OPTIONS_H
#define SR_OPTIONS_H

#include "analysis/uniform.h"
#include "driver/pass.h"
#include "transform/exec_mask.h"

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
  bool strip_debug;
  SrWaveOptions lowering;
  unsigned want; /* SPVRECONV_WANT_… */
} SrOptions;

/* `given` may be of an older, smaller version of the struct. Strings are not copied. */
SR_MUST_USE SrStatus sr_options_read(const spvreconv_options *given, SrArena *arena, SrDiag *diag,
                                     SrOptions *out);

#endif
