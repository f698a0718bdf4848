#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

/// LMDB's data file (version 0.9, this machine's byte order and page size), read without LMDB:
/// LMDB trusts what it maps, and dies or spins on a damaged tree. Whatever is read here is looked
/// at before it is believed.
namespace terrane::store {

// A page: number (8 bytes), padding (2), flags (2), end of its table of nodes (2), start of the
// nodes (2), the table: offsets of nodes, in the order of their keys. A node: low and high half of
// a data size or page number (2 + 2), flags or the page number's highest bits (2), size of the key
// (2), key, data.
inline constexpr std::size_t kPageHeader = 16;
inline constexpr std::uint16_t kOwnPages = 1;   // a node's flag: its data lies in pages of its own
inline constexpr std::uint16_t kTableNode = 2;  // a node's flag: its data is a table's root
inline constexpr std::uint64_t kNoPage = ~std::uint64_t{0};  // the root of an empty table
inline constexpr int kMaxTreeDepth = 32;

/// A table's root and sizes, as the file has them.
struct LmdbTable {
  std::uint32_t pad;
  std::uint16_t flags, depth;
  std::uint64_t branch_pages, leaf_pages, own_pages, entries, root;
};
static_assert(sizeof(LmdbTable) == 48);

struct LmdbMeta {
  std::uint32_t magic, version;
  std::uint64_t address, map_bytes;
  LmdbTable free_list, databases;
  std::uint64_t last_page, transaction;
};
static_assert(sizeof(LmdbMeta) == 136);

struct LmdbNode {
  std::uint16_t flags;
  std::string_view key;  // these two point into the page
  std::uint64_t number;  // of a branch: the child; of a leaf: the data's size
  const char* data;
};

/// The data file, open for reading. Thread-safe. Everything blocks on the disk.
class LmdbFile {
 public:
  /// Errors: kNotFound when there is no file, kUnavailable when it can't be opened.
  static Result<LmdbFile> open(const std::filesystem::path& path);
  LmdbFile(LmdbFile&& other) noexcept;
  LmdbFile& operator=(LmdbFile&&) = delete;
  ~LmdbFile();

  [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }

  /// Its size now. Errors: kUnavailable.
  [[nodiscard]] Result<std::uint64_t> size() const;

  /// `bytes` bytes from offset `at` on. Errors: kDataLoss when the file ends before, or the disk
  /// can't read them.
  [[nodiscard]] Result<void> read(std::uint64_t at, std::size_t bytes, std::string& into) const;
  [[nodiscard]] Result<void> read_page(std::uint64_t number, std::string& page) const;

  /// The meta page of the last transaction that was committed. Errors: kDataLoss when either is
  /// damaged.
  [[nodiscard]] Result<LmdbMeta> newest_meta() const;

  /// The nodes of a page of a tree, which point into it. Errors: kDataLoss when it is not the page
  /// of this number and kind, when a node lies outside of it, or when they don't fill what it says
  /// is filled.
  [[nodiscard]] Result<std::vector<LmdbNode>> nodes(const std::string& page, std::uint64_t number,
                                                    bool branch) const;

  /// Asks the system to read pages ahead.
  void will_need(std::uint64_t first, std::uint64_t pages) const;

 private:
  explicit LmdbFile(int fd);
  bool parse_nodes(const std::string& page, bool branch, std::vector<LmdbNode>& nodes) const;

  int fd_;
  std::size_t page_bytes_;
};

template <typename T>
T read_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

}  // namespace terrane::store
