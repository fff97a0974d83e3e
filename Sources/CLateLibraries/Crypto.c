// What OpenSSL's libcrypto gives libpq: the digests of a password that is asked for, and what TLS needs beside libssl.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "late.h"
#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdarg.h>

typedef int Make(BIO *);
typedef int Gets(BIO *, char *, int);
typedef int Puts(BIO *, const char *);
typedef int Write(BIO *, const char *, int);
typedef long Control(BIO *, int, long, void *);
typedef long ControlBack(BIO *, int, BIO_info_cb *);

#define FUNCTIONS(USE)                                                                                                 \
  USE(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *text), (text), NULL)                           \
  USE(int, ASN1_STRING_length, (const ASN1_STRING *text), (text), 0)                                                   \
  USE(void, BIO_clear_flags, (BIO *stream, int flags), (stream, flags), (void)0)                                       \
  USE(void *, BIO_get_ex_data, (const BIO *stream, int index), (stream, index), NULL)                                  \
  USE(int, BIO_get_new_index, (void), (), -1)                                                                          \
  USE(long, BIO_int_ctrl, (BIO *stream, int command, long number, int more), (stream, command, number, more), 0)       \
  USE(void, BIO_meth_free, (BIO_METHOD *method), (method), (void)0)                                                    \
  USE(ControlBack *, BIO_meth_get_callback_ctrl, (const BIO_METHOD *method), (method), NULL)                           \
  USE(Make *, BIO_meth_get_create, (const BIO_METHOD *method), (method), NULL)                                         \
  USE(Control *, BIO_meth_get_ctrl, (const BIO_METHOD *method), (method), NULL)                                        \
  USE(Make *, BIO_meth_get_destroy, (const BIO_METHOD *method), (method), NULL)                                        \
  USE(Gets *, BIO_meth_get_gets, (const BIO_METHOD *method), (method), NULL)                                           \
  USE(Puts *, BIO_meth_get_puts, (const BIO_METHOD *method), (method), NULL)                                           \
  USE(BIO_METHOD *, BIO_meth_new, (int type, const char *name), (type, name), NULL)                                    \
  USE(int, BIO_meth_set_callback_ctrl, (BIO_METHOD *method, ControlBack *function), (method, function), 0)             \
  USE(int, BIO_meth_set_create, (BIO_METHOD *method, Make *function), (method, function), 0)                           \
  USE(int, BIO_meth_set_ctrl, (BIO_METHOD *method, Control *function), (method, function), 0)                          \
  USE(int, BIO_meth_set_destroy, (BIO_METHOD *method, Make *function), (method, function), 0)                          \
  USE(int, BIO_meth_set_gets, (BIO_METHOD *method, Gets *function), (method, function), 0)                             \
  USE(int, BIO_meth_set_puts, (BIO_METHOD *method, Puts *function), (method, function), 0)                             \
  USE(int, BIO_meth_set_read, (BIO_METHOD *method, Gets *function), (method, function), 0)                             \
  USE(int, BIO_meth_set_write, (BIO_METHOD *method, Write *function), (method, function), 0)                           \
  USE(BIO *, BIO_new, (const BIO_METHOD *method), (method), NULL)                                                      \
  USE(const BIO_METHOD *, BIO_s_socket, (void), (), NULL)                                                              \
  USE(int, BIO_set_ex_data, (BIO *stream, int index, void *given), (stream, index, given), 0)                          \
  USE(void, BIO_set_flags, (BIO *stream, int flags), (stream, flags), (void)0)                                         \
  USE(int, CRYPTO_memcmp, (const void *one, const void *other, size_t count), (one, other, count), 1)                  \
  USE(ENGINE *, ENGINE_by_id, (const char *name), (name), NULL)                                                        \
  USE(int, ENGINE_finish, (ENGINE *engine), (engine), 0)                                                               \
  USE(int, ENGINE_free, (ENGINE *engine), (engine), 0)                                                                 \
  USE(int, ENGINE_init, (ENGINE *engine), (engine), 0)                                                                 \
  USE(EVP_PKEY *, ENGINE_load_private_key,                                                                             \
      (ENGINE *engine, const char *name, UI_METHOD *ask, void *given),                                                 \
      (engine, name, ask, given), NULL)                                                                                \
  USE(void, ERR_clear_error, (void), (), (void)0)                                                                      \
  USE(unsigned long, ERR_get_error, (void), (), 0)                                                                     \
  USE(void, ERR_new, (void), (), (void)0)                                                                              \
  USE(const char *, ERR_reason_error_string, (unsigned long code), (code), NULL)                                       \
  USE(void, ERR_set_debug, (const char *file, int line, const char *function), (file, line, function), (void)0)        \
  USE(void, ERR_vset_error,                                                                                            \
      (int source, int reason, const char *format, va_list more),                                                     \
      (source, reason, format, more), (void)0)                                                                        \
  USE(int, EVP_DigestFinal_ex,                                                                                         \
      (EVP_MD_CTX *context, unsigned char *digest, unsigned int *length),                                              \
      (context, digest, length), 0)                                                                                    \
  USE(int, EVP_DigestInit_ex, (EVP_MD_CTX *context, const EVP_MD *kind, ENGINE *engine), (context, kind, engine), 0)   \
  USE(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count), 0)       \
  USE(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context), (void)0)                                                \
  USE(EVP_MD_CTX *, EVP_MD_CTX_new, (void), (), NULL)                                                                  \
  USE(const EVP_MD *, EVP_get_digestbyname, (const char *name), (name), NULL)                                          \
  USE(const EVP_MD *, EVP_md5, (void), (), NULL)                                                                       \
  USE(const EVP_MD *, EVP_sha1, (void), (), NULL)                                                                      \
  USE(const EVP_MD *, EVP_sha224, (void), (), NULL)                                                                    \
  USE(const EVP_MD *, EVP_sha256, (void), (), NULL)                                                                    \
  USE(const EVP_MD *, EVP_sha384, (void), (), NULL)                                                                    \
  USE(const EVP_MD *, EVP_sha512, (void), (), NULL)                                                                    \
  USE(void, GENERAL_NAME_free, (GENERAL_NAME *name), (name), (void)0)                                                  \
  USE(void, HMAC_CTX_free, (HMAC_CTX *context), (context), (void)0)                                                    \
  USE(HMAC_CTX *, HMAC_CTX_new, (void), (), NULL)                                                                      \
  USE(int, HMAC_Final, (HMAC_CTX *context, unsigned char *digest, unsigned int *length), (context, digest, length), 0) \
  USE(int, HMAC_Init_ex,                                                                                               \
      (HMAC_CTX *context, const void *key, int length, const EVP_MD *kind, ENGINE *engine),                            \
      (context, key, length, kind, engine), 0)                                                                         \
  USE(int, HMAC_Update, (HMAC_CTX *context, const unsigned char *bytes, size_t count), (context, bytes, count), 0)     \
  USE(const char *, OBJ_nid2sn, (int number), (number), NULL)                                                          \
  USE(int, OPENSSL_sk_num, (const OPENSSL_STACK *stack), (stack), 0)                                                   \
  USE(void, OPENSSL_sk_pop_free, (OPENSSL_STACK *stack, OPENSSL_sk_freefunc function), (stack, function), (void)0)     \
  USE(void *, OPENSSL_sk_value, (const OPENSSL_STACK *stack, int index), (stack, index), NULL)                         \
  USE(int, RAND_bytes, (unsigned char *bytes, int count), (bytes, count), 0)                                           \
  USE(int, RAND_poll, (void), (), 0)                                                                                   \
  USE(int, RAND_status, (void), (), 0)                                                                                 \
  USE(ASN1_STRING *, X509_NAME_ENTRY_get_data, (const X509_NAME_ENTRY *entry), (entry), NULL)                          \
  USE(X509_NAME_ENTRY *, X509_NAME_get_entry, (const X509_NAME *name, int index), (name, index), NULL)                 \
  USE(int, X509_NAME_get_index_by_NID, (const X509_NAME *name, int kind, int last), (name, kind, last), -1)            \
  USE(int, X509_STORE_load_locations,                                                                                  \
      (X509_STORE *store, const char *file, const char *folder),                                                       \
      (store, file, folder), 0)                                                                                        \
  USE(int, X509_STORE_set_flags, (X509_STORE *store, unsigned long flags), (store, flags), 0)                          \
  USE(int, X509_digest,                                                                                                \
      (const X509 *certificate, const EVP_MD *kind, unsigned char *digest, unsigned int *length),                      \
      (certificate, kind, digest, length), 0)                                                                          \
  USE(void, X509_free, (X509 *certificate), (certificate), (void)0)                                                    \
  USE(void *, X509_get_ext_d2i,                                                                                        \
      (const X509 *certificate, int kind, int *critical, int *index),                                                  \
      (certificate, kind, critical, index), NULL)                                                                      \
  USE(int, X509_get_signature_info,                                                                                    \
      (X509 *certificate, int *digest, int *key, int *bits, uint32_t *flags),                                          \
      (certificate, digest, key, bits, flags), 0)                                                                      \
  USE(X509_NAME *, X509_get_subject_name, (const X509 *certificate), (certificate), NULL)

LATE_LIBRARY(FUNCTIONS, "OpenSSL is not available: install libcrypto (Debian: libssl3)", "libcrypto.so.3")

bool isCryptoAvailable(void) { return isLoaded(); }

OURS void ERR_set_error(int source, int reason, const char *format, ...) {
  va_list more;
  va_start(more, format);
  ERR_vset_error(source, reason, format, more);
  va_end(more);
}
