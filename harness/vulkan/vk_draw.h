/* SPDX-License-Identifier: Apache-2.0 */
/* vk_draw: the commands of a script that run a pipeline or clear its attachments.
 *
 * Each command is one submission, which has ended when the function returns. */
#ifndef VH_DRAW_H
#define VH_DRAW_H

#include "harness/vulkan/vk_program.h"

/* *ns: the time on the device; 0 if it has no timestamps. */
bool vh_run_compute(VhDevice *device, VhScene *scene, VhProgram *program,
                    const AmberCommand *command, uint64_t *ns) VH_MUST_USE;
/* DRAW_ARRAY, DRAW_RECT, DRAW_GRID. */
bool vh_run_draw(VhDevice *device, VhScene *scene, VhProgram *program, const AmberCommand *command,
                 uint64_t *ns) VH_MUST_USE;
bool vh_run_clear(VhDevice *device, VhScene *scene, uint32_t pipeline) VH_MUST_USE;

#endif
