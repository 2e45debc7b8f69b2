#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

// As <curl/curl.h> declares them; the types of handles and lists are opaque here.
static int (*global_init)(long);
static void *(*easy_init)(void);
static void (*easy_cleanup)(void *);
static void (*easy_reset)(void *);
static int (*easy_setopt)(void *, int, ...);
static int (*easy_perform)(void *);
static int (*easy_getinfo)(void *, int, ...);
static const char *(*easy_strerror)(int);
static void *(*slist_append)(void *, const char *);
static void (*slist_free_all)(void *);

enum { global_default = 3, option_progress = 20219, info_response_code = 0x200002 };

static const char *const names[] = {
#ifdef __APPLE__
  "/usr/lib/libcurl.4.dylib", "libcurl.4.dylib",
#else
  "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void *found(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) failure = "it lacks a function";
  return symbol;
}

static void load(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) {
    failure = "it is not installed";
    return;
  }
  global_init = (int (*)(long))found(library, "curl_global_init");
  easy_init = (void *(*)(void))found(library, "curl_easy_init");
  easy_cleanup = (void (*)(void *))found(library, "curl_easy_cleanup");
  easy_reset = (void (*)(void *))found(library, "curl_easy_reset");
  easy_setopt = (int (*)(void *, int, ...))found(library, "curl_easy_setopt");
  easy_perform = (int (*)(void *))found(library, "curl_easy_perform");
  easy_getinfo = (int (*)(void *, int, ...))found(library, "curl_easy_getinfo");
  easy_strerror = (const char *(*)(int))found(library, "curl_easy_strerror");
  slist_append = (void *(*)(void *, const char *))found(library, "curl_slist_append");
  slist_free_all = (void (*)(void *))found(library, "curl_slist_free_all");
  if (!failure && global_init(global_default) != 0) failure = "it cannot be initialized";
}

const char *coffer_curl_load(void) {
  pthread_once(&once, load);
  return failure;
}

void *coffer_curl_create(void) { return easy_init(); }

void coffer_curl_destroy(void *handle) { easy_cleanup(handle); }

void coffer_curl_reset(void *handle) { easy_reset(handle); }

int coffer_curl_set_number(void *handle, int option, long value) {
  return easy_setopt(handle, option, value);
}

int coffer_curl_set_size(void *handle, int option, int64_t value) {
  return easy_setopt(handle, option, value);
}

int coffer_curl_set_pointer(void *handle, int option, const void *value) {
  return easy_setopt(handle, option, value);
}

int coffer_curl_set_transfer(void *handle, int option, coffer_curl_transfer value) {
  return easy_setopt(handle, option, value);
}

int coffer_curl_set_progress(void *handle, coffer_curl_progress value) {
  return easy_setopt(handle, option_progress, value);
}

int coffer_curl_perform(void *handle) { return easy_perform(handle); }

long coffer_curl_status(void *handle) {
  long status = 0;
  return easy_getinfo(handle, info_response_code, &status) == 0 ? status : 0;
}

const char *coffer_curl_text(int error) { return easy_strerror(error); }

void *coffer_curl_append(void *list, const char *text) { return slist_append(list, text); }

void coffer_curl_free(void *list) { slist_free_all(list); }
