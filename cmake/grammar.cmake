# SPDX-License-Identifier: Apache-2.0
# The grammar of SPIR-V as tables for passes/ir/grammar.c, from the SPIRV-Headers that are compiled with, whatever else is
# installed, so that a build can be repeated. -DSPIRV_HEADERS_INCLUDE=FOLDER names newer ones.

set(grammar_folder ${SPIRV_HEADERS_INCLUDE}/spirv/unified1)
if(NOT EXISTS ${grammar_folder}/spirv.core.grammar.json)
  message(FATAL_ERROR "${grammar_folder}/spirv.core.grammar.json is missing: install SPIRV-Headers (Debian: spirv-headers)")
endif()
file(STRINGS ${grammar_folder}/spirv.core.grammar.json version REGEX "\"(major_version|minor_version|revision)\"")
string(REGEX MATCHALL "[0-9]+" version "${version}")
list(JOIN version . version)
message(STATUS "SPIR-V grammar ${version}: ${grammar_folder}")

# The sets of extended instructions, and the names of their files.
set(grammar_sets)
file(STRINGS cmake/grammar_sets.txt sets)
foreach(set ${sets})
  string(REGEX MATCH "^(.*)=(.*)$" set ${set})
  set(file ${grammar_folder}/extinst.${CMAKE_MATCH_2}.grammar.json)
  if(EXISTS ${file})
    list(APPEND grammar_sets ${CMAKE_MATCH_1}=${file})
  endif()
endforeach()

set(grammar_out ${CMAKE_BINARY_DIR}/generated)
set(grammar_table ${grammar_out}/grammar_table.inc)
file(MAKE_DIRECTORY ${grammar_out})
add_custom_command(
  OUTPUT ${grammar_table}
  COMMAND awk -f ${CMAKE_SOURCE_DIR}/tools/grammar_table.awk ${CMAKE_SOURCE_DIR}/passes/ir/grammar_kind.h
          ${CMAKE_SOURCE_DIR}/passes/ir/grammar_kind.def ${grammar_folder}/spirv.core.grammar.json ${grammar_sets}
          > ${grammar_table}
  DEPENDS tools/grammar_table.awk passes/ir/grammar_kind.h passes/ir/grammar_kind.def
          ${grammar_folder}/spirv.core.grammar.json
  VERBATIM)
