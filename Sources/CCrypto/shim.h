// OpenSSL's libcrypto: the SHA-256 functions on a context of the caller's own.
//
// They are the low-level ones, which OpenSSL 3 marks as deprecated in favour of EVP. Through EVP a digest is looked
// up among loadable providers, allocated, and can so be missing; these are arithmetic on memory that is there, and
// always answer 1.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
