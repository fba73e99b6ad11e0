/* SPDX-License-Identifier: Apache-2.0 */
/* cli_report: the figures of a run as JSON. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "passes/cli/cli_options.h"

#include <jansson.h>
#include <stdio.h>

/* Prints the figures, with the results of --check if that was given. */
bool cli_print_json(const spvreconv_result *result, const Cli *cli, FILE *out);
/* Prints the violations that --explain found, and any other reason why the module is not valid, as
 * JSON on standard output. */
bool cli_print_violations(const spvreconv_result *result, const char *file);
/* An object with the members that all JSON of spvreconv begins with, for an input that was not
 * read. */
json_t *cli_report_start(const char *file);
/* The same for one that was; `words`: the input's number of words. */
json_t *cli_report_begin(const char *file, size_t words);
/* Sets the object's status, "failed" or "bug", and the reason. */
void cli_report_fail(json_t *root, const char *status, const char *message);
/* The results of --check or --against. */
json_t *cli_check_object(const spvreconv_check *check);
/* Prints the object and frees it. */
bool cli_report_end(json_t *root, FILE *out);

#endif
