# SPDX-License-Identifier: Apache-2.0
# The commands as one WebAssembly module, spvreconv.wasm, and the JavaScript that loads it: spvreconv.js, whose files are in
# memory, and spvreconv-node.js, whose files are Node's (tools/cross/web.sh packs them).

# What each command defines under the same name
function(web_command name)
  add_library(web_${name} OBJECT ${ARGN})
  target_compile_definitions(web_${name} PRIVATE main=${name}_main tool_program=name_of_${name})
endfunction()

web_command(spvreconv ${cli_sources})
web_command(spv_emu ${emu_cli_sources})
web_command(spv_graph spv-graph/main.c ${graph_sources})
target_link_libraries(web_spvreconv PRIVATE spv_tool)
target_link_libraries(web_spv_emu PRIVATE spv_emu_front spv_tool)
target_link_libraries(web_spv_graph PRIVATE spv_tool spvreconv_core)

find_library(GLSLANG_VALIDATOR NAMES libglslang-validator.a REQUIRED) # of tools/cross/web_libraries.sh
function(web_module name)
  add_executable(${name} web/wasm/main.c)
  target_link_libraries(${name} PRIVATE web_spvreconv web_spv_emu web_spv_graph spv_emu_front spv_tool
                        ${GLSLANG_VALIDATOR} glslang)
  # A run is an instance of its own: it ends when main returns. Memory grows up to what WebAssembly can address; glslang's tables
  # are 25 MB of it.
  target_link_options(${name} PRIVATE -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=4GB
    -sTOTAL_STACK=8MB -sWASM_ASYNC_COMPILATION=0 -sEXIT_RUNTIME=1 -sMODULARIZE=1 -sEXPORT_NAME=spvreconv
    -sINVOKE_RUN=0 -sEXPORTED_FUNCTIONS=_main,_malloc,_free
    -sEXPORTED_RUNTIME_METHODS=callMain,FS,ENV -sFORCE_FILESYSTEM=1 ${ARGN})
endfunction()

web_module(spvreconv-web -sENVIRONMENT=web,worker,node)
# Of this one only the JavaScript is used: the module need not be made fast.
web_module(spvreconv-node -O1 -sENVIRONMENT=node -sNODERAWFS=1)
