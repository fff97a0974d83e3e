#include "CLibCurl.h"
#include <dlfcn.h>
#include <pthread.h>

// The functions of the library that are used, by their names there.
#define FUNCTIONS(USE)                                                                                                 \
  USE(global_init) USE(easy_init) USE(easy_cleanup) USE(easy_perform) USE(easy_setopt) USE(easy_getinfo)               \
  USE(easy_strerror) USE(slist_append) USE(slist_free_all) USE(url) USE(url_cleanup) USE(url_set) USE(url_get) USE(free)

// curl.h hides some of its functions behind macros of their own names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FIELD(name) __typeof__(&curl_##name) name;
static struct {
  FUNCTIONS(FIELD)
} library;

static bool isReady = false;

static void load(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define FIND(name)                                                                                                     \
  library.name = (__typeof__(library.name))dlsym(file, "curl_" #name);                                                 \
  if (!library.name) return;
  FUNCTIONS(FIND)
  isReady = library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool rivulet_curl_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isReady;
}

CURL *rivulet_curl_open(void) { return library.easy_init(); }
void rivulet_curl_close(CURL *handle) { library.easy_cleanup(handle); }
CURLcode rivulet_curl_perform(CURL *handle) { return library.easy_perform(handle); }
const char *rivulet_curl_sentence(CURLcode code) { return library.easy_strerror(code); }

CURLcode rivulet_curl_set_number(CURL *handle, CURLoption option, long value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode rivulet_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return library.easy_setopt(handle, option, value);
}

CURLcode rivulet_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return library.easy_setopt(handle, option, value);
}

void rivulet_curl_set_receivers(CURL *handle, rivulet_curl_data head, rivulet_curl_data body,
                                curl_xferinfo_callback watch, void *context) {
  library.easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  library.easy_setopt(handle, CURLOPT_HEADERDATA, context);
  library.easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  library.easy_setopt(handle, CURLOPT_WRITEDATA, context);
  library.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watch);
  library.easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  library.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

void rivulet_curl_set_explanation(CURL *handle, char *text) {
  library.easy_setopt(handle, CURLOPT_ERRORBUFFER, text);
}

const char *rivulet_curl_text(CURL *handle, CURLINFO info) {
  char *value = NULL;
  return library.easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

curl_off_t rivulet_curl_number(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  return library.easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

struct curl_slist *rivulet_curl_list_append(struct curl_slist *list, const char *text) {
  return library.slist_append(list, text);
}

void rivulet_curl_list_free(struct curl_slist *list) { library.slist_free_all(list); }

CURLU *rivulet_curl_url_open(void) { return library.url(); }
void rivulet_curl_url_close(CURLU *handle) { library.url_cleanup(handle); }

CURLUcode rivulet_curl_url_set(CURLU *handle, CURLUPart part, const char *text, unsigned int flags) {
  return library.url_set(handle, part, text, flags);
}

CURLUcode rivulet_curl_url_get(CURLU *handle, CURLUPart part, char **text, unsigned int flags) {
  return library.url_get(handle, part, text, flags);
}

void rivulet_curl_free(char *text) { library.free(text); }
