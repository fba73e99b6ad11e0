/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_contents: the contents of a failure's buffers: the actual ones, the expected ones, and
 * where they differ. */
#ifndef HN_ARTIFACT_CONTENTS_H
#define HN_ARTIFACT_CONTENTS_H

#include "harness/artifacts/artifact_folder.h"
#include "harness/artifacts/artifacts.h"

#include <jansson.h>

/* Writes the files of all buffers that are known. Returns an array of objects for those that
 * differ, with the members below; `notes` gets a line for each file that would be too large:
 *
 *   name, bytes, elements
 *   differing, numbers       how many elements and how many numbers differ
 *   largest_error            null: infinite
 *   element, number, byte    where the largest error is
 *   actual, expected         the values there
 *
 * and for images:
 *
 *   mip_level, width, height of the pictures
 *   low, high                the values shown as black and as white
 *   pictures                 the names of the files: expected, actual, difference */
json_t *hn_contents_write(HnFolder *folder, const HnFailure *failure, json_t *notes);

#endif
