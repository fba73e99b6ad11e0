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

set(grammar_sets)
foreach(set OpenCL.std=opencl.std.100 GLSL.std.450=glsl.std.450 DebugInfo=debuginfo
            OpenCL.DebugInfo.100=opencl.debuginfo.100 SPV_AMD_gcn_shader=spv-amd-gcn-shader
            SPV_AMD_shader_ballot=spv-amd-shader-ballot
            SPV_AMD_shader_explicit_vertex_parameter=spv-amd-shader-explicit-vertex-parameter
            SPV_AMD_shader_trinary_minmax=spv-amd-shader-trinary-minmax)
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
