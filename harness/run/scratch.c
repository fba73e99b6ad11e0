/* SPDX-License-Identifier: Apache-2.0 */
/* scratch: see scratch.h. */
#include "run/scratch.h"

#include "compile/compile_folder.h"

#include <stdlib.h>
#include <string.h>

static const char variable[] = "TMPDIR";

void hn_scratch_open(HnScratch *s) {
  const char *before = getenv(variable);
  s->before = before ? strdup(before) : NULL;
  if ((before && !s->before) || !compile_folder_make("spv-harness", s->folder, sizeof s->folder))
    *s->folder = 0;
  if (*s->folder)
    setenv(variable, s->folder, 1);
}

void hn_scratch_close(HnScratch *s) {
  if (*s->folder) {
    compile_folder_remove(s->folder);
    if (s->before)
      setenv(variable, s->before, 1);
    else
      unsetenv(variable);
  }
  free(s->before);
}
