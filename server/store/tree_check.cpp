#include "store/tree_check.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/chunk_record.h"

namespace terrane::store {
namespace {

using Clock = std::chrono::steady_clock;

// LMDB's file format. A page: number (8 bytes), padding (2), flags (2), end of its table of nodes
// (2), start of the nodes (2), the table: offsets of nodes, in the order of their keys. A node: low
// and high half of a data size or page number (2 + 2), flags or the page number's highest bits (2),
// size of the key (2), key, data.
constexpr std::size_t kPageHeader = 16;
constexpr std::size_t kFlagsAt = 10, kLowerAt = 12, kUpperAt = 14;
constexpr std::size_t kNodeHeader = 8;
constexpr std::uint16_t kBranch = 1, kLeaf = 2, kMeta = 8;  // a page's flags
constexpr std::uint16_t kOwnPages = 1,
                        // a node's flags: its data lies elsewhere; is a table's root
    kDatabase = 2;
constexpr std::uint32_t kMagic = 0xbeefc0de, kVersion = 1;
constexpr std::uint64_t kNoPage = ~std::uint64_t{0};  // the root of an empty table
constexpr int kMaxDepth = 32;

/// A table's root and sizes, as the file has them.
struct Table {
  std::uint32_t pad;
  std::uint16_t flags, depth;
  std::uint64_t branch_pages, leaf_pages, own_pages, entries, root;
};
static_assert(sizeof(Table) == 48 && std::is_trivially_copyable_v<Table>);

struct Meta {
  std::uint32_t magic, version;
  std::uint64_t address, map_bytes;
  Table free_list, databases;
  std::uint64_t last_page, transaction;
};
static_assert(sizeof(Meta) == 136);

template <typename T>
T read_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

struct Node {
  std::uint16_t flags;
  std::string_view key;
  std::uint64_t number;  // of a branch: the child; of a leaf: the data's size
  const char* data;
};

enum class Kind { kFreeList, kDatabases, kFormat, kChunks };

/// One check. What returns bool: false ends it, and the error is set.
class Check {
 public:
  Check(int fd, Clock::time_point deadline)
      : fd_(fd),
        deadline_(deadline),
        page_bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {}

  Result<void> run();

 private:
  /// What has been seen of one table.
  struct Walk {
    Kind kind;
    Table seen{};
    std::string previous{};  // the last key
    std::string floor{};     // what the parent says that the next key is not below
  };

  bool check_all();
  bool read_newest_meta(Meta& newest);
  bool walk_table(const Table& table, Kind kind);
  bool walk_page(Walk& walk, std::uint64_t number, int levels);
  bool walk_children(Walk& walk, const std::vector<Node>& children, int levels);
  bool read_nodes(const std::string& page, bool branch, std::vector<Node>& nodes);
  bool check_entry(Walk& walk, const Node& node);
  bool check_order(Walk& walk, const Node& node);
  bool check_free_pages(const Node& node);
  bool read_page(std::uint64_t number, std::string& page);
  bool reach(std::uint64_t first, std::uint64_t pages);
  bool fail_with(ErrorCode code, std::string why);
  bool damaged(std::string what) { return fail_with(ErrorCode::kDataLoss, std::move(what)); }
  [[nodiscard]] std::uint64_t pages_for(std::uint64_t bytes) const {
    return (kPageHeader - 1 + bytes) / page_bytes_ + 1;
  }

