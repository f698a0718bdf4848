#include "background_thread.h"
#include "terrane/terrane.h"
#include "terrane_version.h"

uint32_t terrane_abi_version(void) { return TERRANE_ABI_VERSION; }

const char* terrane_release(void) { return TERRANE_VERSION; }

void terrane_lower_thread_priority(void) { terrane::core::lower_thread_priority(); }
