// libcurl, loaded when it is first asked for: it comes with a dozen libraries of its own, whose loading would cost every
// start of a program that downloads nothing a quarter of its time. Its setters and getters are variadic, which Swift
// cannot call: there is one function here for each kind of value.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

// Loads the library and makes it ready; false where it is not installed. Nothing else may be called before, nor after
// false.
bool rivulet_curl_start(void);

CURL *rivulet_curl_open(void);
void rivulet_curl_close(CURL *handle);
CURLcode rivulet_curl_perform(CURL *handle);
const char *rivulet_curl_sentence(CURLcode code);

CURLcode rivulet_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode rivulet_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode rivulet_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);

// What is called with the bytes of the body, and with each line of the head.
typedef size_t (*rivulet_curl_data)(char *bytes, size_t size, size_t count, void *context);
void rivulet_curl_set_receivers(CURL *handle, rivulet_curl_data head, rivulet_curl_data body,
                                curl_xferinfo_callback watch, void *context);

// Where what went wrong is told, in CURL_ERROR_SIZE bytes.
void rivulet_curl_set_explanation(CURL *handle, char *text);

// A text that belongs to the handle; null where there is none.
const char *rivulet_curl_text(CURL *handle, CURLINFO info);
// A number; 0 where there is none.
curl_off_t rivulet_curl_number(CURL *handle, CURLINFO info);

struct curl_slist *rivulet_curl_list_append(struct curl_slist *list, const char *text);
void rivulet_curl_list_free(struct curl_slist *list);

CURLU *rivulet_curl_url_open(void);
void rivulet_curl_url_close(CURLU *handle);
CURLUcode rivulet_curl_url_set(CURLU *handle, CURLUPart part, const char *text, unsigned int flags);
// The text is given back with rivulet_curl_free.
CURLUcode rivulet_curl_url_get(CURLU *handle, CURLUPart part, char **text, unsigned int flags);
void rivulet_curl_free(char *text);
