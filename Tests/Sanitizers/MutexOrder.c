// Tells ThreadSanitizer what orders threads where they wait for one another at a Mutex of Swift.
//
// Taking and leaving a Mutex that nobody else wants is inlined into our code, where ThreadSanitizer sees it. Where one
// is waited for, the standard library and the kernel do it (_lockSlow, _unlockSlow: FUTEX_LOCK_PI), out of its sight,
// and all that the Mutex guards is reported as a race. Linked into a program, these come before the library's own,
// do the same, and say so. Nothing is suppressed: what is done without the Mutex is still reported.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Of ThreadSanitizer: what was done before the release has happened before what is done after the acquire.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// The library's own.
static void *own(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "Swift's standard library has no %s: Tests/Sanitizers/MutexOrder.c is of another version\n", name);
    abort();
  }
  return function;
}

#define SWIFT __attribute__((swiftcall))
#define HANDLE __attribute__((swift_context)) void *handle

SWIFT void lockSlow(uint32_t thread, HANDLE) __asm__(LOCK);
SWIFT void lockSlow(uint32_t thread, HANDLE) {
  ((SWIFT void (*)(uint32_t, HANDLE))own(LOCK))(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool tryLockSlow(HANDLE) __asm__(TRY_LOCK);
SWIFT bool tryLockSlow(HANDLE) {
  bool taken = ((SWIFT bool (*)(HANDLE))own(TRY_LOCK))(handle);
  if (taken) __tsan_acquire(handle);
  return taken;
}

SWIFT void unlockSlow(HANDLE) __asm__(UNLOCK);
SWIFT void unlockSlow(HANDLE) {
  __tsan_release(handle);
  ((SWIFT void (*)(HANDLE))own(UNLOCK))(handle);
}
