#pragma once

#include <vector>

#include "golden/explore/conversation.h"

namespace terrane::golden {

/// All conversations, held anew by this build's client and server.
[[nodiscard]] std::vector<Conversation> all_conversations();

}  // namespace terrane::golden
