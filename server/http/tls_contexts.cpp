#include "http/tls_contexts.h"

#include <boost/asio/buffer.hpp>

namespace terrane::http {
namespace {

namespace ssl = boost::asio::ssl;

std::shared_ptr<ssl::context> context_of(const net::Certificates& certificates) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                       ssl::context::no_tlsv1_1);
  context->use_certificate_chain(boost::asio::buffer(certificates.chain));
  context->use_private_key(boost::asio::buffer(certificates.key), ssl::context::pem);
  if (!certificates.client_ca.empty()) {
    context->add_certificate_authority(boost::asio::buffer(certificates.client_ca));
    context->set_verify_mode(ssl::verify_peer);
    // else a client that resumes a session is turned away
    SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context->native_handle(), 0);
  }
  return context;
}

}  // namespace

std::shared_ptr<ssl::context> TlsContexts::now() {
  auto now = certificates_->now();
  if (now != shown_) {
    context_ = context_of(*now);
    shown_ = std::move(now);
  }
  return context_;
}

}  // namespace terrane::http
