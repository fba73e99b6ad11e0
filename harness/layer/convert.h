/* convert: a module in, what the driver gets instead out. Knows no Vulkan. */
#ifndef LY_CONVERT_H
#define LY_CONVERT_H

#include "layer/log.h"
#include "layer/result.h"

#include <stdbool.h>

/* The settings of one instance with its log, cache and dump. Shared by the instance and its
 * devices; any number of threads may convert at once. */
typedef struct LyConverter LyConverter;

/* From the environment. NULL: out of memory; all functions take that and leave modules alone. */
LyConverter *ly_converter_new(void);
LyConverter *ly_converter_share(LyConverter *converter);
void ly_converter_release(LyConverter *converter); /* of the last share: frees it */

/* True where `result` holds other words, LY_CHANGED, to be cleared; else the original stays, and
 * the log has a line if that is because something went wrong. `code` is as Vulkan's pCode. */
bool ly_convert(LyConverter *converter, const uint32_t *code, size_t bytes, LyResult *result);
/* Another reason why an original stays. */
void ly_converter_complain(const LyConverter *converter, const char *what);

#endif
