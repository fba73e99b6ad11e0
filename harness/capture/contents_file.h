/* SPDX-License-Identifier: Apache-2.0 */
/* contents_file: writes contents to files whose names are hashes of their bytes, so that equal
 * contents are stored once. Pages of zeros take no room on the disk. */
#ifndef CP_CONTENTS_FILE_H
#define CP_CONTENTS_FILE_H

#include "harness/layer/support/hash.h"
#include "harness/layer/support/layer_folder.h"

enum { CP_FILE_NAME = LY_HASH_TEXT + sizeof ".bin" };

typedef struct CpFile {
  bool made; /* it was not there before */
  bool zero; /* all bytes are zero: there is no file */
  char name[CP_FILE_NAME];
} CpFile;

/* Writes the file, unless there is one with these contents. False: it cannot be written. */
bool cp_file_put(LyFolder *folder, const uint8_t *bytes, size_t size, const char *suffix,
                 CpFile *file);

#endif
