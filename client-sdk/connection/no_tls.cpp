// In the place of tls_stream.cpp, where there is no OpenSSL.
#include "byte_stream.h"

namespace terrane::connection {

Result<std::unique_ptr<Tls>> make_tls(const std::string& /*ca_file*/) {
  return fail(ErrorCode::kInvalidArgument,
              "this terrane_connection was built without TLS (TERRANE_CONNECTION_TLS=OFF): "
              "only ws:// can be connected with");
}

}  // namespace terrane::connection
