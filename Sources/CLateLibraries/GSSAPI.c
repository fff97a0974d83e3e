// By the bindings for C of RFC 2744.
#include "late.h"
#include <stdint.h>
#include <string.h>

typedef uint32_t Code;
typedef void *Handle;
typedef struct {
  size_t length;
  void *value;
} Buffer;
typedef struct {
  Code length;
  void *elements;
} Identifier;

enum { COMPLETE = 0, FAILED = 13 << 16, OF_MECHANISM = 2 };

// What an error says where there is no library to ask, of its own code and of the mechanism's.
static char unavailable[] = "Kerberos is not available", mend[] = "install libgssapi_krb5 (Debian: libgssapi-krb5-2)";

static Code described(int type, Code *more, Buffer *text) {
  text->value = type == OF_MECHANISM ? mend : unavailable;
  text->length = strlen(text->value);
  *more = 0;
  return COMPLETE;
}

// libpq looks at what a function gives out before it looks whether it has failed.
static Code nothing(Code *minor, Buffer *out) {
  *minor = 0;
  if (out) *out = (Buffer){0, NULL};
  return FAILED;
}
static Code nobody(Code *minor, Handle *out) {
  *minor = 0;
  *out = NULL;
  return FAILED;
}
static Code none(Code *minor, Code *out) {
  *minor = 0;
  *out = 0;
  return FAILED;
}

#define FUNCTIONS(USE)                                                                                                 \
  USE(Code, gss_acquire_cred,                                                                                          \
      (Code * minor, Handle name, Code time, Handle mechanisms, int usage, Handle *out, Handle *actual, Code *times),  \
      (minor, name, time, mechanisms, usage, out, actual, times), nobody(minor, out))                                  \
  USE(Code, gss_delete_sec_context, (Code * minor, Handle *context, Buffer *token), (minor, context, token),           \
      nothing(minor, token))                                                                                           \
  USE(Code, gss_display_status,                                                                                        \
      (Code * minor, Code status, int type, Identifier *mechanism, Code *more, Buffer *text),                          \
      (minor, status, type, mechanism, more, text), described(type, more, text))                                       \
  USE(Code, gss_import_name, (Code * minor, Buffer *text, Identifier *type, Handle *name),                             \
      (minor, text, type, name), nobody(minor, name))                                                                  \
  USE(Code, gss_init_sec_context,                                                                                      \
      (Code * minor, Handle credential, Handle *context, Handle target, Identifier *mechanism, Code flags, Code time,  \
       Handle bindings, Buffer *input, Identifier **actual, Buffer *out, Code *given, Code *times),                    \
      (minor, credential, context, target, mechanism, flags, time, bindings, input, actual, out, given, times),        \
      nothing(minor, out))                                                                                             \
  USE(Code, gss_release_buffer, (Code * minor, Buffer *text), (minor, text), COMPLETE)                                 \
  USE(Code, gss_release_cred, (Code * minor, Handle *credential), (minor, credential), COMPLETE)                       \
  USE(Code, gss_release_name, (Code * minor, Handle *name), (minor, name), COMPLETE)                                   \
  USE(Code, gss_unwrap, (Code * minor, Handle context, Buffer *input, Buffer *out, int *sealed, Code *quality),        \
      (minor, context, input, out, sealed, quality), nothing(minor, out))                                              \
  USE(Code, gss_wrap, (Code * minor, Handle context, int seal, Code quality, Buffer *input, int *sealed, Buffer *out), \
      (minor, context, seal, quality, input, sealed, out), nothing(minor, out))                                        \
  USE(Code, gss_wrap_size_limit, (Code * minor, Handle context, int seal, Code quality, Code whole, Code *out),        \
      (minor, context, seal, quality, whole, out), none(minor, out))

// Asked of each server whether it wants it; one that does not lacks nothing.
LATE_LIBRARY(FUNCTIONS, NULL, "libgssapi_krb5.so.2")

// The type of a name that is a service's at a host: 1.2.840.113554.1.2.1.4.
static Identifier hostBased = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
OURS Identifier *GSS_C_NT_HOSTBASED_SERVICE = &hostBased;
