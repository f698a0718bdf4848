#include "net/certificates.h"

#include <fmt/chrono.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include "log.h"
#include "terrane/result_macros.h"

namespace terrane::net {
namespace {

using SystemTime = std::chrono::system_clock::time_point;

template <auto kFree>
struct Freed {
  template <typename T>
  void operator()(T* it) const {
    kFree(it);
  }
};
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using X509Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

/// The files, as WatchedFiles has read them.
Certificates texts_of(std::vector<std::string> texts) {
  Certificates certificates;
  certificates.chain = std::move(texts[0]);
  certificates.key = std::move(texts[1]);
  if (texts.size() > 2) certificates.client_ca = std::move(texts[2]);
  return certificates;
}

bool are_same(const Certificates& one, const Certificates& other) {
  return one.chain == other.chain && one.key == other.key && one.client_ca == other.client_ca;
}

std::vector<std::filesystem::path> paths_of(const CertificateFiles& files) {
  std::vector<std::filesystem::path> paths{files.chain, files.key};
  if (!files.client_ca.empty()) paths.push_back(files.client_ca);
  return paths;
}

Bio bytes_of(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// @param what  for the error: "the certificates"
Result<std::vector<X509Certificate>> parse_chain(const std::string& pem, std::string_view what) {
  std::vector<X509Certificate> chain;
  const Bio bytes = bytes_of(pem);
  ERR_clear_error();
  while (X509* const next = PEM_read_bio_X509(bytes.get(), nullptr, nullptr, nullptr))
    chain.emplace_back(next);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!at_end) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: number {} is damaged", what, chain.size() + 1));
  }
  if (chain.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: there is none (PEM, -----BEGIN CERTIFICATE-----)", what));
  }
  return chain;
}

/// Null where there is none, or where it asks for a passphrase: nobody is there to say it.
PrivateKey parse_key(const std::string& pem) {
  const auto no_passphrase = [](char*, int, int, void*) { return -1; };
  const Bio bytes = bytes_of(pem);
  PrivateKey key(PEM_read_bio_PrivateKey(bytes.get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  return key;
}

SystemTime to_time(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return SystemTime{};
  return std::chrono::system_clock::from_time_t(timegm(&parts));
}

std::string day(SystemTime time) { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(time)); }

std::string subject_of(X509* certificate) {
  const Bio text(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* begin = nullptr;
  const long size = BIO_get_mem_data(text.get(), &begin);
  return {begin, static_cast<std::size_t>(std::max(size, 0L))};
}

/// Errors: kInvalidArgument where one of them is not valid now.
Result<SystemTime> first_to_expire(const std::vector<X509Certificate>& chain, SystemTime now) {
  SystemTime first = SystemTime::max();
  for (const X509Certificate& each : chain) {
    const SystemTime begins = to_time(X509_get0_notBefore(each.get()));
    const SystemTime ends = to_time(X509_get0_notAfter(each.get()));
    const auto invalid = [&](std::string_view what, SystemTime when) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the certificate of {} {} {}", subject_of(each.get()), what, day(when)));
    };
    if (ends < now) return invalid("was valid until", ends);
    if (begins > now) return invalid("will be valid from", begins);
    first = std::min(first, ends);
  }
  return first;
}

}  // namespace

Result<Certificates> check_certificates(Certificates texts, SystemTime now) {
  TERRANE_ASSIGN_OR_RETURN(const auto chain, parse_chain(texts.chain, "certificates"));
  const PrivateKey key = parse_key(texts.key);
  if (!key) {
    return fail(ErrorCode::kInvalidArgument,
                "the key can't be read: it must be PEM, and without a passphrase");
  }
  if (X509_check_private_key(chain.front().get(), key.get()) != 1) {
    ERR_clear_error();
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the key is not that of the first certificate, which is of {}",
                            subject_of(chain.front().get())));
  }
  TERRANE_ASSIGN_OR_RETURN(texts.expires, first_to_expire(chain, now));
  texts.subject = subject_of(chain.front().get());
  if (!texts.client_ca.empty()) {
    TERRANE_RETURN_IF_ERROR(parse_chain(texts.client_ca, "certificates that vouch for clients"));
  }
  return texts;
}

LiveCertificates::LiveCertificates(const CertificateFiles& files, Certificates first,
                                   ops::Metrics& metrics)
    : asks_clients_(!files.client_ca.empty()), files_(paths_of(files)) {
  const char* const name = "terrane_certificate_changes_total";
  const char* const help = "Changes of the certificates' files: taken, or refused as wrong.";
  taken_ = metrics.counter(name, help, {{"result", "taken"}});
  refused_ = metrics.counter(name, help, {{"result", "refused"}});
  publish(std::move(first));
  metrics.at_scrape([this](ops::Scrape& scrape) {
    scrape.gauge("terrane_certificate_expiry_timestamp_seconds",
                 "When the first of the certificates in use expires, in seconds since 1970.",
                 std::chrono::duration<double>(now()->expires.time_since_epoch()).count());
  });
}

Result<std::shared_ptr<LiveCertificates>> LiveCertificates::open(const CertificateFiles& files,
                                                                 ops::Metrics& metrics) {
  TERRANE_ASSIGN_OR_RETURN(auto texts, ops::read_files(paths_of(files)));
  TERRANE_ASSIGN_OR_RETURN(
      Certificates first,
      check_certificates(texts_of(std::move(texts)), std::chrono::system_clock::now()));
  return std::shared_ptr<LiveCertificates>(new LiveCertificates(files, std::move(first), metrics));
}

std::shared_ptr<const Certificates> LiveCertificates::now() const {
  const MutexLock lock(mutex_);
  return now_;
}

void LiveCertificates::publish(Certificates next) {
  spdlog::info("TLS: certificate of {}, valid until {}{}", next.subject, day(next.expires),
               next.client_ca.empty() ? "" : "; clients are asked for theirs");
  auto published = std::make_shared<const Certificates>(std::move(next));
  const MutexLock lock(mutex_);
  now_ = std::move(published);
}

void LiveCertificates::look() {
  const auto wrong = files_.look([this](std::vector<std::string> texts) -> Result<void> {
    TERRANE_ASSIGN_OR_RETURN(
        Certificates next,
        check_certificates(texts_of(std::move(texts)), std::chrono::system_clock::now()));
    if (are_same(next, *now())) return {};
    taken_.add();
    publish(std::move(next));
    return {};
  });
  if (!wrong) return;
  refused_.add();
  const auto old = now();
  spdlog::error(
      "TLS: the files have changed and are not taken: {}; the certificate of {} serves "
      "on, and is valid until {}",
      wrong->message, old->subject, day(old->expires));
}

}  // namespace terrane::net
