/* SPDX-License-Identifier: Apache-2.0 */
/* The emulator for C++17: runs a module in the command spv-emu, whose JSON it returns. */
#ifndef SPV_EMU_HPP
#define SPV_EMU_HPP

#include <spvreconv/spvreconv.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace spvreconv {

namespace detail {

/* A folder that is removed with its contents when this object ends. */
class Folder {
public:
  Folder() {
    std::random_device random;
    do {
      std::ostringstream name;
      name << "spvreconv-" << std::hex << random() << random();
      path_ = std::filesystem::temp_directory_path() / name.str();
    } while (!std::filesystem::create_directory(path_));
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const char *name) const {
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

/* A word of a command line as the shell takes it. */
inline std::string quoted(const std::string &word) {
#ifdef _WIN32
  if (word.find('"') != std::string::npos)
    throw std::invalid_argument("an argument of spv-emu contains a quotation mark: " + word);
  return '"' + word + '"';
#else
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
#endif
}

inline std::string contents(const std::string &name) {
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace detail

/* Runs a module under the policies and with the buffers that `arguments` give, options of spv-emu:
 * "--policy=pdom,opt", "--buffer=0:0:u32[64]=0..". Returns the text of the command's JSON
 * (docs/emulator.md). Throws std::runtime_error with the command's message if the module or an
 * argument is bad. The command is $SPV_EMU, or the first spv-emu of the path. Options that the
 * program takes from others are safe: no word is interpreted by a shell. */
inline std::string emulate(Words words, const std::vector<std::string> &arguments) {
  detail::Folder folder;
  const std::string module = folder.file("module.spv"), json = folder.file("json"),
                    said = folder.file("said");
  std::ofstream(module, std::ios::binary)
      .write(reinterpret_cast<const char *>(words.data()),
             static_cast<std::streamsize>(4 * words.size()));
  const char *named = std::getenv("SPV_EMU");
  std::string command = detail::quoted(named ? named : "spv-emu") + " --json";
  for (const std::string &argument : arguments)
    command += ' ' + detail::quoted(argument);
  command +=
      ' ' + detail::quoted(module) + " >" + detail::quoted(json) + " 2>" + detail::quoted(said);
#ifdef _WIN32
  command = '"' + command + '"'; /* cmd.exe removes the outer quotation marks */
#endif
  std::fflush(nullptr);
  const int code = std::system(command.c_str());
  std::string text = detail::contents(json);
  if (code != 0 && text.empty()) {
    std::string message = detail::contents(said);
    throw std::runtime_error(message.empty() ? "spv-emu cannot be run; install it, or set SPV_EMU"
                                             : message);
  }
  return text;
}

} // namespace spvreconv
#endif
