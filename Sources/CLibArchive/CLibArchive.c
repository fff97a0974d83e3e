#include "CLibArchive.h"
#include <dlfcn.h>
#include <pthread.h>

typedef struct archive A;
typedef struct archive_entry E;

// The functions of the library that take an archive and give a code.
#define CODES(USE)                                                                                                     \
  USE(filter_count) USE(format) USE(read_data_skip) USE(read_free)                                                     \
  USE(read_support_filter_bzip2) USE(read_support_filter_xz) USE(read_support_filter_zstd)                             \
  USE(read_support_format_7zip) USE(read_support_format_empty) USE(read_support_format_raw)                            \
  USE(read_support_format_tar) USE(read_support_format_zip_seekable)                                                   \
  USE(write_add_filter_bzip2) USE(write_add_filter_gzip) USE(write_add_filter_xz) USE(write_add_filter_zstd)           \
  USE(write_close) USE(write_free) USE(write_set_format_7zip) USE(write_set_format_pax_restricted)                     \
  USE(write_set_format_raw) USE(write_set_format_zip)

// Those that give something else or take more.
#define OTHERS(USE)                                                                                                    \
  USE(A *, read_new, (void), ())                                                                                       \
  USE(int, read_open, (A *a, void *user, archive_open_callback *o, archive_read_callback *r, archive_close_callback *c),  \
      (a, user, o, r, c))                                                                                              \
  USE(int, read_open_fd, (A *a, int file, size_t block), (a, file, block))                                             \
  USE(int, read_open_filename, (A *a, const char *path, size_t block), (a, path, block))                               \
  USE(int, read_open_memory, (A *a, const void *bytes, size_t count), (a, bytes, count))                               \
  USE(int, read_next_header, (A *a, E **e), (a, e))                                                                    \
  USE(la_ssize_t, read_data, (A *a, void *bytes, size_t count), (a, bytes, count))                                     \
  USE(const char *, error_string, (A *a), (a))                                                                         \
  USE(la_int64_t, filter_bytes, (A *a, int filter), (a, filter))                                                       \
  USE(A *, write_new, (void), ())                                                                                      \
  USE(int, write_open, (A *a, void *user, archive_open_callback *o, archive_write_callback *w, archive_close_callback *c), \
      (a, user, o, w, c))                                                                                              \
  USE(int, write_open_memory, (A *a, void *bytes, size_t count, size_t *used), (a, bytes, count, used))                \
  USE(int, write_header, (A *a, E *e), (a, e))                                                                         \
  USE(la_ssize_t, write_data, (A *a, const void *bytes, size_t count), (a, bytes, count))                              \
  USE(int, write_set_bytes_in_last_block, (A *a, int count), (a, count))                                               \
  USE(int, write_set_options, (A *a, const char *text), (a, text))                                                     \
  USE(int, write_set_passphrase, (A *a, const char *text), (a, text))                                                  \
  USE(E *, entry_new, (void), ())                                                                                      \
  USE(__LA_MODE_T, entry_filetype, (E *e), (e))                                                                        \
  USE(int, entry_is_encrypted, (E *e), (e))                                                                            \
  USE(const char *, entry_pathname, (E *e), (e))                                                                       \
  USE(const char *, entry_pathname_utf8, (E *e), (e))                                                                  \
  USE(la_int64_t, entry_size, (E *e), (e))                                                                             \
  USE(int, entry_size_is_set, (E *e), (e))

// Those that give nothing.
#define SETTERS(USE)                                                                                                   \
  USE(void, entry_free, (E *e), (e))                                                                                   \
  USE(void, entry_set_filetype, (E *e, unsigned int type), (e, type))                                                  \
  USE(void, entry_set_pathname, (E *e, const char *path), (e, path))                                                   \
  USE(void, entry_set_perm, (E *e, __LA_MODE_T mode), (e, mode))                                                       \
  USE(void, entry_set_size, (E *e, la_int64_t size), (e, size))

#define CODE_FIELD(name) int (*name)(A *);
#define FIELD(type, name, parameters, arguments) type(*name) parameters;
static struct {
  CODES(CODE_FIELD) OTHERS(FIELD) SETTERS(FIELD)
} library;

static bool isReady = false;

static void load(void) {
  void *file = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define CODE_FIND(name)                                                                                                \
  library.name = (__typeof__(library.name))dlsym(file, "archive_" #name);                                              \
  if (!library.name) return;
#define FIND(type, name, parameters, arguments) CODE_FIND(name)
  CODES(CODE_FIND) OTHERS(FIND) SETTERS(FIND)
  isReady = true;
}

bool rivulet_archive_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isReady;
}

#define HAND_ON_CODE(name)                                                                                             \
  int archive_##name(A *a) { return rivulet_archive_load() ? library.name(a) : 0; }
#define HAND_ON(type, name, parameters, arguments)                                                                     \
  type archive_##name parameters { return rivulet_archive_load() ? library.name arguments : (type)0; }
#define HAND_ON_SETTER(type, name, parameters, arguments)                                                              \
  type archive_##name parameters {                                                                                     \
    if (rivulet_archive_load()) library.name arguments;                                                                \
  }
CODES(HAND_ON_CODE)
OTHERS(HAND_ON)
SETTERS(HAND_ON_SETTER)
