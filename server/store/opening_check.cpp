#include "store/opening_check.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "log.h"
#include "store/environment.h"

namespace terrane::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookLimit{250};
// Work between two rests: short beside what a player notices. A rest is never longer than that of
// a disk which takes a tenth of a second for a page, so that a check can be ended soon.
constexpr std::chrono::milliseconds kWork{5}, kMaxRest{100};
constexpr std::chrono::seconds kReportInterval{10};

double percent(const CheckProgress& progress) {
  const auto pages = static_cast<double>(progress.pages);
  return pages == 0 ? 0 : 100 * static_cast<double>(progress.checked) / pages;
}

/// Between the pages of one check.
class Pace {
 public:
  Pace(const std::filesystem::path& directory, CheckControl& control, const CheckProgress& progress)
      : directory_(directory), control_(control), progress_(progress) {}

  Result<void> step() {
    if (control_.before_page) control_.before_page();
    if (control_.stop) return fail(ErrorCode::kCancelled, "the server stops");
    const auto now = Clock::now();
    if (now >= next_report_) report(now);
    if (!control_.in_background) {
      work_began_ = now;
    } else if (now - work_began_ >= kWork) {
      std::this_thread::sleep_for(std::min<Clock::duration>(now - work_began_, kMaxRest));
      work_began_ = Clock::now();
    }
    return {};
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

 private:
  void report(Clock::time_point now) {
    next_report_ = now + kReportInterval;
    spdlog::info("the cache in {} is being checked: {:.0f} % of {} pages after {:.0f} s",
                 directory_.string(), percent(progress_), progress_.pages.load(), seconds());
  }

  const std::filesystem::path& directory_;
  CheckControl& control_;
  const CheckProgress& progress_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point work_began_ = began_;
  Clock::time_point next_report_ = began_ + kReportInterval;
};

}  // namespace

Result<void> check_all_of(const std::filesystem::path& directory, CheckControl& control,
                          CheckProgress& progress) {
  Pace pace(directory, control, progress);
  auto checked = check_tree(
      data_file(directory), [&pace] { return pace.step(); }, progress);
  if (checked && progress.pages > 0) {
    spdlog::info("the cache in {} is whole: {} pages checked in {:.1f} s", directory.string(),
                 progress.pages.load(), pace.seconds());
  } else if (!checked && checked.error().code == ErrorCode::kCancelled) {
    spdlog::info(
        "the check of the cache in {} ends at {:.0f} %, for the server stops; the next "
        "start begins it again",
        directory.string(), percent(progress));
  }
  return checked;
}

Result<void> look_over(const std::filesystem::path& directory) {
  auto checked = check_tree(data_file(directory), kLookLimit);
  if (checked || checked.error().code == ErrorCode::kDeadlineExceeded) return {};
  if (checked.error().code != ErrorCode::kDataLoss) return checked;
  return wipe_damaged(directory, checked.error());
}

Result<void> wipe_damaged(const std::filesystem::path& directory, const Error& damage) {
  spdlog::warn("the cache in {} is wiped and started anew, for it is damaged: {}",
               directory.string(), damage.message);
  return wipe(directory);
}

}  // namespace terrane::store
