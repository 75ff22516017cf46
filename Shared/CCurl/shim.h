#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Nothing is linked: the one process that sends mail by SMTP loads the library itself, and the others are spared the thirty
// libraries that it brings along. Swift cannot call functions with variable arguments, so each kind of argument has its own.

typedef CURLcode (*curl_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*curl_getinfo_function)(CURL *, CURLINFO, ...);

static inline CURLcode curl_set_long(curl_setopt_function set, CURL *easy, CURLoption option, long value) {
    return set(easy, option, value);
}

static inline double curl_get_seconds(curl_getinfo_function get, CURL *easy, CURLINFO info) {
    double seconds = 0;
    return get(easy, info, &seconds) == CURLE_OK ? seconds : 0;
}

static inline CURLcode curl_set_text(curl_setopt_function set, CURL *easy, CURLoption option, const char *value) {
    return set(easy, option, value);
}

static inline CURLcode curl_set_bytes(
    curl_setopt_function set, CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return set(easy, option, &blob);
}

static inline CURLcode curl_set_list(
    curl_setopt_function set, CURL *easy, CURLoption option, struct curl_slist *value) {
    return set(easy, option, value);
}

static inline CURLcode curl_set_reader(
    curl_setopt_function set, CURL *easy, curl_read_callback callback, void *context) {
    CURLcode code = set(easy, CURLOPT_READFUNCTION, callback);
    return code == CURLE_OK ? set(easy, CURLOPT_READDATA, context) : code;
}

static inline CURLcode curl_set_observer(
    curl_setopt_function set, CURL *easy, curl_debug_callback callback, void *context) {
    CURLcode code = set(easy, CURLOPT_DEBUGFUNCTION, callback);
    return code == CURLE_OK ? set(easy, CURLOPT_DEBUGDATA, context) : code;
}
