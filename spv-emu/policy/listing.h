/* SPDX-License-Identifier: Apache-2.0 */
/* listing: reads the words of listings, which policies print as text and read back, perhaps edited
 * (barrier_read.c, jip_read.c). A line ends at `;`; blanks between words count as one. A block is
 * named as emu_block_name writes it: "%12", "%12+1". */
#ifndef EMU_LISTING_H
#define EMU_LISTING_H

#include "spv-emu/policy/block_table.h"

typedef struct EmuListing {
  SrArena *arena, *scratch; /* of the message; of the lines */
  const EmuBlockTable *table;
  const char *name; /* "barrier listing" */
  const char *next; /* the rest of the text */
  const char *at;   /* the rest of the current line */
  uint32_t line;
  uint32_t *block_of; /* by id of a label: the first part of its block */
  uint32_t ids;
  const char **why; /* the first error; NULL: none yet */
} EmuListing;

/* Begins to read `text`. `table`, `name` and `text` outlive the listing. Sets *why to NULL. */
void emu_listing_open(EmuListing *l, SrArena *arena, SrArena *scratch, const EmuBlockTable *table,
                      const char *name, const char *text, const char **why);

/* Returns false, and makes `what` the error, with the current line, or with line `line`, unless
 * there is an error already. */
bool emu_listing_fail(EmuListing *l, const char *what);
bool emu_listing_fail_at(EmuListing *l, uint32_t line, const char *what);

/* Goes to the next line that is not empty; false at the end. */
bool emu_listing_line(EmuListing *l);
/* Reads this word, if it comes next, and the blank after it. */
bool emu_listing_take(EmuListing *l, const char *word);
/* Skips a blank, if there is one. */
void emu_listing_blank(EmuListing *l);
/* Reads a number up to `most`; false: an error. */
bool emu_listing_number(EmuListing *l, uint32_t most, uint32_t *value);
/* Reads a block of the program, and the blank after it; false: an error. */
bool emu_listing_block(EmuListing *l, uint32_t *to);

#endif
