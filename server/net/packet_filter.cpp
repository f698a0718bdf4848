#include "net/packet_filter.h"

#include <linux/filter.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane::net {
namespace {

constexpr std::uint32_t kWholePacket = 0xffff'ffff, kNothing = 0;

std::uint32_t word(const AddressBytes& address, std::size_t at) {
  return std::uint32_t{address[at]} << 24 | std::uint32_t{address[at + 1]} << 16 |
         std::uint32_t{address[at + 2]} << 8 | std::uint32_t{address[at + 3]};
}

sock_filter load(int offset) {
  return {
      .code = BPF_LD | BPF_W | BPF_ABS, .jt = 0, .jf = 0, .k = static_cast<std::uint32_t>(offset)};
}
/// Skips as many of the next ones where the two are not the same.
sock_filter skip_unless(std::uint32_t value, std::uint8_t count) {
  return {.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = 0, .jf = count, .k = value};
}
sock_filter skip(std::size_t count) {
  return {.code = BPF_JMP | BPF_JA, .jt = 0, .jf = 0, .k = static_cast<std::uint32_t>(count)};
}
sock_filter keep(std::uint32_t bytes) {
  return {.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = bytes};
}

std::vector<sock_filter> program_for(std::span<const AddressBytes> clients) {
  // where a source address lies in the headers of RFC 791 and RFC 8200
  constexpr int kSourceV4 = SKF_NET_OFF + 12, kSourceV6 = SKF_NET_OFF + 8;
  std::vector<sock_filter> v4{load(kSourceV4)}, v6;
  for (const AddressBytes& client : clients) {
    if (is_v4(client)) {
      v4.insert(v4.end(), {skip_unless(word(client, 12), 1), keep(kNothing)});
    } else {
      v6.insert(v6.end(), {load(kSourceV6), skip_unless(word(client, 0), 3), load(kSourceV6 + 4),
                           skip_unless(word(client, 4), 1), keep(kNothing)});
    }
  }
  v4.push_back(keep(kWholePacket));
  v6.push_back(keep(kWholePacket));
  std::vector<sock_filter> program{load(SKF_AD_OFF + SKF_AD_PROTOCOL), skip_unless(ETH_P_IP, 1),
                                   skip(1), skip(v4.size())};
  program.insert(program.end(), v4.begin(), v4.end());
  program.insert(program.end(), v6.begin(), v6.end());
  return program;
}

bool attach(int socket, std::span<sock_filter> instructions) {
  const sock_fprog program{.len = static_cast<std::uint16_t>(instructions.size()),
                           .filter = instructions.data()};
  return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

bool detach(int socket) {
  constexpr int kIgnored = 0;
  return setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &kIgnored, sizeof kIgnored) == 0;
}

}  // namespace

bool drop_packets_of(int socket, std::span<const AddressBytes> clients) {
  if (clients.empty()) return detach(socket);
  auto instructions = program_for(clients);
  return attach(socket, instructions);
}

bool drop_data_of(int socket, bool dropped) {
  if (!dropped) return detach(socket);
  // RFC 9293, 3.1: the header's length, in words of 32 bits, and the flags
  constexpr std::uint32_t kOffset = 12, kFlags = 13, kFin = 1;
  constexpr std::uint32_t kHeader = 1;  // the system keeps that as a whole
  const auto do_with = [](int code, std::uint32_t k) {
    return sock_filter{.code = static_cast<std::uint16_t>(code), .jt = 0, .jf = 0, .k = k};
  };
  std::array program{do_with(BPF_LD | BPF_B | BPF_ABS, kOffset),
                     do_with(BPF_ALU | BPF_RSH | BPF_K, 2),
                     do_with(BPF_ALU | BPF_AND | BPF_K, 0x3c),
                     do_with(BPF_MISC | BPF_TAX, 0),
                     do_with(BPF_LD | BPF_W | BPF_LEN, 0),
                     sock_filter{.code = BPF_JMP | BPF_JEQ | BPF_X, .jt = 0, .jf = 1, .k = 0},
                     keep(kWholePacket),
                     do_with(BPF_LD | BPF_B | BPF_ABS, kFlags),
                     sock_filter{.code = BPF_JMP | BPF_JSET | BPF_K, .jt = 0, .jf = 1, .k = kFin},
                     keep(kNothing),  // without the data before it, it would end the connection
                     keep(kHeader)};
  return attach(socket, program);
}

}  // namespace terrane::net
