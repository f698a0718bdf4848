#pragma once

#include <spdlog/spdlog.h>

// How the server's rooms log: spdlog, as it is. Each file that formats a line would compile all of
// fmt's formatting with it, for four seconds; libfmt has that compiled, but its header does not say
// so. It is compiled by GCC, and Clang calls the function by another (mangled) name.
#if !defined(__clang__)
extern template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view,
                                                   fmt::basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                                                   fmt::detail::locale_ref);
#endif
