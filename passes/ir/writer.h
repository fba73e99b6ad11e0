/* SPDX-License-Identifier: Apache-2.0 */
/* writer: SrModule to words. */
#ifndef SR_WRITER_H
#define SR_WRITER_H

#include "passes/ir/module.h"

/* The module's words in host byte order, in `arena`. */
uint32_t *sr_write(const SrModule *m, SrArena *arena, size_t *count);

#endif
