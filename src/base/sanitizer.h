#pragma once

/// 1 under the address sanitizer, which must see each block as an allocation of its own and needs several times the
/// memory.
#if defined(__SANITIZE_ADDRESS__)
#define PREVICT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define PREVICT_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define PREVICT_ADDRESS_SANITIZER 0
#endif
