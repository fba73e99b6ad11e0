/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_picture: images as PNG files: the expected one, the actual one, and where they differ.
 */
#ifndef HN_ARTIFACT_PICTURE_H
#define HN_ARTIFACT_PICTURE_H

#include "harness/backend/backend.h"

typedef struct HnPictures {
  const AmberBuffer *buffer;
  const void *actual, *expected; /* contents of a mip level, whose size is: */
  uint32_t level, width, height;
  double low, high; /* the values shown as black and as white */
} HnPictures;

typedef enum HnPictureKind {
  HN_PICTURE_EXPECTED,
  HN_PICTURE_ACTUAL,
  HN_PICTURE_DIFFERENCE
} HnPictureKind;

enum { HN_PICTURE_KINDS = 3 };

/* Is the buffer an image of one or two dimensions? (The buffer of a multisampled image holds the
 * resolved texels.) */
bool hn_picture_is(const AmberBuffer *buffer);
/* Makes the pictures of the first mip level that differs (0 if none does). `size`: bytes of each of
 * the contents. Chooses `low` and `high`: 0 and 1 if all values are between these, else the least
 * and the largest finite value. */
HnPictures hn_pictures_of(const AmberBuffer *buffer, const void *actual, const void *expected,
                          size_t size);
/* Writes one of the pictures, opaque; a single channel is shown as grey. In the picture of the
 * difference, equal texels are dark grey; the others range from red to white as the error grows.
 * False, with the reason in errno: it cannot be written. */
bool hn_picture_write(const HnPictures *pictures, HnPictureKind kind, const char *path);

#endif
