/* SPDX-License-Identifier: Apache-2.0 */
/* compile_ids: the ids of a module with debug lines, as a compilation without them numbers them, so
 * that what names ids (profiles, orders of blocks) fits both. */
#ifndef COMPILE_IDS_H
#define COMPILE_IDS_H

#include "passes/tool/compile/compile.h"

/* Renumbers `lines` like `plain`, which was compiled from the same source without lines. If the two
 * differ in more than ids and debug instructions, or memory runs out, `lines` stays as it is. */
void compile_ids_take(CompileResult *lines, const CompileResult *plain);

#endif
