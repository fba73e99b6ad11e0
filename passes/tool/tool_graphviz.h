/* SPDX-License-Identifier: Apache-2.0 */
/* tool_graphviz: runs Graphviz' `dot` with a time limit, since its layout may take hours, and
 * without its messages, since there may be one for each edge. */
#ifndef TOOL_GRAPHVIZ_H
#define TOOL_GRAPHVIZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most blocks in one picture; the layout of this many takes some seconds. A larger picture
 * would not be readable anyway. */
enum { TOOL_MOST_BLOCKS = 500 };

/* Is there a program `dot`? */
bool tool_has_graphviz(void);
/* The number of blocks in a graph of SPVRECONV_WANT_CFG_DOT. */
size_t tool_count_blocks(const char *dot);
/* Draws the graph `dot` to an SVG file, which appears complete or not at all (tool_file.h), in at
 * most `seconds` (0: 30). On failure prints the reason and returns false. */
bool tool_write_svg(const char *path, const char *dot, uint64_t seconds);
/* The same, but *svg is the text, to be freed; `path` is only for messages. */
bool tool_make_svg(const char *path, const char *dot, char **svg);

#endif