  const int fd_;
  const Clock::time_point deadline_;
  const std::size_t page_bytes_;
  std::vector<bool> reached_;  // of every page in use or free
  Error error_{};
};

Result<void> Check::run() {
  if (!check_all()) return tl::unexpected(error_);
  return {};
}

bool Check::check_all() {
  const off_t bytes = ::lseek(fd_, 0, SEEK_END);
  if (bytes < 0) return fail_with(ErrorCode::kUnavailable, std::generic_category().message(errno));
  if (bytes == 0) return true;  // stopped before it was made; LMDB makes it anew
  Meta meta{};
  if (!read_newest_meta(meta)) return false;
  const std::uint64_t file_pages = static_cast<std::uint64_t>(bytes) / page_bytes_;
  if (meta.last_page < 1 || meta.last_page >= file_pages) return damaged("its file is cut short");
  reached_.assign(meta.last_page + 1, false);
  return reach(0, 2) && walk_table(meta.free_list, Kind::kFreeList) &&
         walk_table(meta.databases, Kind::kDatabases);
}

bool Check::read_newest_meta(Meta& newest) {
  for (const std::uint64_t number : {0u, 1u}) {
    std::string page;
    if (!read_page(number, page)) return false;
    const auto meta = read_at<Meta>(page.data() + kPageHeader);
    if (read_at<std::uint64_t>(page.data()) != number ||
        read_at<std::uint16_t>(page.data() + kFlagsAt) != kMeta || meta.magic != kMagic ||
        meta.version != kVersion || meta.free_list.pad != page_bytes_) {
      return damaged("meta page " + std::to_string(number));
    }
    if (number == 0 || meta.transaction > newest.transaction) newest = meta;
  }
  return true;
}

bool Check::walk_table(const Table& table, Kind kind) {
  Walk walk{.kind = kind};
  if (table.root != kNoPage) {
    if (table.depth < 1 || table.depth > kMaxDepth) return damaged("the depth of a table");
    if (!walk_page(walk, table.root, table.depth)) return false;
  }
  const Table& seen = walk.seen;
  const bool counted = seen.branch_pages == table.branch_pages &&
                       seen.leaf_pages == table.leaf_pages && seen.own_pages == table.own_pages &&
                       seen.entries == table.entries;
  return counted || damaged("the counts of a table");
}

/// @param levels  from this page down to the leaves, both included
bool Check::walk_page(Walk& walk, std::uint64_t number, int levels) {
  const bool branch = levels > 1;
  std::string page;
  std::vector<Node> nodes;
  if (!reach(number, 1) || !read_page(number, page)) return false;
  const bool is_itself =
      read_at<std::uint64_t>(page.data()) == number &&
      read_at<std::uint16_t>(page.data() + kFlagsAt) == (branch ? kBranch : kLeaf);
  if (!is_itself || !read_nodes(page, branch, nodes))
    return damaged("page " + std::to_string(number));
  ++(branch ? walk.seen.branch_pages : walk.seen.leaf_pages);
  if (branch) return walk_children(walk, nodes, levels);
  for (const Node& node : nodes) {
    if (!check_entry(walk, node)) return false;
  }
  return true;
}

bool Check::walk_children(Walk& walk, const std::vector<Node>& children, int levels) {
  // runs of neighbours
  for (std::size_t first = 0, end = 1; first < children.size(); first = end++) {
    while (end < children.size() && children[end].number == children[end - 1].number + 1) ++end;
    ::posix_fadvise(fd_, static_cast<off_t>(children[first].number * page_bytes_),
                    static_cast<off_t>((end - first) * page_bytes_), POSIX_FADV_WILLNEED);
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0 && walk.kind != Kind::kFreeList) {  // whose keys are numbers; its order does no harm
      if (children[i].key <= walk.previous) return damaged("the order of keys");
      walk.floor = children[i].key;
    }
    if (!walk_page(walk, children[i].number, levels - 1)) return false;
  }
  return true;
}

/// @return whether all nodes lie within the page, and fill what it says is filled
bool Check::read_nodes(const std::string& page, bool branch, std::vector<Node>& nodes) {
  const auto lower = read_at<std::uint16_t>(page.data() + kLowerAt);
  const auto upper = read_at<std::uint16_t>(page.data() + kUpperAt);
  if (lower < kPageHeader || lower > upper || upper > page_bytes_ || lower % 2 != 0) return false;
  const std::size_t count = (lower - kPageHeader) / 2;
  if (count < (branch ? 2u : 1u)) return false;
  nodes.reserve(count);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto offset = read_at<std::uint16_t>(page.data() + kPageHeader + 2 * i);
    if (offset < upper || offset + kNodeHeader > page_bytes_ || offset % 2 != 0) return false;
    const char* at = page.data() + offset;
    const std::uint64_t low = read_at<std::uint16_t>(at), high = read_at<std::uint16_t>(at + 2);
    const auto flags = read_at<std::uint16_t>(at + 4);
    const auto key_bytes = read_at<std::uint16_t>(at + 6);
    const std::uint64_t number = low | high << 16 | (branch ? std::uint64_t{flags} << 32 : 0);
    const std::uint64_t data_bytes = branch                     ? 0
                                     : (flags & kOwnPages) != 0 ? sizeof(std::uint64_t)
                                                                : number;
    if (key_bytes + data_bytes > page_bytes_ - offset - kNodeHeader) return false;
    nodes.push_back({flags, {at + kNodeHeader, key_bytes}, number, at + kNodeHeader + key_bytes});
    bytes += (kNodeHeader + key_bytes + data_bytes + 1) / 2 * 2;
  }
  return bytes == page_bytes_ - upper;
}

