# SPDX-License-Identifier: Apache-2.0
# What the compiler, the linker and the machine that is built for can do.

include(CheckCSourceCompiles)
include(CheckLinkerFlag)

# Strings in a module are read where they are; passes/base/compiler.h refuses such a machine, too.
if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "spvreconv needs a little-endian machine: it reads a module's strings where they are")
endif()

# Sections that nothing uses are left out of programs; the shared library does not export what is in the static
# libraries that it contains.
check_linker_flag(C -Wl,--gc-sections has_gc_sections)
if(has_gc_sections)
  add_link_options(-Wl,--gc-sections)
endif()
check_linker_flag(C -Wl,--exclude-libs,ALL has_exclude_libs)
check_linker_flag(C -Wl,--start-group,--end-group has_link_groups)

# On Windows: printf as in C17, not as in Microsoft's old library; functions of POSIX that its C library lacks.
if(WIN32)
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 _WIN32_WINNT=0x0A00 WIN32_LEAN_AND_MEAN)
  add_compile_options(-include ${CMAKE_SOURCE_DIR}/passes/tool/os/os_libc_windows.h)
  add_library(os_libc STATIC passes/tool/os/os_libc_windows.c)
  link_libraries($<BUILD_INTERFACE:os_libc>)
endif()

# needs_machine TARGET VARIABLE CODE: adds the target if the compiler accepts the code; the sources assert the same
function(needs_machine target variable code)
  check_c_source_compiles("${code}" ${variable})
  if(${variable})
    add_library(${target} INTERFACE)
  endif()
endfunction()

needs_machine(__int128 SPVRECONV_INT128 "__extension__ typedef __int128 Wide; int main(void) { return (int)(Wide)0; }")
