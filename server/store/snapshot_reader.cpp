#include "store/snapshot_reader.h"

#include <algorithm>

#include "store/cache_format.h"
#include "store/chunk_record.h"
#include "store/use_clock.h"
#include "terrane/result_macros.h"

namespace terrane::store {

Result<SnapshotReader> SnapshotReader::open(const std::filesystem::path& data_file) {
  TERRANE_ASSIGN_OR_RETURN(auto file, LmdbFile::open(data_file));
  TERRANE_ASSIGN_OR_RETURN(const LmdbMeta meta, file.newest_meta());
  const std::uint64_t bytes = (meta.last_page + 1) * file.page_bytes();
  SnapshotReader reader(std::move(file), bytes);
  TERRANE_RETURN_IF_ERROR(reader.open_tables(meta.databases));
  return reader;
}

Result<void> SnapshotReader::open_tables(const LmdbTable& databases) {
  const auto meta = find_value(databases, kMetaTable);
  const auto chunks = find_value(databases, kChunkTable);
  if (!meta || !chunks || meta->size() != sizeof(LmdbTable) || chunks->size() != sizeof(LmdbTable))
    return fail(ErrorCode::kDataLoss, "the table of tables");
  const auto format = find_value(read_at<LmdbTable>(meta->data()), kFormatName);
  if (!format || !is_our_format(*format))
    return fail(ErrorCode::kDataLoss, "its format is another version's");
  chunks_ = read_at<LmdbTable>(chunks->data());
  return {};
}

std::size_t SnapshotReader::find(std::span<const ChunkKey> keys,
                                 std::span<codec::EncodedChunk> found, UseClock& uses) const {
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (found[i]) continue;
    const KeyBytes key = encode_key(keys[i]);
    const auto record =
        find_value(chunks_, {reinterpret_cast<const char*>(key.data()), key.size()});
    if (!record) continue;
    found[i] = copy_chunk(key, *record);
    if (found[i]) uses.note(key);
    if (!found[i]) ++damaged;
  }
  return damaged;
}

/// @return null when there is none, or it can't be reached through the pages that should lead there
std::optional<std::string> SnapshotReader::find_value(const LmdbTable& table,
                                                      std::string_view key) const {
  if (table.root == kNoPage || table.depth < 1 || table.depth > kMaxTreeDepth) return std::nullopt;
  std::string page;
  std::uint64_t number = table.root;
  for (int levels = table.depth;; --levels) {
    if (!file_.read_page(number, page)) return std::nullopt;
    const auto nodes = file_.nodes(page, number, levels > 1);
    if (!nodes) return std::nullopt;
    // Of a branch's first child the key says nothing.
    const auto first = nodes->begin() + (levels > 1 ? 1 : 0);
    const auto after = std::upper_bound(
        first, nodes->end(), key,
        [](std::string_view wanted, const LmdbNode& node) { return wanted < node.key; });
    if (after == nodes->begin()) return std::nullopt;
    const LmdbNode& node = *(after - 1);
    if (levels > 1) {
      number = node.number;
    } else {
      return node.key == key ? read_value(node) : std::nullopt;
    }
  }
}

std::optional<std::string> SnapshotReader::read_value(const LmdbNode& node) const {
  if ((node.flags & kOwnPages) == 0) return std::string(node.data, node.number);
  if (!is_record_size(node.number)) return std::nullopt;
  const auto first = read_at<std::uint64_t>(node.data);
  std::string value;
  if (first > bytes_ / file_.page_bytes() ||
      !file_.read(first * file_.page_bytes() + kPageHeader, node.number, value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace terrane::store
