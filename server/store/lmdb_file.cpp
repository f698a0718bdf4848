#include "store/lmdb_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::store {
namespace {

constexpr std::size_t kFlagsAt = 10, kLowerAt = 12, kUpperAt = 14;
constexpr std::size_t kNodeHeader = 8;
constexpr std::uint16_t kBranch = 1, kLeaf = 2, kMeta = 8;  // a page's flags
constexpr std::uint32_t kMagic = 0xbeefc0de, kVersion = 1;

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kDataLoss, std::move(what));
}

}  // namespace

LmdbFile::LmdbFile(int fd)
    : fd_(fd), page_bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {}

LmdbFile::LmdbFile(LmdbFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), page_bytes_(other.page_bytes_) {}

LmdbFile::~LmdbFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<LmdbFile> LmdbFile::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0) return LmdbFile(fd);
  return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
              path.string() + " can't be opened: " + std::generic_category().message(errno));
}

Result<std::uint64_t> LmdbFile::size() const {
  const off_t bytes = ::lseek(fd_, 0, SEEK_END);
  if (bytes < 0) return fail(ErrorCode::kUnavailable, std::generic_category().message(errno));
  return static_cast<std::uint64_t>(bytes);
}

Result<void> LmdbFile::read(std::uint64_t at, std::size_t bytes, std::string& into) const {
  into.resize(bytes);
  const ssize_t got = ::pread(fd_, into.data(), bytes, static_cast<off_t>(at));
  if (got < 0) {
    const std::string why = std::generic_category().message(errno);
    return damaged("page " + std::to_string(at / page_bytes_) + " can't be read: " + why);
  }
  if (static_cast<std::size_t>(got) != bytes) return damaged("its file is cut short");
  return {};
}

Result<void> LmdbFile::read_page(std::uint64_t number, std::string& page) const {
  return read(number * page_bytes_, page_bytes_, page);
}

Result<LmdbMeta> LmdbFile::newest_meta() const {
  LmdbMeta newest{};
  for (const std::uint64_t number : {0u, 1u}) {
    std::string page;
    TERRANE_RETURN_IF_ERROR(read_page(number, page));
    const auto meta = read_at<LmdbMeta>(page.data() + kPageHeader);
    if (read_at<std::uint64_t>(page.data()) != number ||
        read_at<std::uint16_t>(page.data() + kFlagsAt) != kMeta || meta.magic != kMagic ||
        meta.version != kVersion || meta.free_list.pad != page_bytes_) {
      return damaged("meta page " + std::to_string(number));
    }
    if (number == 0 || meta.transaction > newest.transaction) newest = meta;
  }
  return newest;
}

Result<std::vector<LmdbNode>> LmdbFile::nodes(const std::string& page, std::uint64_t number,
                                              bool branch) const {
  std::vector<LmdbNode> nodes;
  const bool is_itself =
      read_at<std::uint64_t>(page.data()) == number &&
      read_at<std::uint16_t>(page.data() + kFlagsAt) == (branch ? kBranch : kLeaf);
  if (!is_itself || !parse_nodes(page, branch, nodes))
    return damaged("page " + std::to_string(number));
  return nodes;
}

bool LmdbFile::parse_nodes(const std::string& page, bool branch,
                           std::vector<LmdbNode>& nodes) const {
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

void LmdbFile::will_need(std::uint64_t first, std::uint64_t pages) const {
  ::posix_fadvise(fd_, static_cast<off_t>(first * page_bytes_),
                  static_cast<off_t>(pages * page_bytes_), POSIX_FADV_WILLNEED);
}

}  // namespace terrane::store
