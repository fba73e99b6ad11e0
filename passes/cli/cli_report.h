/* SPDX-License-Identifier: Apache-2.0 */
/* cli_report: the figures of a run as JSON. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <jansson.h>
#include <spvreconv/spvreconv.h>

/* Prints the figures on standard output; `check`: with the results of --check. */
bool cli_print_json(const spvreconv_result *result, const char *file, bool check);
/* Prints the violations that --explain found, and any other reason why the module is not valid, as
 * JSON. */
bool cli_print_violations(const spvreconv_result *result, const char *file);
/* An object with the members that all JSON of spvreconv begins with; `words`: the input's number of
 * words. */
json_t *cli_report_begin(const char *file, size_t words);
/* The results of --check or --against. */
json_t *cli_check_object(const spvreconv_check *check);
/* Prints the object on standard output and frees it. */
bool cli_report_end(json_t *root);

#endif
