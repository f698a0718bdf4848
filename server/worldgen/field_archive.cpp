#include "worldgen/field_archive.h"

#include <bit>
#include <type_traits>

namespace terrane::worldgen {

namespace {

template <std::size_t kBytes>
using Bits = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t,
                       std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

}  // namespace

template <typename T>
void FieldArchive::write(T value) {
  const auto bits = std::bit_cast<Bits<sizeof(T)>>(value);
  for (std::size_t k = 0; k < sizeof(T); ++k)
    out_.push_back(static_cast<std::byte>(std::uint64_t{bits} >> 8 * k & 0xff));
}

template <typename T>
T FieldArchive::read(std::string_view name) {
  if (error_) return {};
  if (in_.size() < sizeof(T)) {
    refuse(name, "the bytes end here");
    return {};
  }
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k)
    bits |= std::to_integer<std::uint64_t>(in_[k]) << 8 * k;
  in_ = in_.subspan(sizeof(T));
  return std::bit_cast<T>(static_cast<Bits<sizeof(T)>>(bits));
}

template <typename T>
void FieldArchive::number(std::string_view name, T& value, std::type_identity_t<T> min,
                          std::type_identity_t<T> max) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  if (!reads_) return write(value == 0 ? T{0} : value);
  const T read = this->read<T>(name);
  if (error_) return;
  if (read >= min && read <= max) {  // no NaN is
    value = read;
  } else {
    refuse(name, std::to_string(read) + " is not within " + std::to_string(min) + " and " +
                     std::to_string(max));
  }
}

// Once, and small, rather than in each file with parameters.
template void FieldArchive::number(std::string_view, std::uint8_t&, std::uint8_t, std::uint8_t);
template void FieldArchive::number(std::string_view, std::uint16_t&, std::uint16_t, std::uint16_t);
template void FieldArchive::number(std::string_view, std::uint32_t&, std::uint32_t, std::uint32_t);
template void FieldArchive::number(std::string_view, std::uint64_t&, std::uint64_t, std::uint64_t);
template void FieldArchive::number(std::string_view, std::int32_t&, std::int32_t, std::int32_t);
template void FieldArchive::number(std::string_view, std::int64_t&, std::int64_t, std::int64_t);
template void FieldArchive::number(std::string_view, float&, float, float);

void FieldArchive::refuse(std::string_view name, const std::string& what) {
  error_ = Error{ErrorCode::kInvalidArgument, path_ + std::string(name) + ": " + what};
}

Result<void> FieldArchive::finish() {
  if (!error_ && !in_.empty())
    refuse("end", std::to_string(in_.size()) + " bytes are left over behind the last field");
  if (error_) return tl::unexpected(*error_);
  return {};
}

}  // namespace terrane::worldgen
