/* SPDX-License-Identifier: Apache-2.0 */
/* cli_variant: the variants that one command compares: two modules (--before, --after), several
 * lists of transforms (--transform=LIST+LIST), several subgroup sizes (--subgroup-size=N,N), or
 * several of these. Each variant runs as if it were the only one. */
#ifndef EMU_CLI_VARIANT_H
#define EMU_CLI_VARIANT_H

#include "spv-emu/cli/emu_options.h"

/* The number of variants; 1: nothing is compared. */
uint32_t emu_cli_variants(const EmuCli *cli);
/* The command line of variant `i` alone, without the options that name all variants. It shares all
 * memory with `cli`. */
EmuCli emu_cli_variant(const EmuCli *cli, uint32_t i);
/* The index of the variant's subgroup size. */
uint32_t emu_cli_variant_size(const EmuCli *cli, uint32_t i);
/* Writes the variant's name. */
void emu_cli_variant_name(const EmuCli *cli, uint32_t i, char *name, size_t size);
/* What the variants differ in, as the head of a column; NULL: nothing is compared. */
const char *emu_cli_variant_column(const EmuCli *cli);
/* --subgroup-size; false: one line is on standard error. */
bool emu_cli_subgroup_sizes(EmuCli *cli, const char *text);
/* The first option that goes with one variant only; NULL: there is none. */
const char *emu_cli_variant_single(const EmuCli *cli);
/* Do the options agree with each other? False: as above. */
bool emu_cli_variant_check(const EmuCli *cli);

#endif
