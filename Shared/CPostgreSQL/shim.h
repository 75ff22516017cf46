#pragma once
#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <stdlib.h>

// Nothing is linked: a process loads the library when its database is in PostgreSQL, and one on SQLite does not map it.

#define PQ_FUNCTIONS(do) \
    do(PQconnectStartParams) do(PQconnectPoll) do(PQfinish) do(PQstatus) do(PQsocket) do(PQerrorMessage) do(PQserverVersion) \
    do(PQsetnonblocking) do(PQsetNoticeReceiver) do(PQenterPipelineMode) do(PQpipelineSync) \
    do(PQsendQuery) do(PQsendPrepare) do(PQsendQueryPrepared) do(PQflush) do(PQconsumeInput) do(PQisBusy) \
    do(PQgetResult) do(PQclear) do(PQresultStatus) do(PQresultErrorField) do(PQcmdStatus) do(PQcmdTuples) \
    do(PQntuples) do(PQftype) do(PQgetvalue) do(PQgetlength) do(PQgetisnull) \
    do(PQputCopyData) do(PQputCopyEnd) \
    do(PQencryptPasswordConn) do(PQfreemem)

/// The functions of libpq that we call.
struct latchkey_pq {
#define PQ_FIELD(name) __typeof__(name) *_Nonnull name;
    PQ_FUNCTIONS(PQ_FIELD)
};

/// Loads the library for as long as the process runs; NULL if it or one of the functions is missing.
static inline const struct latchkey_pq *_Nullable latchkey_pq_load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    struct latchkey_pq *functions = library ? malloc(sizeof(struct latchkey_pq)) : NULL;
    if (!functions) return NULL;
#define PQ_RESOLVE(name) \
    if (!(functions->name = (__typeof__(name) *)dlsym(library, #name))) return NULL;
    PQ_FUNCTIONS(PQ_RESOLVE)
    return functions;
}
