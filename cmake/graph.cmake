# SPDX-License-Identifier: Apache-2.0
# spv-graph: control-flow graphs as files, and kernels of their shape.

file(GLOB graph_sources CONFIGURE_DEPENDS spv-graph/*.c)
list(REMOVE_ITEM graph_sources ${CMAKE_SOURCE_DIR}/spv-graph/main.c)
if(NOT TARGET cgraph)
  list(REMOVE_ITEM graph_sources ${CMAKE_SOURCE_DIR}/spv-graph/graph_dot.c)
  message(STATUS "spv-graph cannot read Graphviz' language: libcgraph is missing")
endif()
add_library(spv_graph OBJECT ${graph_sources})
target_link_libraries(spv_graph PUBLIC spv_tool spvreconv_core)
if(TARGET cgraph)
  target_link_libraries(spv_graph PUBLIC cgraph)
endif()

add_executable(spv-graph spv-graph/main.c)
target_compile_definitions(spv-graph PRIVATE $<$<TARGET_EXISTS:cgraph>:SPV_GRAPH_HAS_DOT>)
target_link_libraries(spv-graph PRIVATE spv_graph)
