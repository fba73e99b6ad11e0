/* SPDX-License-Identifier: Apache-2.0 */
/* convert: transforms a module for the driver; does not depend on Vulkan. */
#ifndef LY_CONVERT_H
#define LY_CONVERT_H

#include "harness/layer/layer_result.h"
#include "harness/layer/runaway/runaways.h"
#include "harness/layer/support/log.h"

#include <stdbool.h>

/* The settings of one instance, with its log, cache and dump. The instance and its devices share
 * the converter; any number of threads may convert concurrently. */
typedef struct LyConverter LyConverter;

/* Reads the environment. `application`: the name that the application gives to Vulkan, or NULL.
 * Returns NULL if out of memory; all functions accept NULL and then leave modules unchanged. */
LyConverter *ly_converter_new(const char *application);
LyConverter *ly_converter_share(LyConverter *converter);
void ly_converter_release(LyConverter *converter); /* the last release frees it */

/* Does it bound loops (transform bound-loops)? */
bool ly_converter_bounds_loops(const LyConverter *converter);
/* Why the code that it makes cannot have records of loops (runaways.h); NULL: it can. */
const char *ly_converter_refuses_records(const LyConverter *converter);
/* Valid as long as the converter. */
const LyLog *ly_converter_log(const LyConverter *converter);

/* `runaways`: records for loops that are bounded (runaways.h), or NULL. Results with records belong to
 * this device, and are not cached. True: `result` is LY_CHANGED, with the new words, and the caller clears it. False: use the
 * original; if the reason is an error, the log has a line. `code` is Vulkan's pCode. */
bool ly_convert(LyConverter *converter, LyRunaways *runaways, const uint32_t *code, size_t bytes,
                LyResult *result);
/* Logs another reason why an original is used. */
void ly_converter_complain(const LyConverter *converter, const char *what);

#endif
