/* cli_profile: a profile that `spv-emu --profile` wrote, and the block orders chosen from it
 * (analysis/priority_profile.h).
 *
 * Its JSON:
 * {"tool","version","module","profile":{"subgroup_size","programs":[{"subgroups_left_out",
 * "blocks":[{"function","block","part","issues","reaches_barrier"}],"subgroups":[[[…]…]…]}]}}
 *
 *   blocks      in LRPO order; of a block that calls cut up each part
 *   subgroups   of each the paths of its lanes, equal ones once; a path is a list of places in
 *               `blocks` */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CliPlace {
  uint32_t function, block; /* ids of the OpFunction and the OpLabel */
  uint32_t part;            /* 0, or behind how many calls of the block */
} CliPlace;

typedef struct CliOrder { /* of one program */
  CliPlace *places;       /* by falling priority */
  uint32_t count;
} CliOrder;

typedef struct CliProfile {
  CliOrder *orders;
  uint32_t count;
} CliProfile;

/* The file that `text` names behind "profile:"; NULL: it is another kind of order. */
const char *cli_profile_file(const char *text);
/* Reads it and chooses the orders. False: one line on standard error. To be freed in any case. */
bool cli_profile_read(const char *path, CliProfile *profile);
void cli_profile_free(CliProfile *profile);
/* The order as spvreconv --order has it, a list for each function; to be freed. NULL: out of
 * memory.
 */
char *cli_order_text(const CliOrder *order);

#endif
