/* cli_report: figures of a run as a text table, as JSON, and the passes' times. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <spvreconv/spvreconv.h>

/* On standard output. */
void cli_print_stats(const spvreconv_result *result, const char *file);
bool cli_print_json(const spvreconv_result *result, const char *file);
/* On standard error. */
void cli_print_times(const spvreconv_result *result);

#endif
