#include "tls.h"

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::client {
namespace {

/// A PEM file; empty where none is named.
/// @param block  what it must have: "CERTIFICATE", or the end of what it may be: "PRIVATE KEY"
Result<std::string> read_pem(const char* option, const std::string& path, std::string_view block) {
  if (path.empty()) return std::string();
  std::string name("tls.");
  name.append(option).append(" '").append(path).append("'");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    name.append(": ").append(std::strerror(errno));
    return fail(ErrorCode::kInvalidArgument, std::move(name));
  }
  if (text.find("-----BEGIN ") == text.npos || text.find(block) == text.npos) {
    name.append(" is no PEM file with a ").append(block);
    return fail(ErrorCode::kInvalidArgument, std::move(name));
  }
  return text;
}

/// gRPC would say no more than that it can't connect.
Result<void> check_key(const grpc::SslCredentialsOptions& pem, const TlsOptions& tls) {
  const auto read = [](const std::string& text, auto* parse, auto* free) {
    const auto no_passphrase = [](char*, int, int, void*) { return -1; };
    BIO* const bytes = BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
    auto* const parsed = parse(bytes, nullptr, no_passphrase, nullptr);
    BIO_free(bytes);
    return std::unique_ptr<std::remove_pointer_t<decltype(parsed)>, decltype(free)>(parsed, free);
  };
  const auto certificate = read(pem.pem_cert_chain, &PEM_read_bio_X509, &X509_free);
  const auto key = read(pem.pem_private_key, &PEM_read_bio_PrivateKey, &EVP_PKEY_free);
  if (certificate && key && X509_check_private_key(certificate.get(), key.get()) == 1) return {};
  return fail(ErrorCode::kInvalidArgument,
              "tls.key_file '" + tls.key_file + "' is not the key, without a passphrase, of the " +
                  "certificate in tls.certificate_file '" + tls.certificate_file + "'");
}

/// Whom a certificate of the server must be for, where the address does not say one name.
Result<void> check_server_name(const ClientOptions& options) {
  const bool says_one =
      options.address.find(',') == std::string::npos && !options.address.starts_with("unix:");
  if (says_one || !options.tls->server_name.empty()) return {};
  return fail(ErrorCode::kInvalidArgument, "tls.server_name must say whom the certificates of '" +
                                               options.address +
                                               "' are for, as the address is not one name");
}

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> channel_credentials(
    const ClientOptions& options) {
  if (!options.tls) return grpc::InsecureChannelCredentials();
  const TlsOptions& tls = *options.tls;
  TERRANE_RETURN_IF_ERROR(check_server_name(options));
  if (tls.certificate_file.empty() != tls.key_file.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "tls.certificate_file and tls.key_file go together: one of them is missing");
  }
  grpc::SslCredentialsOptions pem;
  TERRANE_ASSIGN_OR_RETURN(pem.pem_root_certs, read_pem("ca_file", tls.ca_file, "CERTIFICATE"));
  TERRANE_ASSIGN_OR_RETURN(pem.pem_cert_chain,
                           read_pem("certificate_file", tls.certificate_file, "CERTIFICATE"));
  TERRANE_ASSIGN_OR_RETURN(pem.pem_private_key, read_pem("key_file", tls.key_file, "PRIVATE KEY"));
  if (!tls.key_file.empty()) TERRANE_RETURN_IF_ERROR(check_key(pem, tls));
  return grpc::SslCredentials(pem);
}

}  // namespace terrane::client
