/* SPDX-License-Identifier: Apache-2.0 */
/* image_file: what a run has left in images, or in buffers seen as pictures, as PNG files.
 *
 *   --image=FILE.png                           of a draw, else the only storage image
 *   --image=PLACE[:ELEMENT]=FILE.png           an image
 *   --image=PLACE[:ELEMENT]:FORMAT:WxH=FILE.png
 *                                              a buffer whose elements are texels of that format
 *   --image=PLACE…=@FILE.png, --image=PLACE…:FORMAT[WxH]=INIT
 *                                              contents, as in --buffer (bare_value.h)
 *
 * The layers of an image, or its slices, are one below the other. */
#ifndef EMU_IMAGE_FILE_H
#define EMU_IMAGE_FILE_H

#include "spv-emu/cases/bare_value.h"
#include "spv-emu/report/report_row.h"

typedef struct EmuImageFile {
  bool placed; /* false: FILE.png alone */
  EmuDescriptorPlace place;
  uint32_t element;
  const EmuFormat *format; /* of a buffer; NULL: an image, which has one */
  uint32_t width, height;  /* of a buffer */
  const char *file;
} EmuImageFile;

/* Does the value of --image give contents, rather than name a file to write? */
bool emu_image_file_is_contents(const char *text);
/* Reads the value of --image that names a file to write; it points into the text. False: one line
 * in `message`. */
bool emu_image_file_parse(const char *text, EmuImageFile *file, char *message, size_t message_size);

/* The picture of an output among those of a row. False, with one line in `message`: there is no such
 * output, it is not an image, or it does not have that size. */
bool emu_image_file_find(const EmuImageFile *file, const EmuRow *row, EmuDrawn *drawn,
                         char *message, size_t message_size);
/* Says in `message` that the place is a buffer, and no format was given for it; returns false. */
bool emu_image_file_refuse(const EmuImageFile *file, char *message, size_t message_size);
/* The same for the only storage image that is written. */
bool emu_image_file_only(const EmuRow *row, EmuDrawn *drawn, char *message, size_t message_size);
/* Writes a picture. False: one line is on standard error. */
bool emu_image_file_write(const char *path, const EmuPicture *picture);

#endif
