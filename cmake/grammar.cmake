# SPDX-License-Identifier: Apache-2.0
# The grammar of SPIR-V as tables for passes/ir/grammar.c, from the newest of all installed SPIRV-Headers,
# since a module may be newer than the system's package.

set(newest -1)
foreach(folder $ENV{VULKAN_SDK}/include /usr/local/include ${SPIRV_HEADERS_INCLUDE})
  set(file ${folder}/spirv/unified1/spirv.core.grammar.json)
  if(EXISTS ${file})
    file(STRINGS ${file} version REGEX "\"(major_version|minor_version|revision)\"")
    string(REGEX MATCHALL "[0-9]+" version "${version}")
    list(GET version 0 major)
    list(GET version 1 minor)
    list(GET version 2 revision)
    math(EXPR version "(${major} * 100 + ${minor}) * 1000 + ${revision}")
    if(version GREATER newest)
      set(newest ${version})
      set(grammar_folder ${folder}/spirv/unified1)
      set(grammar_version ${major}.${minor}.${revision})
    endif()
  endif()
endforeach()
if(newest LESS 0)
  message(FATAL_ERROR "spirv.core.grammar.json is missing: install SPIRV-Headers (Debian: spirv-headers)")
endif()
message(STATUS "SPIR-V grammar ${grammar_version}: ${grammar_folder}")

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

if(NOT TARGET jansson)
  message(FATAL_ERROR "jansson is missing: the grammar's tables are made with it (Debian: libjansson-dev)")
endif()
add_executable(grammar_table tools/grammar_table.c)
target_link_libraries(grammar_table PRIVATE jansson)
set(grammar_out ${CMAKE_BINARY_DIR}/generated)
set(grammar_table ${grammar_out}/grammar_table.inc)
file(MAKE_DIRECTORY ${grammar_out})
add_custom_command(
  OUTPUT ${grammar_table}
  COMMAND grammar_table ${grammar_table} ${grammar_folder}/spirv.core.grammar.json
          ${grammar_sets}
  DEPENDS grammar_table ${grammar_folder}/spirv.core.grammar.json
  VERBATIM)
