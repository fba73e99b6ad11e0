/* compare: do two variants leave the same contents behind, bit for bit? */
#ifndef HN_COMPARE_H
#define HN_COMPARE_H

#include "backend/backend.h"

/* Of all buffers that both reports hold. Where they differ *message is one line, to be freed, that
 * names the first difference; `other_name` is the variant of `other`. */
bool hn_compare(const AmberScript *script, const HnReport *report, const HnReport *other,
                const char *other_name, char **message);

#endif
