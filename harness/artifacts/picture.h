/* SPDX-License-Identifier: Apache-2.0 */
/* picture: images as PNG files: the expected one, the actual one, and where they differ. */
#ifndef HN_PICTURE_H
#define HN_PICTURE_H

#include "backend/backend.h"

typedef struct HnPictures {
  const AmberBuffer *buffer;
  const void *actual, *expected; /* of a mip level, whose size is: */
  uint32_t level, width, height;
  double low, high; /* the values shown as black and as white */
} HnPictures;

typedef enum HnPictureKind {
  HN_PICTURE_EXPECTED,
  HN_PICTURE_ACTUAL,
  HN_PICTURE_DIFFERENCE
} HnPictureKind;

enum { HN_PICTURE_KINDS = 3 };

/* Is the buffer an image of one or two dimensions? (Of several samples it holds the resolved
 * texels.) */
bool hn_picture_is(const AmberBuffer *buffer);
/* Pictures of the first mip level that differs, of level 0 if none does; `size`: bytes of both
 * contents. Chooses the scale: 0 to 1 where all values are in it, else that of all finite values.
 */
HnPictures hn_pictures_of(const AmberBuffer *buffer, const void *actual, const void *expected,
                          size_t size);
/* Writes one of the pictures, opaque; a single channel is shown as grey. In the picture of the
 * difference, equal texels are dark grey; the others go from red to white as the error grows.
 * False, with errno or EIO: it cannot be written. */
bool hn_picture_write(const HnPictures *pictures, HnPictureKind kind, const char *path);

#endif
