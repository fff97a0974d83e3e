// What OpenSSL's libssl gives a client of TLS.
#include "late.h"
#include "include/CLateLibraries.h"
#include <openssl/ssl.h>

#define FUNCTIONS(USE)                                                                                                 \
  USE(int, OPENSSL_init_ssl, (uint64_t options, const OPENSSL_INIT_SETTINGS *settings), (options, settings), 0)        \
  USE(const SSL_METHOD *, TLS_method, (void), (), NULL)                                                                \
  USE(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method), (method), NULL)                                              \
  USE(void, SSL_CTX_free, (SSL_CTX * context), (context), (void)0)                                                     \
  USE(long, SSL_CTX_ctrl, (SSL_CTX * context, int command, long number, void *more),                                   \
      (context, command, number, more), 0)                                                                             \
  USE(uint64_t, SSL_CTX_set_options, (SSL_CTX * context, uint64_t options), (context, options), 0)                     \
  USE(void, SSL_CTX_set_default_passwd_cb, (SSL_CTX * context, pem_password_cb *ask), (context, ask), (void)0)         \
  USE(void, SSL_CTX_set_default_passwd_cb_userdata, (SSL_CTX * context, void *given), (context, given), (void)0)       \
  USE(int, SSL_CTX_load_verify_locations, (SSL_CTX * context, const char *file, const char *folder),                   \
      (context, file, folder), 0)                                                                                      \
  USE(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX * context, const char *file), (context, file), 0)              \
  USE(X509_STORE *, SSL_CTX_get_cert_store, (const SSL_CTX *context), (context), NULL)                                 \
  USE(SSL *, SSL_new, (SSL_CTX * context), (context), NULL)                                                            \
  USE(void, SSL_free, (SSL * session), (session), (void)0)                                                             \
  USE(long, SSL_ctrl, (SSL * session, int command, long number, void *more), (session, command, number, more), 0)      \
  USE(uint64_t, SSL_set_options, (SSL * session, uint64_t options), (session, options), 0)                             \
  USE(uint64_t, SSL_clear_options, (SSL * session, uint64_t options), (session, options), 0)                           \
  USE(int, SSL_set_ex_data, (SSL * session, int index, void *given), (session, index, given), 0)                       \
  USE(void, SSL_set_bio, (SSL * session, BIO *from, BIO *to), (session, from, to), (void)0)                            \
  USE(void, SSL_set_verify, (SSL * session, int mode, SSL_verify_cb verify), (session, mode, verify), (void)0)         \
  USE(int, SSL_use_PrivateKey, (SSL * session, EVP_PKEY *key), (session, key), 0)                                      \
  USE(int, SSL_use_PrivateKey_file, (SSL * session, const char *file, int type), (session, file, type), 0)             \
  USE(int, SSL_check_private_key, (const SSL *session), (session), 0)                                                  \
  USE(int, SSL_connect, (SSL * session), (session), -1)                                                                \
  USE(int, SSL_shutdown, (SSL * session), (session), -1)                                                               \
  USE(int, SSL_read, (SSL * session, void *bytes, int count), (session, bytes, count), -1)                             \
  USE(int, SSL_write, (SSL * session, const void *bytes, int count), (session, bytes, count), -1)                      \
  USE(int, SSL_pending, (const SSL *session), (session), 0)                                                            \
  USE(int, SSL_get_error, (const SSL *session, int answer), (session, answer), SSL_ERROR_SSL)                          \
  USE(const char *, SSL_get_version, (const SSL *session), (session), "none")                                          \
  USE(const COMP_METHOD *, SSL_get_current_compression, (const SSL *session), (session), NULL)                         \
  USE(const SSL_CIPHER *, SSL_get_current_cipher, (const SSL *session), (session), NULL)                               \
  USE(const char *, SSL_CIPHER_get_name, (const SSL_CIPHER *cipher), (cipher), "none")                                 \
  USE(int, SSL_CIPHER_get_bits, (const SSL_CIPHER *cipher, int *bits), (cipher, bits), 0)                              \
  USE(X509 *, SSL_get1_peer_certificate, (const SSL *session), (session), NULL)

LATE_LIBRARY(FUNCTIONS, "OpenSSL is not available: install libssl (Debian: libssl3)", "libssl.so.3")

bool isTLSAvailable(void) { return isCryptoAvailable() && isLoaded(); }
