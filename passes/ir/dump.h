/* dump: a module as assembly text, plain or with a remark behind each instruction. */
#ifndef SR_DUMP_H
#define SR_DUMP_H

#include "ir/module.h"

#include <spirv-tools/libspirv.h>

/* The words as `spirv-dis --raw-id` prints them, to be freed with spvTextDestroy; NULL if they
 * cannot be parsed. */
spv_text sr_dump_text(const uint32_t *words, size_t count);

/* The remark on instruction r, or NULL. */
typedef const char *SrRemark(void *user, SrRef r);

/* The module's text with `; remark` behind the instructions that have one. `plain` is what
 * sr_dump_text made of the module's words as the writer puts them. */
char *sr_dump_annotated(const SrModule *m, SrArena *arena, const char *plain, SrRemark *remark,
                        void *user);

#endif
