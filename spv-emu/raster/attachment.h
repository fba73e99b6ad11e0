/* SPDX-License-Identifier: Apache-2.0 */
/* attachment: one level and layer of an image, as draws see it; clears and resolves. */
#ifndef EMU_ATTACHMENT_H
#define EMU_ATTACHMENT_H

#include "spv-emu/raster/raster.h"

#define EMU_MAX_ATTACHMENTS 8 /* colours of a draw */

/* Rows of texels without gaps; the samples of a texel lie one after the other. */
typedef struct EmuAttachment {
  const EmuFormat *format; /* NULL: no attachment */
  uint8_t *bytes;
  uint32_t width, height, samples;
} EmuAttachment;

/* Does the attachment have all samples of the framebuffer? False: `text` says in one line what it
 * lacks. An attachment without format, or larger than the framebuffer, is good. */
bool emu_attachment_check(const EmuAttachment *attachment, const EmuRaster *raster, char *text,
                          size_t text_size);

/* The bytes of a sample, which must be inside the attachment. */
static inline uint8_t *emu_attachment_at(const EmuAttachment *a, uint32_t x, uint32_t y,
                                         uint32_t sample) {
  return a->bytes + (((size_t)y * a->width + x) * a->samples + sample) * a->format->bytes;
}

/* Sets all samples to `rgba`, in integer formats to 255 times `rgba` (as the harness does with
 * drivers). */
void emu_clear_color(const EmuAttachment *attachment, const float rgba[4]);
/* Sets depth, stencil or both, according to the format. */
void emu_clear_depth_stencil(const EmuAttachment *attachment, float depth, uint32_t stencil);
/* Writes the average of the samples (in integer formats: sample 0) to an attachment of the same
 * format with one sample; if one attachment is larger, only the part that both have is written. */
void emu_resolve(const EmuAttachment *from, const EmuAttachment *to);

#endif
