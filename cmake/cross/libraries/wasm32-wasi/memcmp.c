// ziglang's memcmp compares byte by byte, which takes a third of the time of some answers.
#include <stddef.h>
#include <stdint.h>

static uint64_t word_at(const unsigned char* at) {
  uint64_t word;
  __builtin_memcpy(&word, at, sizeof word);
  return __builtin_bswap64(word);  // the first byte decides
}

int memcmp(const void* one, const void* other, size_t size) {
  const unsigned char* a = one;
  const unsigned char* b = other;
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), a += sizeof(uint64_t), b += sizeof(uint64_t)) {
    const uint64_t x = word_at(a);
    const uint64_t y = word_at(b);
    if (x != y) return x < y ? -1 : 1;
  }
  for (; size > 0; --size, ++a, ++b) {
    if (*a != *b) return *a < *b ? -1 : 1;
  }
  return 0;
}
