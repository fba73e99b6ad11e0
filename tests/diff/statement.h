/* statement: what every invocation does for itself: assignments, selections, switches that fall
 * through, loops that several statements leave, calls, returns.
 *
 * Every loop ends: it takes one of the invocation's units of fuel a turn and stops without them. */
#ifndef DIFF_STATEMENT_H
#define DIFF_STATEMENT_H

#include "source.h"

void put_statement(Source *s);
/* One to four statements between braces, with `before` as the first line if there is one. */
void put_block(Source *s, const char *before);

#endif
