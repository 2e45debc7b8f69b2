#ifndef COFFER_CCURL_H
#define COFFER_CCURL_H

// The calls of libcurl that coffer makes, loaded when the first one is made: to link the library would
// load forty others at each start of the program. The C language is needed for its variable arguments,
// which Swift cannot pass. The numbers of options and results are part of libcurl's binary interface,
// which has been compatible since 2006 (`libcurl.so.4`), so no header of it is needed.

#include <stddef.h>
#include <stdint.h>

/// Receives or provides bytes: as `CURLOPT_WRITEFUNCTION`, `CURLOPT_READFUNCTION` and
/// `CURLOPT_HEADERFUNCTION` want it.
typedef size_t (*coffer_curl_transfer)(char *bytes, size_t size, size_t count, void *context);

/// Is called at least once a second; any other result than 0 ends the exchange.
typedef int (*coffer_curl_progress)(
  void *context, int64_t toReceive, int64_t received, int64_t toSend, int64_t sent);

/// Loads libcurl and prepares it, once. Any thread may call it; all other calls need it first.
///
/// - Returns: NULL; why it cannot be loaded, as a text that stays.
const char *coffer_curl_load(void);

/// Makes a handle, with the connections that it keeps for the next exchange; NULL without memory.
void *coffer_curl_create(void);

/// Frees a handle and its connections.
void coffer_curl_destroy(void *handle);

/// Sets all options of a handle to what they were; its connections stay.
void coffer_curl_reset(void *handle);

/// Sets an option that is a `long`. Returns 0 or the number of an error, as all of these do.
int coffer_curl_set_number(void *handle, int option, long value);

/// Sets an option that is a `curl_off_t`.
int coffer_curl_set_size(void *handle, int option, int64_t value);

/// Sets an option that is a pointer; libcurl copies texts, and nothing else.
int coffer_curl_set_pointer(void *handle, int option, const void *value);

/// Sets an option that is a function which receives or provides bytes.
int coffer_curl_set_transfer(void *handle, int option, coffer_curl_transfer value);

/// Sets `CURLOPT_XFERINFOFUNCTION`.
int coffer_curl_set_progress(void *handle, coffer_curl_progress value);

/// Does the exchange, on this thread.
int coffer_curl_perform(void *handle);

/// The status of the last answer; 0 if there was none.
long coffer_curl_status(void *handle);

/// What an error means, as a text that stays.
const char *coffer_curl_text(int error);

/// Appends a copy of a text to a list, which begins as NULL.
///
/// - Returns: the list; NULL without memory, and the list stays as it was.
void *coffer_curl_append(void *list, const char *text);

/// Frees a list.
void coffer_curl_free(void *list);

#endif
