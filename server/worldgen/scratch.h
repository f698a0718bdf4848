#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace terrane::worldgen {

/// The memory of one generation's intermediate values. It grows by itself in blocks, hands pieces
/// out aligned to 64 bytes, and gives everything back at its end; what is taken within a Scope is
/// free for others after it. Threads: one at a time. Blocks: no.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Room for `count` values, uninitialised; good until the Scope that it is taken in ends, or the
  /// Scratch does.
  template <typename T>
  [[nodiscard]] T* take(std::size_t count) {
    static_assert(std::is_trivial_v<T> && alignof(T) <= kAlignment);
    return static_cast<T*>(take_bytes(count * sizeof(T)));
  }
  template <typename T>
  [[nodiscard]] std::span<T> take_span(std::size_t count) {
    return {take<T>(count), count};
  }

  /// Gives back at its end what was taken since its beginning.
  class Scope {
   public:
    explicit Scope(Scratch& scratch)
        : scratch_(scratch), block_(scratch.block_), used_(scratch.used_) {}
    ~Scope() {
      scratch_.block_ = block_;
      scratch_.used_ = used_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Scratch& scratch_;
    std::size_t block_, used_;
  };

 private:
  static constexpr std::size_t kAlignment = 64;
  // bytes: a chunk of 64 x 64 samples takes one to four of these
  static constexpr std::size_t kSmallestBlock = std::size_t{128} << 10;

  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete (memory, std::align_val_t{kAlignment});
    }
  };
  struct Block {
    std::size_t size = 0;
    std::unique_ptr<std::byte, Free> memory;
  };

  void* take_bytes(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    while (block_ < blocks_.size() && blocks_[block_].size - used_ < rounded) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) add_block(rounded);
    std::byte* const piece = blocks_[block_].memory.get() + used_;
    used_ += rounded;
    return piece;
  }

  /// Each block is as large as all before it, so that there are few.
  void add_block(std::size_t bytes) {
    std::size_t size = kSmallestBlock;
    for (const Block& block : blocks_) size += block.size;
    size = std::max(size, bytes);
    blocks_.push_back({size, std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(
                                 ::operator new (size, std::align_val_t{kAlignment})))});
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;  // the block that is being handed out, and how much of it
};

}  // namespace terrane::worldgen
