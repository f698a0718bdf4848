#include "ops/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <string>
#include <utility>

#include "log.h"

namespace terrane::ops {
namespace {

void append_escaped(std::string_view text, spdlog::memory_buf_t& out) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out.push_back(c);
    }
  }
}

/// The message as the inside of a JSON string. (spdlog's own way to add to a pattern is to derive
/// from this.)
class EscapedMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    append_escaped({message.payload.data(), message.payload.size()}, out);
  }

  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<EscapedMessage>();
  }
};

std::unique_ptr<spdlog::formatter> make_formatter(LogFormat format) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  if (format == LogFormat::kJson) {
    formatter->add_flag<EscapedMessage>('*').set_pattern(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","thread":%t,"message":"%*"})");
  } else {
    formatter->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%-8l%$ %v");
  }
  return formatter;
}

}  // namespace

LogFormat log_format_of(std::string_view name) {
  return name == "json" ? LogFormat::kJson : LogFormat::kText;
}

std::string bare_line(LogFormat format, std::string_view level, std::string_view message) {
  if (format == LogFormat::kText) return std::string(message) + "\n";
  spdlog::memory_buf_t escaped;
  append_escaped(message, escaped);
  return fmt::format(R"({{"level":"{}","message":"{}"}})", level,
                     std::string_view(escaped.data(), escaped.size())) +
         "\n";
}

void set_up_logging(LogFormat format, spdlog::level::level_enum level) {
  auto logger = std::make_shared<spdlog::logger>(
      "terraned", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_formatter(make_formatter(format));
  logger->set_level(level);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace terrane::ops
