/* SPDX-License-Identifier: Apache-2.0 */
/* depth_stencil: the depth bounds, stencil and depth tests of a quad's samples, early or late. */
#ifndef EMU_DEPTH_STENCIL_H
#define EMU_DEPTH_STENCIL_H

#include "spv-emu/raster/attachment.h"

typedef struct EmuDepthStencil {
  EmuAttachment attachment; /* format NULL: all tests pass */
  EmuDepthState depth;
  EmuDepthRange range; /* range to which depths are clamped before the test */
  bool stencil_test;
  EmuStencilFace front, back;
} EmuDepthStencil;

/* Is any test or write needed? */
bool emu_depth_stencil_needed(const EmuDepthStencil *state);

/* Tests the samples in `mask`, clears the bits of those that fail, and updates the attachment. `z`:
 * depths of the quad's samples, not clamped yet, z[lane * samples + sample]. `references`: the
 * reference values of the stencil test, by lane; NULL: those in the state. */
void emu_depth_stencil_test(const EmuDepthStencil *state, const EmuQuad *quad, bool front,
                            const float *z, const uint32_t *references, uint16_t mask[4]);
/* The depths of all samples of a quad of the primitive, as emu_depth_stencil_test takes them. */
void emu_sample_depths(const EmuPrimitive *primitive, const EmuQuad *quad, uint32_t samples,
                       float *z);

#endif
