#include "store/tree_check.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store/chunk_record.h"
#include "store/lmdb_file.h"

namespace terrane::store {
namespace {

enum class Kind { kFreeList, kDatabases, kFormat, kChunks };

/// One check. What returns bool: false ends it, and the error is set.
class Check {
 public:
  Check(const LmdbFile& file, const std::function<Result<void>()>& before_page,
        CheckProgress& progress)
      : file_(file), before_page_(before_page), progress_(progress) {}

  Result<void> run();

 private:
  /// What has been seen of one table.
  struct Walk {
    Kind kind;
    LmdbTable seen{};
    std::string previous{};  // the last key
    std::string floor{};     // what the parent says that the next key is not below
  };

  bool check_all();
  bool walk_table(const LmdbTable& table, Kind kind);
  bool walk_page(Walk& walk, std::uint64_t number, int levels);
  bool walk_children(Walk& walk, const std::vector<LmdbNode>& children, int levels);
  bool check_entry(Walk& walk, const LmdbNode& node);
  bool check_order(Walk& walk, const LmdbNode& node);
  bool check_free_pages(const LmdbNode& node);
  bool read_page(std::uint64_t number, std::string& page);
  bool reach(std::uint64_t first, std::uint64_t pages);
  bool fail_with(Error why);
  bool damaged(std::string what) { return fail_with({ErrorCode::kDataLoss, std::move(what)}); }
  [[nodiscard]] std::uint64_t pages_for(std::uint64_t bytes) const {
    return (kPageHeader - 1 + bytes) / file_.page_bytes() + 1;
  }

  const LmdbFile& file_;
  const std::function<Result<void>()>& before_page_;
  CheckProgress& progress_;
  std::vector<bool> reached_;  // of every page in use or free
  Error error_{};
};

Result<void> Check::run() {
  if (!check_all()) return tl::unexpected(error_);
  return {};
}

bool Check::check_all() {
  const auto bytes = file_.size();
  if (!bytes) return fail_with(bytes.error());
  if (*bytes == 0) return true;  // stopped before it was made; LMDB makes it anew
  const auto meta = file_.newest_meta();
  if (!meta) return fail_with(meta.error());
  const std::uint64_t file_pages = *bytes / file_.page_bytes();
  if (meta->last_page < 1 || meta->last_page >= file_pages) return damaged("its file is cut short");
  progress_.pages = meta->last_page + 1;
  reached_.assign(meta->last_page + 1, false);
  return reach(0, 2) && walk_table(meta->free_list, Kind::kFreeList) &&
         walk_table(meta->databases, Kind::kDatabases);
}

bool Check::walk_table(const LmdbTable& table, Kind kind) {
  Walk walk{.kind = kind};
  if (table.root != kNoPage) {
    if (table.depth < 1 || table.depth > kMaxTreeDepth) return damaged("the depth of a table");
    if (!walk_page(walk, table.root, table.depth)) return false;
  }
  const LmdbTable& seen = walk.seen;
  const bool counted = seen.branch_pages == table.branch_pages &&
                       seen.leaf_pages == table.leaf_pages && seen.own_pages == table.own_pages &&
                       seen.entries == table.entries;
  return counted || damaged("the counts of a table");
}

/// @param levels  from this page down to the leaves, both included
bool Check::walk_page(Walk& walk, std::uint64_t number, int levels) {
  const bool branch = levels > 1;
  std::string page;
  if (!reach(number, 1) || !read_page(number, page)) return false;
  const auto nodes = file_.nodes(page, number, branch);
  if (!nodes) return fail_with(nodes.error());
  ++(branch ? walk.seen.branch_pages : walk.seen.leaf_pages);
  if (branch) return walk_children(walk, *nodes, levels);
  for (const LmdbNode& node : *nodes) {
    if (!check_entry(walk, node)) return false;
  }
  return true;
}

bool Check::walk_children(Walk& walk, const std::vector<LmdbNode>& children, int levels) {
  // runs of neighbours
  for (std::size_t first = 0, end = 1; first < children.size(); first = end++) {
    while (end < children.size() && children[end].number == children[end - 1].number + 1) ++end;
    file_.will_need(children[first].number, end - first);
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

bool Check::check_entry(Walk& walk, const LmdbNode& node) {
  ++walk.seen.entries;
  if (node.flags == kOwnPages) {
    const std::uint64_t pages = pages_for(node.number);
    walk.seen.own_pages += pages;
    if (!reach(read_at<std::uint64_t>(node.data), pages)) return false;
  } else if (node.flags != (walk.kind == Kind::kDatabases ? kTableNode : 0)) {
    return damaged("the flags of an entry");
  }
  if (walk.kind == Kind::kFreeList) return check_free_pages(node);
  if (!check_order(walk, node)) return false;
  switch (walk.kind) {
    case Kind::kDatabases:
      if (node.flags != kTableNode || node.number != sizeof(LmdbTable))
        return damaged("the entry of a table");
      return walk_table(read_at<LmdbTable>(node.data),
                        node.key == "chunks" ? Kind::kChunks : Kind::kFormat);
    case Kind::kChunks:
      return (node.key.size() == kKeyBytes && is_record_size(node.number)) ||
             damaged("the size of a chunk or its key");
    default: return true;
  }
}

bool Check::check_order(Walk& walk, const LmdbNode& node) {
  if (node.key < walk.floor || (walk.seen.entries > 1 && node.key <= walk.previous))
    return damaged("the order of keys");
  walk.previous = node.key;
  return true;
}

/// An entry of the free list: a count, then page numbers. A wrong one would be written over.
bool Check::check_free_pages(const LmdbNode& node) {
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
  if (const auto go_on = before_page_(); !go_on) return fail_with(go_on.error());
  const auto read = file_.read_page(number, page);
  return read || fail_with(read.error());
}

/// Notes that pages are in use, or free: none can be twice.
bool Check::reach(std::uint64_t first, std::uint64_t pages) {
  if (first >= reached_.size() || pages > reached_.size() - first)
    return damaged("a page number beyond the end");
  for (std::uint64_t i = first; i < first + pages; ++i) {
    if (reached_[i]) return damaged("page " + std::to_string(i) + " is used twice");
    reached_[i] = true;
  }
  progress_.checked.fetch_add(pages, std::memory_order_relaxed);
  return true;
}

/// Keeps the first reason.
/// @return false
bool Check::fail_with(Error why) {
  if (error_.message.empty()) error_ = std::move(why);
  return false;
}

}  // namespace

Result<void> check_tree(const std::filesystem::path& data_file,
                        const std::function<Result<void>()>& before_page, CheckProgress& progress) {
  const auto file = LmdbFile::open(data_file);
  if (!file && file.error().code == ErrorCode::kNotFound) return {};
  if (!file) return tl::unexpected(file.error());
  return Check(*file, before_page, progress).run();
}

Result<void> check_tree(const std::filesystem::path& data_file, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  CheckProgress progress;
  const auto in_time = [until = Clock::now() + limit]() -> Result<void> {
    if (Clock::now() <= until) return {};
    return fail(ErrorCode::kDeadlineExceeded, "its check takes too long");
  };
  return check_tree(data_file, in_time, progress);
}

}  // namespace terrane::store
