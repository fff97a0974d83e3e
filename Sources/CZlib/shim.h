// zlib: gzip with its checksums, which libarchive passes over.
#pragma once
#include <zlib.h>

// inflateInit2 is a macro. 15 is the largest window, 16 asks for the gzip form and its checks.
static inline int zlib_inflate_init_gzip(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}
