#include "access/client_names.h"

#include <random>
#include <utility>

#include "access/sha256.h"

namespace terrane::access {
namespace {

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

ClientNames::ClientNames() : secret_(random_number()) {}

std::uint64_t ClientNames::id_of(std::string_view name) {
  std::string text = std::to_string(secret_) + "/";
  const Sha256 hash = sha256(text.append(name));
  std::uint64_t id = 0xff;
  for (std::size_t i = 0; i < 7; ++i) id = id << 8 | hash[i];
  const MutexLock lock(mutex_);
  if (recent_.size() >= kMaxNames) older_ = std::exchange(recent_, {});
  recent_.try_emplace(id, name);
  return id;
}

std::string ClientNames::name_of(std::uint64_t client) const {
  const MutexLock lock(mutex_);
  for (const Names* names : {&recent_, &older_}) {
    if (const auto found = names->find(client); found != names->end()) return found->second;
  }
  return "identity " + std::to_string(client & 0xffffffffffffff);
}

}  // namespace terrane::access
