/* SPDX-License-Identifier: Apache-2.0 */
/* os_new_handler: std::set_new_handler, of C++'s runtime library, in C. */
#ifndef OS_NEW_HANDLER_H
#define OS_NEW_HANDLER_H

#define OS_TEXT_OF(prefix) #prefix
#define OS_SYMBOL(prefix, name) OS_TEXT_OF(prefix) name
extern void *os_set_new_handler(void (*handler)(void)) __asm__(
    OS_SYMBOL(__USER_LABEL_PREFIX__, "_ZSt15set_new_handlerPFvvE"));

#endif
