/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv for C++17: spvreconv.h with objects that release what they own. Words in, words out.
 *
 *   spvreconv::Options options;
 *   options.transform = "structurize";
 *   spvreconv::Result result = spvreconv::run(words, options); // throws spvreconv::Error
 *   for (const spvreconv_function &function : result.functions())
 *     …
 *
 * Each call that may fail has two forms: NAME throws Error; try_NAME throws nothing, and its
 * result, converted to bool, says whether it succeeded. All structs, options and figures are those
 * of spvreconv.h. Nothing is copied: views and strings of a result live as long as it does. */
#ifndef SPVRECONV_HPP
#define SPVRECONV_HPP

#include <spvreconv/spvreconv.h>

#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spvreconv {

/* Words of a module, which belong to someone else: of a vector, an array, a span, or a result. */
class Words {
public:
  constexpr Words() = default;
  constexpr Words(const uint32_t *data, size_t size) : data_(data), size_(size) {}
  /* Anything contiguous that has data() and size(): std::vector, std::array, std::span. */
  template <class Range, class = std::enable_if_t<std::is_convertible_v<
                             decltype(std::declval<const Range &>().data()), const uint32_t *>>>
  constexpr Words(const Range &range) : data_(range.data()), size_(range.size()) {}

  constexpr const uint32_t *data() const {
    return data_;
  }
  constexpr size_t size() const {
    return size_;
  }
  constexpr bool empty() const {
    return size_ == 0;
  }
  constexpr const uint32_t *begin() const {
    return data_;
  }
  constexpr const uint32_t *end() const {
    return data_ + size_;
  }
  constexpr uint32_t operator[](size_t index) const {
    return data_[index];
  }
  std::vector<uint32_t> copy() const {
    return std::vector<uint32_t>(begin(), end());
  }

private:
  const uint32_t *data_ = nullptr;
  size_t size_ = 0;
};

/* The options of a run, with their defaults. Strings must outlive the run, or the context's
 * creation. */
struct Options : spvreconv_options {
  Options() : spvreconv_options() {
    spvreconv_options_init(this, sizeof(spvreconv_options));
  }
  Options(const char *list) : Options() {
    transform = list;
  }

  /* Receives notices, one line each, instead of `message`. It must not throw. */
  std::function<void(const char *line)> notice;

  /* The options for C, which refer to this object. */
  spvreconv_options for_c() const {
    spvreconv_options options = *this;
    if (notice) {
      options.message = [](void *user, const char *line) noexcept {
        (*static_cast<const std::function<void(const char *)> *>(user))(line);
      };
      options.message_user = const_cast<std::function<void(const char *)> *>(&notice);
    }
    return options;
  }
};

/* What a result has several of, for a range-based for. */
template <class Element, const Element *(*get)(const spvreconv_result *, size_t)> class Elements {
public:
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = const Element *;
    using reference = const Element &;

    iterator() = default;
    explicit iterator(const spvreconv_result *result) : result_(result), element_(get(result, 0)) {}
    reference operator*() const {
      return *element_;
    }
    pointer operator->() const {
      return element_;
    }
    iterator &operator++() {
      element_ = get(result_, ++index_);
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const iterator &other) const {
      return element_ == other.element_;
    }
    bool operator!=(const iterator &other) const {
      return element_ != other.element_;
    }

  private:
    const spvreconv_result *result_ = nullptr;
    size_t index_ = 0;
    pointer element_ = nullptr;
  };

  explicit Elements(const spvreconv_result *result) : result_(result) {}
  iterator begin() const {
    return iterator(result_);
  }
  iterator end() const {
    return iterator();
  }
  bool empty() const {
    return begin() == end();
  }

private:
  const spvreconv_result *result_;
};

/* What a run leaves, whether it succeeded or not. */
class Result {
public:
  Result(spvreconv_status status, spvreconv_result *owned) : status_(status), result_(owned) {}

