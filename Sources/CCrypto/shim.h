// OpenSSL's libcrypto: digests.
#pragma once
#include <openssl/evp.h>
