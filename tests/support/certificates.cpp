#include "support/certificates.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <stdexcept>

namespace terrane::test {
namespace {

template <typename T>
T check(T done) {
  if (!done) throw std::runtime_error("OpenSSL could not make a certificate");
  return done;
}

std::shared_ptr<EVP_PKEY> make_key() { return {check(EVP_EC_gen("P-256")), EVP_PKEY_free}; }

template <typename Write>
std::string pem(Write write) {
  const std::shared_ptr<BIO> text(check(BIO_new(BIO_s_mem())), BIO_free_all);
  check(write(text.get()) == 1);
  char* begin = nullptr;
  const long size = BIO_get_mem_data(text.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
}

std::string pem_of(EVP_PKEY* key, const char* passphrase = nullptr) {
  return pem([&](BIO* text) {
    return PEM_write_bio_PKCS8PrivateKey(text, key, passphrase ? EVP_aes_128_cbc() : nullptr,
                                         passphrase, passphrase ? 4 : 0, nullptr, nullptr);
  });
}

void name(X509_NAME* it, const std::string& text) {
  check(X509_NAME_add_entry_by_txt(it, "CN", MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()), -1, 0));
}

struct Wish {
  std::string subject, issuer;
  int extension;
  const char* value;
  std::chrono::seconds begins, ends;
};

std::string sign(const Wish& wish, EVP_PKEY* key, EVP_PKEY* issuer_key) {
  const std::shared_ptr<X509> made(check(X509_new()), X509_free);
  X509* const it = made.get();
  std::uint32_t serial = 0;
  check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial));
  check(X509_set_version(it, X509_VERSION_3));
  check(ASN1_INTEGER_set(X509_get_serialNumber(it), serial >> 1));
  check(X509_gmtime_adj(X509_getm_notBefore(it), wish.begins.count()));
  check(X509_gmtime_adj(X509_getm_notAfter(it), wish.ends.count()));
  name(X509_get_subject_name(it), wish.subject);
  name(X509_get_issuer_name(it), wish.issuer);
  check(X509_set_pubkey(it, key));
  const std::shared_ptr<X509_EXTENSION> extension(
      check(X509V3_EXT_conf_nid(nullptr, nullptr, wish.extension, wish.value)),
      X509_EXTENSION_free);
  check(X509_add_ext(it, extension.get(), -1));
  check(X509_sign(it, issuer_key, EVP_sha256()));
  return pem([&](BIO* text) { return PEM_write_bio_X509(text, it); });
}

}  // namespace

Authority::Authority(const std::string& name)
    : name_(name),
      key_(make_key()),
      certificate_(sign({name, name, NID_basic_constraints, "critical,CA:TRUE",
                         -std::chrono::hours(2), std::chrono::hours(48)},
                        key_.get(), key_.get())) {}

Identity Authority::issue(const std::string& name, std::chrono::seconds begins,
                          std::chrono::seconds ends) const {
  const auto key = make_key();
  return {sign({name, name_, NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost", begins, ends},
               key.get(), key_.get()),
          pem_of(key.get())};
}

std::string locked(const std::string& key) {
  const std::shared_ptr<BIO> text(check(BIO_new_mem_buf(key.data(), static_cast<int>(key.size()))),
                                  BIO_free_all);
  const std::shared_ptr<EVP_PKEY> parsed(
      check(PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr)), EVP_PKEY_free);
  return pem_of(parsed.get(), "lock");
}

}  // namespace terrane::test
