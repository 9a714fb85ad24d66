// The one function of libatomic that Node.js 26 calls, for machines without that library: see
// "Machines without libatomic" in docs/decisions/tests-and-tools.md. Built with
//   for target in x64:gcc 'arm64:aarch64-linux-gnu-gcc -mno-outline-atomics'; do
//     ${target#*:} -Os -shared -fPIC -nostdlib -fno-asynchronous-unwind-tables -s compare-exchange.c \
//       -Wl,-soname=libatomic.so.1,--version-script=exports.map,--build-id=none,-z,noseparate-code,-z,norelro \
//       -o "linux-${target%%:*}/libatomic.so.1"
//   done
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The compiler has a builtin of that name, with other arguments.
bool compare_exchange(size_t, uint64_t *, uint64_t *, uint64_t *, int, int) __asm__("__atomic_compare_exchange");

bool compare_exchange(size_t size, uint64_t *object, uint64_t *expected, uint64_t *desired, int success, int failure) {
  // Node.js has this done to 8 bytes alone.
  if (size != sizeof(uint64_t)) __builtin_trap();
  return __atomic_compare_exchange(object, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
