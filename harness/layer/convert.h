/* SPDX-License-Identifier: Apache-2.0 */
/* convert: transforms a module for the driver. Independent of Vulkan. */
#ifndef LY_CONVERT_H
#define LY_CONVERT_H

#include "layer/log.h"
#include "layer/result.h"

#include <stdbool.h>

/* The settings of one instance with its log, cache and dump. Shared by the instance and its
 * devices; any number of threads may convert concurrently. */
typedef struct LyConverter LyConverter;

/* Reads the environment. `application`: the name that the application gives to Vulkan, or NULL.
 * NULL: out of memory; all functions accept NULL and leave modules unchanged. */
LyConverter *ly_converter_new(const char *application);
LyConverter *ly_converter_share(LyConverter *converter);
void ly_converter_release(LyConverter *converter); /* the last one frees it */

/* True: `result` has the changed words, LY_CHANGED, to be cleared. False: the original is used; if
 * because of an error, the log has a line. `code` is Vulkan's pCode. */
bool ly_convert(LyConverter *converter, const uint32_t *code, size_t bytes, LyResult *result);
/* Logs another reason why an original is used. */
void ly_converter_complain(const LyConverter *converter, const char *what);

#endif
