// libcurl. Its setters and getters are variadic, which Swift cannot call: there is one function here for each
// kind of value.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode rivulet_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rivulet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode rivulet_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

// The version of the library that is loaded.
static inline const char *rivulet_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

// What is called with the bytes of the body, and with each line of the head.
typedef size_t (*rivulet_curl_data)(char *bytes, size_t size, size_t count, void *context);

static inline void rivulet_curl_set_receivers(CURL *handle, rivulet_curl_data head, rivulet_curl_data body,
                                              curl_xferinfo_callback watch, void *context) {
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watch);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

// Where libcurl explains a failure, in CURL_ERROR_SIZE bytes.
static inline void rivulet_curl_set_explanation(CURL *handle, char *text) {
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, text);
}

// A text that belongs to the handle; null where there is none.
static inline const char *rivulet_curl_text(CURL *handle, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

// A number; 0 where there is none.
static inline curl_off_t rivulet_curl_number(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
