#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/events.h"

namespace previct {

/// A scalar as a cursor shows it.
struct Scalar {
  ScalarType type = ScalarType::null;
  std::string_view text;  ///< as Event::text
  bool scalar = true;     ///< false: it is a list or a map
};

/// Why a cursor in the bytes of a dump stands still.
enum class Stop : std::uint8_t {
  no,
  more,    ///< the text ends here, but not the input
  unknown  ///< something that only the general path is trusted to read
};

/// The keys of the maps that are open, to notice one that stands twice.
class OpenKeys {
 public:
  class Map {
   public:
    explicit Map(OpenKeys& open) : open_(open), begin_(open.keys_.size()) {}
    Map(const Map&) = delete;
    auto operator=(const Map&) -> Map& = delete;
    ~Map() { open_.keys_.resize(begin_); }

    /// False if `key` was added before. Most keys are told apart by one bit of their length and ends.
    [[nodiscard]] auto add(std::string_view key) -> bool {
      const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(key[i])); };
      const unsigned hash =
          key.empty() ? 0 : at(0) * 5 + at(key.size() / 2) * 11 + at(key.size() - 1) + static_cast<unsigned>(key.size()) * 7;
      const std::uint64_t bit = std::uint64_t{1} << (hash & 63U);
      if ((seen_ & bit) != 0 && contains(key)) return false;
      seen_ |= bit;
      open_.keys_.push_back(key);
      return true;
    }
    [[nodiscard]] auto size() const -> std::size_t { return open_.keys_.size() - begin_; }

   private:
    [[nodiscard]] auto contains(std::string_view key) const -> bool {
      for (std::size_t i = begin_; i < open_.keys_.size(); ++i) {
        if (open_.keys_[i] == key) return true;
      }
      return false;
    }

    OpenKeys& open_;
    std::size_t begin_;
    std::uint64_t seen_ = 0;
  };

 private:
  std::vector<std::string_view> keys_;
};

/// A value in the bytes of a dump, found to be in order.
struct RepeatedText {
  std::string_view text;
  std::uint32_t lines = 0;  ///< line ends in it
  int context = 0;          ///< what else its meaning depends on
};

/// What an object holds is often the same as what the object before it held in the same place: then its bytes need not
/// be looked at one by one. The places are counted within an object, outermost values only.
///
/// A cursor derived from it has
///   may_repeat()                     is the value at hand of a kind that is worth remembering?
///   begin_repeat() -> mark           where it begins
///   repeated(mark) -> RepeatedText   the value that began there and was passed; empty if it is not to be kept
///   pass_same(text)                  passes the value at hand if it is this one, to the byte
template <class Cursor>
class Repeating {
 public:
  /// Gives `out` what was read from the same bytes in the same place of the object before, if they are the same; else
  /// it is read by `read`, and kept.
  template <class T, class Read>
  void recall(T& out, Read read) {
    Cursor& cursor = static_cast<Cursor&>(*this);
    if (keeping_ || recalls_ >= kMost || !cursor.may_repeat()) return read();
    const std::size_t index = recalls_++;
    if (index >= kept_.size()) kept_.resize(index + 1);
    std::unique_ptr<Kept>& slot = kept_[index];
    auto* const kept = slot && slot->tag == tag_of<T>() ? static_cast<KeptValue<T>*>(slot.get()) : nullptr;
    if (kept != nullptr && !kept->text.empty() && cursor.pass_same(kept->view())) {
      out = kept->value;
      return;
    }
    const auto mark = cursor.begin_repeat();
    keeping_ = true;
    read();
    keeping_ = false;
    if (kept == nullptr) slot = std::make_unique<KeptValue<T>>(tag_of<T>());
    if (slot->keep(cursor.repeated(mark))) static_cast<KeptValue<T>*>(slot.get())->value = out;
  }

 protected:
  void begin_item() {
    skips_ = recalls_ = 0;
    keeping_ = false;
  }

  template <class Skip>
  void skip_repeated(Skip skip) {
    Cursor& cursor = static_cast<Cursor&>(*this);
    if (keeping_ || skips_ >= kMost) return skip();
    const std::size_t index = skips_++;
    if (index >= skipped_.size()) skipped_.resize(index + 1);
    if (!skipped_[index].text.empty() && cursor.pass_same(skipped_[index].view())) return;
    const auto mark = cursor.begin_repeat();
    skip();
    skipped_[index].keep(cursor.repeated(mark));
  }

 private:
  static constexpr std::size_t kMost = 256;        // values of an object
  static constexpr std::size_t kMaxText = 8192;  // bytes of one

  struct Text {
    std::string text;
    std::uint32_t lines = 0;
    int context = 0;

    [[nodiscard]] auto view() const -> RepeatedText { return {text, lines, context}; }
    auto keep(const RepeatedText& last) -> bool {
      text.clear();
      if (last.text.empty() || last.text.size() > kMaxText) return false;
      text = last.text;
      lines = last.lines;
      context = last.context;
      return true;
    }
  };
  struct Kept : Text {
    explicit Kept(const void* of) : tag(of) {}
    Kept(const Kept&) = delete;
    auto operator=(const Kept&) -> Kept& = delete;
    virtual ~Kept() = default;
    const void* tag;  // tells the types apart
  };
  template <class T>
  struct KeptValue final : Kept {
    using Kept::Kept;
    T value;
  };
  template <class T>
  static auto tag_of() -> const void* {
    static constexpr char kTag = 0;
    return &kTag;
  }

  std::vector<Text> skipped_;
  std::vector<std::unique_ptr<Kept>> kept_;
  std::size_t skips_ = 0;
  std::size_t recalls_ = 0;
  bool keeping_ = false;
};

}  // namespace previct
