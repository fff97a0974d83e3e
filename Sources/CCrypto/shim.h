// OpenSSL's libcrypto: message digests by the EVP interface.
#pragma once
#include <openssl/evp.h>
