#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "terrane/result.h"

namespace terrane::worldgen {

/// Writes the fields of plain structs to bytes, or reads them back: one description of the fields,
/// a function `void fields(FieldArchive&, T&)` next to each struct, serves both directions. Numbers
/// are little-endian and as wide as their types, floats are IEEE 754's bits, a list is its length
/// (32 bits) and its items. Reading checks every value against its limits; after the first error
/// nothing more is read, and what would have been keeps its default. Threads: one at a time.
class FieldArchive {
 public:
  /// Writes; the fields themselves are left as they are.
  FieldArchive() = default;
  /// Reads. The bytes must outlive the archive.
  explicit FieldArchive(std::span<const std::byte> bytes) : reads_(true), in_(bytes) {}

  /// A number within [min, max], of a type that field_archive.cpp lists; floats are finite, and -0
  /// is written as 0.
  template <typename T>
  void number(std::string_view name, T& value, std::type_identity_t<T> min,
              std::type_identity_t<T> max);

  /// An enumerator from 0 to `last`.
  template <typename Enum>
  void choice(std::string_view name, Enum& value, Enum last) {
    auto number_of = static_cast<std::uint8_t>(value);
    number(name, number_of, 0, static_cast<std::uint8_t>(last));
    value = static_cast<Enum>(number_of);
  }

  void flag(std::string_view name, bool& value) {
    std::uint8_t bit = value ? 1 : 0;
    number(name, bit, 0, 1);
    value = bit != 0;
  }

  /// A struct, by its own fields.
  template <typename T>
  void group(std::string_view name, T& value) {
    within(name, [&] { fields(*this, value); });
  }

  /// Fields that have a name in common, which `describe` describes.
  template <typename Describe>
  void within(std::string_view name, const Describe& describe) {
    const Place place(*this, name);
    if (!error_) describe();
  }

  /// A list of `min` to `max` items; `item(value)` describes one.
  template <typename T, typename Item>
  void list(std::string_view name, std::vector<T>& values, std::size_t min, std::size_t max,
            const Item& item) {
    const Place place(*this, name);
    auto size = static_cast<std::uint32_t>(values.size());
    number("length", size, static_cast<std::uint32_t>(min), static_cast<std::uint32_t>(max));
    if (error_) return;
    if (reads_) values.clear();
    for (std::uint32_t i = 0; i < size && !error_; ++i) {
      if (reads_) values.emplace_back();  // one by one: what is there is what memory is taken for
      const Place item_place(*this, reads_ ? std::to_string(i) : std::string());
      item(values[i]);
    }
  }

  /// What must hold between fields, once they are read.
  void require(bool holds, std::string_view name, const std::string& what) {
    if (reads_ && !error_ && !holds) refuse(name, what);
  }

  [[nodiscard]] bool reads() const { return reads_; }
  [[nodiscard]] bool failed() const { return error_.has_value(); }

  /// What was written.
  [[nodiscard]] std::vector<std::byte> take_bytes() && { return std::move(out_); }

  /// Reading is over. Errors: kInvalidArgument: the first field that was not as it must be, or
  /// bytes that nobody has read.
  [[nodiscard]] Result<void> finish();

 private:
  /// Adds a name to the path of what is read.
  class Place {
   public:
    Place(FieldArchive& archive, std::string_view name)
        : archive_(archive), length_(archive.path_.size()) {
      archive_.path_.append(name).append(".");
    }
    ~Place() {
      if (!archive_.error_) archive_.path_.resize(length_);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    FieldArchive& archive_;
    std::size_t length_;
  };

  template <typename T>
  void write(T value);
  template <typename T>
  T read(std::string_view name);
  void refuse(std::string_view name, const std::string& what);

  bool reads_ = false;
  std::vector<std::byte> out_;
  std::span<const std::byte> in_;
  std::string path_;
  std::optional<Error> error_;
};

}  // namespace terrane::worldgen
