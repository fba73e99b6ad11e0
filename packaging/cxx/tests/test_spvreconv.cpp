/* SPDX-License-Identifier: Apache-2.0 */
/* The C++ header: what it returns is what the C functions and the commands return. Run by
 * tests/languages/cxx.sh.
 *
 *   test_spvreconv IN.spvasm EXPECTED.spv EMULATED.json OPTION... */
#include <spvreconv/spv_emu.hpp>

#include <array>
#include <cstring>
#include <iostream>

static int failures;

#define CHECK(condition)                                                                           \
  ((condition) ? (void)0                                                                           \
               : (void)(failures++, std::cerr << __LINE__ << ": not so: " #condition "\n"))

template <class Call> static spvreconv_status fails(Call call) {
  try {
    call();
  } catch (const spvreconv::Error &error) {
    CHECK(error.status() == error.result().status());
    CHECK(std::strlen(error.what()) > 0);
    return error.status();
  }
  return SPVRECONV_OK;
}

static bool same(spvreconv::Words words, const std::string &bytes) {
  return 4 * words.size() == bytes.size() &&
         std::memcmp(words.data(), bytes.data(), bytes.size()) == 0;
}

static void test_words() {
  const std::array<uint32_t, 2> array = {7, 8};
  const spvreconv::Words words = array;
  CHECK(words.size() == 2 && words[1] == 8 && !words.empty());
  CHECK(words.copy() == std::vector<uint32_t>({7, 8}));
  CHECK(spvreconv::Words().empty());
}

static void test_run(const std::string &text, const std::string &expected) {
  const spvreconv::Result none = spvreconv::run_text(text, "none");
  CHECK(!none.changed() && none.functions().empty() && !none.check());

  spvreconv::Options options("structurize");
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK | SPVRECONV_WANT_ASSEMBLY;
  spvreconv::Result result = spvreconv::run(none.words(), options);
  CHECK(result && result.changed() && same(result.words(), expected));
  CHECK(!spvreconv::try_run(result.words(), options).changed());
  unsigned functions = 0, passes = 0, repairs = 0;
  for (const spvreconv_function &function : result.functions())
    functions += function.name == std::string("main") && function.after->structured;
  for (const spvreconv_pass &pass : result.passes())
    passes += pass.milliseconds >= 0;
  for (const spvreconv_repair &repair : result.repairs())
    repairs += repair.violations;
  CHECK(functions == 1 && passes > 2 && repairs == 1);
  CHECK(result.check() && result.check()->functions == 1 && result.check()->differences == 0);
  CHECK(result.text(SPVRECONV_WANT_ASSEMBLY)->find("OpLoopMerge") != std::string_view::npos);
  CHECK(!result.text(SPVRECONV_WANT_WAVE));

  const spvreconv::Result moved = std::move(result);
  CHECK(same(moved.words(), expected));
  CHECK(spvreconv::compare(none.words(), moved.words()).check()->functions == 1);

  options.want = SPVRECONV_WANT_EXPLAIN;
  const spvreconv::Result explained = spvreconv::run(none.words(), options);
  CHECK(explained.violations().begin()->rule == std::string("back_edge_target"));
  CHECK(++explained.violations().begin() == explained.violations().end());
}

static void test_errors(const std::string &text) {
  const std::vector<uint32_t> nonsense = {1, 2, 3, 4, 5, 6};
  CHECK(fails([&] { spvreconv::run(nonsense); }) == SPVRECONV_BAD_INPUT);
  CHECK(fails([&] { spvreconv::run_text("OpNothing"); }) == SPVRECONV_BAD_INPUT);
  CHECK(fails([&] { spvreconv::run_text(text, "polish"); }) == SPVRECONV_BAD_OPTION);
  const spvreconv::Result failed = spvreconv::try_run(nonsense);
  CHECK(!failed && failed.words().empty() && std::strlen(failed.message()) > 0);

  /* The allocator fails at once: there is not even a result. */
  spvreconv::Options options;
  options.resize = [](void *, void *, size_t, size_t) -> void * { return nullptr; };
  CHECK(fails([&] { spvreconv::run(nonsense, options); }) == SPVRECONV_OUT_OF_MEMORY);
}

static void test_context(const std::string &text, const std::string &expected) {
  const spvreconv::Result none = spvreconv::run_text(text, "none");
  std::vector<std::string> notices;
  spvreconv::Options options;
  options.notice = [&notices](const char *line) { notices.emplace_back(line); };
  spvreconv::Context first(options);
  options.notice = nullptr; /* the context has its own */
  first.add("strip-merges").add("--structurize");
  const spvreconv::Context context = std::move(first);
  CHECK(same(context.run(none.words()).words(), expected));
  CHECK(notices.empty());
  CHECK(!context.try_run(std::vector<uint32_t>{1, 2}));
  CHECK(notices.size() == 1);
  bool thrown = false;
  try {
    spvreconv::Context().add("polish");
  } catch (const std::invalid_argument &error) {
    thrown = std::string(error.what()) == "unknown transform 'polish'";
  }
  CHECK(thrown);
  bool listed = false;
  for (const auto &[name, purpose] : spvreconv::transforms())
    listed |= name == "structurize" && !purpose.empty();
  CHECK(listed);
}

static void test_emulate(const std::string &expected, const std::string &json,
                         const std::vector<std::string> &arguments) {
  const spvreconv::Result result = spvreconv::run(
      std::vector<uint32_t>(reinterpret_cast<const uint32_t *>(expected.data()),
                            reinterpret_cast<const uint32_t *>(expected.data() + expected.size())),
      "none");
  /* From "results" on: before it is the module's name. */
  const std::string emulated = spvreconv::emulate(result.words(), arguments);
  CHECK(json.find("\"results\"") != std::string::npos);
  CHECK(emulated.substr(emulated.find("\"results\"")) == json.substr(json.find("\"results\"")));
  for (const char *bad : {"--policy=x", "--policy='$(touch x)\""}) {
    std::string message;
    try {
      spvreconv::emulate(result.words(), {bad});
    } catch (const std::runtime_error &error) {
      message = error.what();
    }
    CHECK(message.find(std::string("unknown policy '") + (bad + 9)) != std::string::npos);
  }
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  const std::string text = spvreconv::detail::contents(argv[1]);
  const std::string expected = spvreconv::detail::contents(argv[2]);
  test_words();
  test_run(text, expected);
  test_errors(text);
  test_context(text, expected);
  test_emulate(expected, spvreconv::detail::contents(argv[3]),
               std::vector<std::string>(argv + 4, argv + argc));
  if (failures == 0)
    std::cout << "ok\n";
  return failures != 0;
}
