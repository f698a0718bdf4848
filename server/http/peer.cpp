#include "http/peer.h"

#include <openssl/x509v3.h>
#include <poll.h>

#include <array>
#include <memory>

namespace terrane::http {
namespace {

std::string text_of(const ASN1_STRING* value) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(value)),
          static_cast<std::size_t>(ASN1_STRING_length(value))};
}

/// Of an address of 4 or 16 bytes.
std::string address_text(const ASN1_OCTET_STRING* bytes) {
  namespace ip = boost::asio::ip;
  const unsigned char* const at = ASN1_STRING_get0_data(bytes);
  const auto copy = [at](auto address_bytes) {
    for (std::size_t i = 0; i < address_bytes.size(); ++i) address_bytes[i] = at[i];
    return address_bytes;
  };
  switch (ASN1_STRING_length(bytes)) {
    case 4: return ip::address_v4(copy(ip::address_v4::bytes_type())).to_string();
    case 16: return ip::address_v6(copy(ip::address_v6::bytes_type())).to_string();
    default: return "";
  }
}

std::string text_of(const GENERAL_NAME& name) {
  switch (name.type) {
    case GEN_EMAIL: return text_of(name.d.rfc822Name);
    case GEN_DNS: return text_of(name.d.dNSName);
    case GEN_URI: return text_of(name.d.uniformResourceIdentifier);
    case GEN_IPADD: return address_text(name.d.iPAddress);
    default: return "";
  }
}

}  // namespace

std::string peer_text(const boost::asio::ip::tcp::endpoint& peer) {
  namespace ip = boost::asio::ip;
  const std::string port = ":" + std::to_string(peer.port());
  if (peer.address().is_v4()) return "ipv4:" + peer.address().to_string() + port;
  const ip::address_v6 address = peer.address().to_v6();
  if (address.is_v4_mapped())
    return "ipv4:" + ip::make_address_v4(ip::v4_mapped, address).to_string() + port;
  return "ipv6:[" + address.to_string() + "]" + port;
}

bool has_left(int descriptor) {
  pollfd socket{.fd = descriptor, .events = POLLRDHUP, .revents = 0};
  return ::poll(&socket, 1, 0) > 0;
}

std::vector<std::string> subjects_of(const X509& certificate) {
  std::vector<std::string> subjects;
  const auto add = [&subjects](std::string text) {
    if (!text.empty()) subjects.push_back(std::move(text));
  };
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i)
    add(text_of(*sk_GENERAL_NAME_value(names.get(), i)));
  const X509_NAME* const subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at >= 0) add(text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
  return subjects;
}

}  // namespace terrane::http