bool Check::check_entry(Walk& walk, const Node& node) {
  ++walk.seen.entries;
  if (node.flags == kOwnPages) {
    const std::uint64_t pages = pages_for(node.number);
    walk.seen.own_pages += pages;
    if (!reach(read_at<std::uint64_t>(node.data), pages)) return false;
  } else if (node.flags != (walk.kind == Kind::kDatabases ? kDatabase : 0)) {
    return damaged("the flags of an entry");
  }
  if (walk.kind == Kind::kFreeList) return check_free_pages(node);
  if (!check_order(walk, node)) return false;
  switch (walk.kind) {
    case Kind::kDatabases:
      if (node.flags != kDatabase || node.number != sizeof(Table))
        return damaged("the entry of a table");
      return walk_table(read_at<Table>(node.data),
                        node.key == "chunks" ? Kind::kChunks : Kind::kFormat);
    case Kind::kChunks:
      return (node.key.size() == kKeyBytes && is_record_size(node.number)) ||
             damaged("the size of a chunk or its key");
    default: return true;
  }
}

bool Check::check_order(Walk& walk, const Node& node) {
  if (node.key < walk.floor || (walk.seen.entries > 1 && node.key <= walk.previous))
    return damaged("the order of keys");
  walk.previous = node.key;
  return true;
}

/// An entry of the free list: a count, then page numbers. A wrong one would be written over.
bool Check::check_free_pages(const Node& node) {
  std::string list(node.data, node.flags == kOwnPages ? 0 : node.number);
  if (node.flags == kOwnPages) {
    const auto first = read_at<std::uint64_t>(node.data);
    for (std::uint64_t i = 0; i < pages_for(node.number); ++i) {
      std::string page;
      if (!read_page(first + i, page)) return false;
      list += page;
    }
    list = list.substr(kPageHeader, node.number);
  }
  const std::uint64_t count =
      list.size() < sizeof(count) ? ~std::uint64_t{0} : read_at<std::uint64_t>(list.data());
  if (count > list.size() / sizeof(count) - 1) return damaged("the free list");
  for (std::uint64_t i = 1; i <= count; ++i) {
    if (!reach(read_at<std::uint64_t>(list.data() + i * sizeof(count)), 1)) return false;
  }
  return true;
}

bool Check::read_page(std::uint64_t number, std::string& page) {
  if (Clock::now() > deadline_)
    return fail_with(ErrorCode::kDeadlineExceeded, "its check takes too long");
  page.resize(page_bytes_);
  const ssize_t got =
      ::pread(fd_, page.data(), page.size(), static_cast<off_t>(number * page_bytes_));
  if (got < 0) return fail_with(ErrorCode::kUnavailable, std::generic_category().message(errno));
  return static_cast<std::size_t>(got) == page.size() || damaged("its file is cut short");
}

/// Notes that pages are in use, or free: none can be twice.
bool Check::reach(std::uint64_t first, std::uint64_t pages) {
  if (first >= reached_.size() || pages > reached_.size() - first)
    return damaged("a page number beyond the end");
  for (std::uint64_t i = first; i < first + pages; ++i) {
    if (reached_[i]) return damaged("page " + std::to_string(i) + " is used twice");
    reached_[i] = true;
  }
  return true;
}

/// Keeps the first reason.
/// @return false
bool Check::fail_with(ErrorCode code, std::string why) {
  if (error_.message.empty()) error_ = {code, std::move(why)};
  return false;
}

}  // namespace

Result<void> check_tree(const std::filesystem::path& data_file, std::chrono::milliseconds limit) {
  const int fd = ::open(data_file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return {};
  if (fd < 0) return fail(ErrorCode::kUnavailable, std::generic_category().message(errno));
  const Result<void> result = Check(fd, Clock::now() + limit).run();
  ::close(fd);
  return result;
}

}  // namespace terrane::store
