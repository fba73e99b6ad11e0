/* SPDX-License-Identifier: Apache-2.0 */
/* tool_profile: a profile that `spv-emu --profile` wrote: its paths, and the block orders chosen
 * from them (spvreconv_profile_order).
 *
 * Its JSON:
 *   {"tool","version","module","profile":{"subgroup_size","programs":[{"subgroups_left_out",
 *   "blocks":[{"function","block","part","issues","reaches_barrier"}],"subgroups":[[[…]…]…],
 *   "lanes":[[…]…]}]}}
 *
 *   blocks      in LRPO; if calls cut a block into parts, each part has an entry
 *   subgroups   for each subgroup a list of paths; a path that several lanes take is listed once. A
 *               path is a list of indices of `blocks`
 *   lanes       how many lanes took each of these paths; not read here */
#ifndef TOOL_PROFILE_H
#define TOOL_PROFILE_H

#include <spvreconv/spvreconv.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ToolPlace {
  uint32_t function, block; /* ids of the OpFunction and the OpLabel */
  uint32_t part;            /* how many of the block's calls come before it */
} ToolPlace;

typedef struct ToolOrder { /* of one program */
  ToolPlace *places;       /* by descending priority */
  uint32_t count;
} ToolOrder;

typedef struct ToolProfile {
  ToolOrder *orders;
  uint32_t count;
} ToolProfile;

/* The file that `text` names after "profile:"; NULL: `text` is a different kind of order. */
const char *tool_profile_file(const char *text);
/* Reads the profile and chooses the orders. If that fails, prints one line on standard error and
 * returns false. Free the profile in any case. */
bool tool_profile_read(const char *path, ToolProfile *profile);
void tool_profile_free(ToolProfile *profile);
/* The paths of a profile's programs. */
typedef struct ToolPaths {
  struct ToolProgram *programs;
  spvreconv_profile *profiles;         /* their arrays belong to the programs */
  const spvreconv_profile **addresses; /* of `profiles` */
  uint32_t count;
} ToolPaths;

/* Reads the profile without choosing orders; otherwise as tool_profile_read. */
bool tool_paths_read(const char *path, ToolPaths *paths);
void tool_paths_free(ToolPaths *paths);

/* The order in the syntax of spvreconv --order, a list for each function; to be freed. NULL: out of
 * memory. */
char *tool_order_text(const ToolOrder *order);

#endif
