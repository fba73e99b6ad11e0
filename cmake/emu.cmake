# SPDX-License-Identifier: Apache-2.0
# spv-emu: the emulator's library and command line. The lane engine's arithmetic (alu/alu_*.c) is
# compiled once for each instruction set of the host and chosen at run time (isa.h).

include(CheckCCompilerFlag)

file(GLOB_RECURSE emu_sources CONFIGURE_DEPENDS spv-emu/*.c)
list(FILTER emu_sources EXCLUDE REGEX "/spv-emu/(alu/alu_[^/]*|(cases|report|cli|script|format)/.*)$")
if(TARGET llvm)
  list(FILTER emu_sources EXCLUDE REGEX "/spv-emu/native/native_none.c$")
else()
  message(STATUS "spv-emu cannot make machine code; missing: llvm")
  list(FILTER emu_sources EXCLUDE REGEX "/spv-emu/native/(build|lower.*|jit|llvm_api|maker.*|meaning|native_llvm|unit.*)\\.c$")
endif()
file(GLOB emu_lane_sources CONFIGURE_DEPENDS spv-emu/alu/alu_*.c)
file(GLOB emu_front_sources CONFIGURE_DEPENDS spv-emu/cases/*.c spv-emu/report/*.c)
file(GLOB emu_cli_sources CONFIGURE_DEPENDS spv-emu/cli/*.c)

# The objects; tests link these.
add_library(spv_emu_core OBJECT ${emu_sources})
target_include_directories(spv_emu_core PUBLIC spv-emu/include)
# Masks have one or two words: do not call memcpy to copy them.
check_c_compiler_flag(-fno-tree-loop-distribute-patterns has_no_loop_patterns)
if(has_no_loop_patterns)
  target_compile_options(spv_emu_core PRIVATE -fno-tree-loop-distribute-patterns)
endif()
target_link_libraries(spv_emu_core PUBLIC spvreconv_core spv_script sleef xxhash Threads::Threads)
if(TARGET llvm)
  target_link_libraries(spv_emu_core PRIVATE llvm)
endif()
# Loops over rows of samples or fragments, which -O3 turns into vector instructions.
set_source_files_properties(spv-emu/raster/blend.c spv-emu/raster/color.c spv-emu/raster/interpolate.c
                            PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)

set(emu_isas baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT SPVRECONV_FUZZ) # one is enough to fuzz
  list(APPEND emu_isas avx2 avx512)
  set(emu_isa_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
  set(emu_isa_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd -mfma -mf16c -mbmi -mbmi2 -mlzcnt
      -mpopcnt -mprefer-vector-width=512)
endif()
foreach(isa ${emu_isas})
  add_library(spv_emu_${isa} OBJECT ${emu_lane_sources})
  target_compile_definitions(spv_emu_${isa} PRIVATE EMU_ISA=${isa})
  # No fused multiply-add that the shader does not ask for; no traps to preserve. The same bits everywhere.
  target_compile_options(spv_emu_${isa} PRIVATE ${emu_isa_${isa}} -ffp-contract=off -fno-math-errno
                         -fno-trapping-math $<$<CONFIG:Release>:-O3>)
  target_link_libraries(spv_emu_${isa} PRIVATE spvreconv_core spv_script sleef)
  target_link_libraries(spv_emu_core PUBLIC $<TARGET_OBJECTS:spv_emu_${isa}>)
  target_compile_definitions(spv_emu_core PRIVATE EMU_HAS_${isa})
endforeach()

# The same as a library, for the front end.
add_library(spv_emu STATIC $<TARGET_OBJECTS:spv_emu_core>)
target_include_directories(spv_emu PUBLIC spv-emu/include)
target_link_libraries(spv_emu PUBLIC spvreconv_static spv_script sleef Threads::Threads)
foreach(isa ${emu_isas})
  target_sources(spv_emu PRIVATE $<TARGET_OBJECTS:spv_emu_${isa}>)
endforeach()

# The files of the page that --report writes, as arrays of bytes. Each script after those that it uses.
include(cmake/page.cmake)
set(page_folder ${CMAKE_SOURCE_DIR}/spv-emu/report/page)
# What the pages of all programs begin and end with.
set(page_head ${page_folder}/head.html)
set(page_foot ${page_folder}/foot.html)
set(page_base_style ${page_folder}/base.css)
set(page_base_script ${page_folder}/base.js)
set(report_scripts ${page_base_script})
# The words that the page explains are those of the documentation.
set(page_words ${CMAKE_BINARY_DIR}/report_page_words.js)
set(words_from -DGLOSSARY=${CMAKE_SOURCE_DIR}/docs/glossary.md -DTABLE=${CMAKE_SOURCE_DIR}/docs/emulator.md)
add_custom_command(
  OUTPUT ${page_words}
  COMMAND ${CMAKE_COMMAND} -DOUT=${page_words} ${words_from} -P ${CMAKE_SOURCE_DIR}/cmake/words.cmake
  DEPENDS cmake/words.cmake docs/glossary.md docs/emulator.md
  VERBATIM)
list(APPEND report_scripts ${page_words})
foreach(name words places match data steps state colour waste headline difference policies waits axis schedule steer pixels graph source page)
  list(APPEND report_scripts ${page_folder}/${name}.js)
endforeach()
set(report_files ${CMAKE_BINARY_DIR}/report_page_files.c)
embed_page(${report_files} emu_page spv-emu/report/report_page_files.h "${page_head};${page_folder}/page.html;${page_foot}"
           "${page_base_style};${page_folder}/drawing.css;${page_folder}/page.css" "${report_scripts}")

# Cases and modules run through the public header, and reports; the harness uses it too.
add_library(spv_emu_front STATIC ${emu_front_sources} ${report_files})
target_link_libraries(spv_emu_front PUBLIC spv_emu spv_shader spv_tool xxhash png)

add_executable(spv-emu ${emu_cli_sources})
target_link_libraries(spv-emu PRIVATE spv_emu_front spv_tool)
