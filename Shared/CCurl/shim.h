#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

// Nothing is linked: a process that sends mail by SMTP or copies databases loads the library itself, and the others are spared the thirty
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

static inline CURLcode curl_set_offset(curl_setopt_function set, CURL *easy, CURLoption option, curl_off_t value) {
    return set(easy, option, value);
}

static inline long curl_get_long(curl_getinfo_function get, CURL *easy, CURLINFO info) {
    long value = 0;
    return get(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t curl_get_offset(curl_getinfo_function get, CURL *easy, CURLINFO info) {
    curl_off_t value = -1;
    return get(easy, info, &value) == CURLE_OK ? value : -1;
}

static inline CURLcode curl_set_writer(
    curl_setopt_function set, CURL *easy, curl_write_callback body, curl_write_callback header, void *context) {
    CURLcode code = set(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = set(easy, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = set(easy, CURLOPT_HEADERFUNCTION, header);
    return code == CURLE_OK ? set(easy, CURLOPT_HEADERDATA, context) : code;
}

static inline CURLcode curl_set_progress(
    curl_setopt_function set, CURL *easy, curl_xferinfo_callback callback, void *context) {
    CURLcode code = set(easy, CURLOPT_XFERINFOFUNCTION, callback);
    if (code == CURLE_OK) code = set(easy, CURLOPT_XFERINFODATA, context);
    return code == CURLE_OK ? set(easy, CURLOPT_NOPROGRESS, 0L) : code;
}

static inline CURLcode curl_set_sockets(
    curl_setopt_function set, CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback closes,
    void *context) {
    CURLcode code = set(easy, CURLOPT_SOCKOPTFUNCTION, opened);
    if (code == CURLE_OK) code = set(easy, CURLOPT_SOCKOPTDATA, context);
    if (code == CURLE_OK) code = set(easy, CURLOPT_CLOSESOCKETFUNCTION, closes);
    return code == CURLE_OK ? set(easy, CURLOPT_CLOSESOCKETDATA, context) : code;
}

// The bytes that the other side of a connection has acknowledged or sent; 0 if the socket has no connection. glibc's
// struct tcp_info ends before the kernel's members for them, tcpi_bytes_acked and tcpi_bytes_received.
static inline long long latchkey_tcp_moved(int file) {
    enum { acked = 120, received = 128 };
    unsigned char info[received + 8] = {0};
    unsigned long long counts[2] = {0};
    socklen_t size = sizeof info;
    if (getsockopt(file, IPPROTO_TCP, TCP_INFO, info, &size) != 0 || size < sizeof info) return 0;
    memcpy(counts, info + acked, sizeof counts);
    return (long long)(counts[0] + counts[1]);
}

static inline CURLcode curl_set_bytes_at(curl_setopt_function set, CURL *easy, CURLoption option, char *bytes) {
    return set(easy, option, bytes);
}
