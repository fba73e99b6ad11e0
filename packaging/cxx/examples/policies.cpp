/* SPDX-License-Identifier: Apache-2.0 */
/* policies: what structure saves. Structurizes a module, compares both without running either, and
 * prints the emulator's JSON of both.
 *
 *   c++ -std=c++17 policies.cpp $(pkg-config --cflags --libs spvreconv)
 *   policies MODULE.spv [OPTION OF spv-emu...] */
#include <spvreconv/spv_emu.hpp>

#include <fstream>
#include <iostream>

static std::vector<uint32_t> read_words(const char *name) {
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  std::vector<uint32_t> words(file ? static_cast<size_t>(file.tellg()) / 4 : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(4 * words.size()));
  return words;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: policies MODULE.spv [OPTION OF spv-emu...]\n";
    return 2;
  }
  try {
    const std::vector<uint32_t> words = read_words(argv[1]);
    spvreconv::Options options("structurize");
    options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
    const spvreconv::Result result = spvreconv::run(words, options);
    for (const spvreconv_function &function : result.functions())
      std::cerr << function.name << ": " << function.before->blocks << " blocks before, "
                << function.after->blocks << " after\n";
    const std::vector<std::string> arguments(argv + 2, argv + argc);
    std::cout << spvreconv::emulate(words, arguments)
              << spvreconv::emulate(result.words(), arguments);
  } catch (const std::exception &error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
}