  explicit operator bool() const {
    return status_ == SPVRECONV_OK;
  }
  spvreconv_status status() const {
    return status_;
  }
  /* Why the run failed, in one line. */
  const char *message() const {
    return status_ == SPVRECONV_OUT_OF_MEMORY ? "out of memory" : spvreconv_result_message(get());
  }
  /* The output; empty if the run failed. */
  Words words() const {
    size_t count = 0;
    const uint32_t *data = spvreconv_result_words(get(), &count);
    return data ? Words(data, count) : Words();
  }
  bool changed() const {
    return spvreconv_result_changed(get());
  }
  bool needs_structure() const {
    return spvreconv_result_needs_structure(get());
  }
  Elements<spvreconv_function, spvreconv_result_function> functions() const {
    return Elements<spvreconv_function, spvreconv_result_function>(get());
  }
  Elements<spvreconv_pass, spvreconv_result_pass> passes() const {
    return Elements<spvreconv_pass, spvreconv_result_pass>(get());
  }
  Elements<spvreconv_repair, spvreconv_result_repair> repairs() const {
    return Elements<spvreconv_repair, spvreconv_result_repair>(get());
  }
  Elements<spvreconv_violation, spvreconv_result_violation> violations() const {
    return Elements<spvreconv_violation, spvreconv_result_violation>(get());
  }
  Elements<spvreconv_finding, spvreconv_result_finding> findings() const {
    return Elements<spvreconv_finding, spvreconv_result_finding>(get());
  }
  Elements<spvreconv_frontier, spvreconv_result_frontier> frontiers() const {
    return Elements<spvreconv_frontier, spvreconv_result_frontier>(get());
  }
  Elements<spvreconv_kernel, spvreconv_result_kernel> kernels() const {
    return Elements<spvreconv_kernel, spvreconv_result_kernel>(get());
  }
  Elements<spvreconv_sampler, spvreconv_result_sampler> samplers() const {
    return Elements<spvreconv_sampler, spvreconv_result_sampler>(get());
  }
  /* Of SPVRECONV_WANT_CHECK; null if nothing was checked. */
  const spvreconv_check *check() const {
    return spvreconv_result_check(get());
  }
  /* The text for a bit SPVRECONV_WANT_…; none as for spvreconv_result_text. */
  std::optional<std::string_view> text(unsigned want) const {
    const char *text = spvreconv_result_text(get(), want);
    return text ? std::optional<std::string_view>(text) : std::nullopt;
  }
  /* The result for functions of C; it stays this object's. */
  const spvreconv_result *get() const {
    return result_.get();
  }

private:
  struct Destroy {
    void operator()(spvreconv_result *result) const {
      spvreconv_result_destroy(result);
    }
  };
  spvreconv_status status_;
  std::unique_ptr<spvreconv_result, Destroy> result_;
};

/* A run failed; result() has the findings that there are all the same. */
class Error : public std::runtime_error {
public:
  explicit Error(Result failed)
      : std::runtime_error(failed.message()), result_(std::make_shared<Result>(std::move(failed))) {
  }
  spvreconv_status status() const {
    return result_->status();
  }
  const Result &result() const {
    return *result_;
  }

private:
  std::shared_ptr<Result> result_; /* exceptions can be copied */
};

/* The result, if it is a success; else throws Error. */
inline Result checked(Result result) {
  if (!result)
    throw Error(std::move(result));
  return result;
}

inline Result try_run(Words words, const Options &options = {}) {
  spvreconv_options c = options.for_c();
  spvreconv_result *result = nullptr;
  spvreconv_status status = spvreconv_run(&c, words.data(), words.size(), &result);
  return Result(status, result);
}
inline Result run(Words words, const Options &options = {}) {
  return checked(try_run(words, options));
}

/* Of assembly text. */
inline Result try_run_text(std::string_view text, const Options &options = {}) {
  spvreconv_options c = options.for_c();
  spvreconv_result *result = nullptr;
  spvreconv_status status = spvreconv_run_text(&c, text.data(), text.size(), &result);
  return Result(status, result);
}
inline Result run_text(std::string_view text, const Options &options = {}) {
  return checked(try_run_text(text, options));
}

/* Compares two modules without running either; a difference is SPVRECONV_BUG. */
inline Result try_compare(Words before, Words after, const Options &options = {}) {
  spvreconv_options c = options.for_c();
  spvreconv_result *result = nullptr;
  spvreconv_status status =
      spvreconv_compare(&c, before.data(), before.size(), after.data(), after.size(), &result);
  return Result(status, result);
}
inline Result compare(Words before, Words after, const Options &options = {}) {
  return checked(try_compare(before, after, options));
}

/* Options and a list of transforms for many modules; any number of threads may run one context. */
class Context {
public:
  explicit Context(const Options &options = {}) : notice_(new Notice(options.notice)) {
    spvreconv_options c = options.for_c();
    if (options.notice)
      c.message_user = notice_.get();
    context_.reset(spvreconv_context_create(&c));
    if (!context_)
      throw std::bad_alloc();
  }
  /* Adds transforms: a name, a flag ("--structurize"), or several with commas between. */
  Context &add(const char *transforms) {
    spvreconv_status status = spvreconv_context_register(context_.get(), transforms);
    if (status == SPVRECONV_OUT_OF_MEMORY)
      throw std::bad_alloc();
    if (status != SPVRECONV_OK)
      throw std::invalid_argument(std::string("unknown transform '") + transforms + "'");
    return *this;
  }
  Result try_run(Words words) const {
    spvreconv_result *result = nullptr;
    spvreconv_status status =
        spvreconv_context_run(context_.get(), words.data(), words.size(), &result);
    return Result(status, result);
  }
  Result run(Words words) const {
    return checked(try_run(words));
  }

private:
  struct Destroy {
    void operator()(spvreconv_context *context) const {
      spvreconv_context_destroy(context);
    }
  };
  using Notice = std::function<void(const char *)>;
  std::unique_ptr<Notice> notice_; /* which the context calls, wherever this object is moved */
  std::unique_ptr<spvreconv_context, Destroy> context_;
};

/* The names of the transforms, and what each is for. */
inline std::vector<std::pair<std::string_view, std::string_view>> transforms() {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  const char *name, *purpose;
  while (spvreconv_transform_info(all.size(), &name, &purpose))
    all.emplace_back(name, purpose);
  return all;
}

} // namespace spvreconv
#endif
