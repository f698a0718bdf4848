#include "drills/attacks.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grpcpp/create_channel_posix.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace terrane::drills {
namespace {

sockaddr_in ipv4(const std::string& host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    throw std::runtime_error("'" + host + "' is no IPv4 address");
  return address;
}

}  // namespace

int connect_socket(const std::string& source, const std::string& server) {
  const std::size_t colon = server.rfind(':');
  const sockaddr_in from = ipv4(source, 0);
  const sockaddr_in to = ipv4(server.substr(0, colon), std::stoi(server.substr(colon + 1)));
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  if (setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0 ||
      bind(socket, reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0 ||
      connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    close(socket);
    throw std::runtime_error("can't connect from " + source + " to " + server);
  }
  return socket;
}

std::shared_ptr<grpc::Channel> connect_from(const std::string& source, const std::string& server) {
  const int socket = connect_socket(source, server);
  fcntl(socket, F_SETFL, O_NONBLOCK);
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return grpc::CreateCustomInsecureChannelFromFd(server, socket, arguments);
}

v1::WorldRef Attacker::world() const {
  v1::WorldRef ref;
  ref.set_name("continents");
  ref.set_seed(seed);
  return ref;
}

const Attack kNoAttack{"none",
                       [](Attacker& attacker) {
                         std::thread([&attacker] {
                           for (;;) ++attacker.done;
                         }).detach();
                       },
                       "turns"};

const std::vector<Attack>& all_attacks() {
  static const std::vector<Attack> kAll = [] {
    std::vector<Attack> all = call_attacks();
    for (const Attack& attack : explore_attacks()) all.push_back(attack);
    for (const Attack& attack : http_attacks()) all.push_back(attack);
    for (const Attack& attack : web_socket_attacks()) all.push_back(attack);
    for (const Attack& attack : connection_attacks()) all.push_back(attack);
    return all;
  }();
  return kAll;
}

}  // namespace terrane::drills
