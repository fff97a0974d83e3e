// A library that is loaded by the first call of one of its functions. FUNCTIONS lists them, each with its type, name,
// parameters, arguments, and what it gives where the library cannot be loaded; after it come what a user is told then, or
// NULL, and the names that the library goes by.
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Seen by the program's own libpq alone: what is loaded later, as libcurl, takes the libraries themselves.
#define OURS __attribute__((visibility("hidden")))

// Takes down what this thread could not have, unless it is empty.
OURS void isMissing(const char *told);

// Whether there is what TLS needs beside libssl.
OURS bool isCryptoAvailable(void);

#define FIELD(type, name, parameters, arguments, failure) type(*name) parameters;
#define FIND(type, name, parameters, arguments, failure)                                                               \
  library.name = (__typeof__(library.name))dlsym(file, #name);                                                         \
  if (!library.name) return false;
#define HAND_ON(type, name, parameters, arguments, failure)                                                            \
  OURS type name parameters { return isLoaded() ? library.name arguments : failure; }

#define LATE_LIBRARY(FUNCTIONS, MEND, ...)                                                                             \
  static struct {                                                                                                      \
    FUNCTIONS(FIELD)                                                                                                   \
  } library;                                                                                                           \
  static bool isReady = false;                                                                                         \
  static char told[400];                                                                                               \
  static bool find(void) {                                                                                             \
    static const char *const names[] = {__VA_ARGS__};                                                                  \
    void *file = NULL;                                                                                                 \
    for (size_t i = 0; !file && i < sizeof names / sizeof *names; i++) file = dlopen(names[i], RTLD_NOW | RTLD_LOCAL); \
    if (!file) return false;                                                                                           \
    FUNCTIONS(FIND)                                                                                                    \
    return true;                                                                                                       \
  }                                                                                                                    \
  static void load(void) {                                                                                             \
    isReady = find();                                                                                                  \
    const char *mend = MEND, *reason = isReady ? NULL : dlerror();                                                     \
    if (reason && mend) snprintf(told, sizeof told, "%s; %s", mend, reason);                                           \
  }                                                                                                                    \
  static bool isLoaded(void) {                                                                                         \
    static pthread_once_t once = PTHREAD_ONCE_INIT;                                                                    \
    pthread_once(&once, load);                                                                                         \
    if (!isReady) isMissing(told);                                                                                     \
    return isReady;                                                                                                    \
  }                                                                                                                    \
  FUNCTIONS(HAND_ON)
