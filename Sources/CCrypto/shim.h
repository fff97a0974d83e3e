// OpenSSL's libcrypto: digests, and its version.
#pragma once
#include <openssl/evp.h>
#include <openssl/opensslv.h>

// The version of the headers, as OpenSSL_version_num() gives that of the library.
static inline unsigned long rivulet_openssl_built(void) { return OPENSSL_VERSION_NUMBER; }
