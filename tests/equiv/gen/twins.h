/* SPDX-License-Identifier: Apache-2.0 */
/* twins: pairs of subgraphs that differ in exactly one field, for tests of "when not to merge".
 *
 * A row has two texts, `left` and `right`. They become two arms of one function; '@' is replaced by
 * the name of the arm, so that both can define %v@:
 *
 *        entry
 *        /   \
 *       p     q          p and q differ, and lead to the join themselves, too
 *       | `. .'|
 *      tw@ `.' tw@       left, left: true twins;  left, right: near ones
 *        \  |  /
 *         join           a phi of the arms' values
 *
 * In TWIN_WHOLE rows a text is everything after the entry's loads, and a function has one of the
 * two. */
#ifndef EQUIV_TWINS_H
#define EQUIV_TWINS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum TwinShape {
  TWIN_ARM,   /* the text is a block without its terminator, a branch to the join */
  TWIN_ARMS,  /* the text has blocks with their terminators */
  TWIN_WHOLE, /* the whole function: `left` has true twins in it, `right` near ones */
} TwinShape;

typedef struct Twin {
  const char *name;
  TwinShape shape;
  const char *left, *right;
  uint32_t twins, near; /* how many blocks must be merged of true twins, and of near ones */
  const char *value;    /* the value that an arm passes to the join, as LEFT|RIGHT or one for both;
                           NULL: %c7 */
  const char *from;     /* the block that passes it, written likewise; empty: none; NULL: %tw@ */
  const char *globals;  /* decorations, of ids with '@' once for each arm and text */
  bool strange;         /* the oracle does not support its instructions */
  bool folds;           /* true twins change although none is merged: lanes skip a test */
  bool lopsided;        /* `right` with itself is not a pair of true twins */
} Twin;

extern const Twin twin_fields[], twin_arms[], twin_loops[], twin_wholes[]; /* end: no name */

#endif
