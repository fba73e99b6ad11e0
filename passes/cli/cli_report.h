/* SPDX-License-Identifier: Apache-2.0 */
/* cli_report: the figures of a run as a text table, as JSON, and the passes' times. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <jansson.h>
#include <spvreconv/spvreconv.h>

/* Print on standard output; `check`: with the results of --check. */
void cli_print_stats(const spvreconv_result *result, const char *file, bool check);
bool cli_print_json(const spvreconv_result *result, const char *file, bool check);
/* One line: the coverage of --check. */
void cli_print_check(const spvreconv_result *result, const char *file);
/* The members that all JSON of spvreconv begins with; `words`: of the input. */
json_t *cli_report_begin(const char *file, size_t words);
/* Prints the object on standard output and frees it. */
bool cli_report_end(json_t *root);
/* On standard error. */
void cli_print_times(const spvreconv_result *result);

#endif
