/// All metrics of all processes. `deploy/docs/reference/metrics.md` is made from them.
package enum Metrics {
    /// Returns the text after `# HELP` of a metric, or its name if it is not in the list.
    static func help(for name: String) -> String { byName[name]?.help ?? name }

    private static let byName: [String: Metric] = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// The metrics, sorted by name.
    package static let all = ofAccounts + ofProcesses

    /// The metrics of requests, messages, connections and databases.
    private static let ofProcesses: [Metric] = [
        Metric(
            "edge_untrusted_proxy", .gauge, in: [.gateway],
            "1 while nearly all requests come from one address that announces clients and is not in trustedProxies."),
        Metric(
            "http_server_request_duration_seconds", .histogram, in: .all, from: .firstEvent,
            ["route", "method", "status"],
            "Duration of HTTP requests."),
        Metric(
            "http_server_violations_total", .counter, in: [.gateway], ["reason"],
            "Requests refused because they break HTTP's rules."),
        Metric(
            "log_lines_dropped_total", .counter, in: .all, "Log lines dropped because standard output was not read."),
        Metric(
            "outbox_dead", .gauge, in: [.user], ["lane"],
            "Mails and revocations at Apple in the outbox that are not tried any more."),
        Metric("outbox_deliveries_total", .counter, in: [.user], ["kind", "outcome"], "Deliveries from the outbox."),
        Metric("outbox_oldest_seconds", .gauge, in: [.user], ["lane"], "Age of the oldest entry in the outbox."),
        Metric("outbox_pending", .gauge, in: [.user], ["lane"], "Entries that wait in the outbox."),
        Metric("policy_info", .gauge, in: [.gateway], ["hash"], "1 for the policy in effect, by a hash of its values."),
        Metric("policy_reloads_total", .counter, in: [.gateway], ["result"], "Reloads of the policy on SIGHUP."),
        Metric(
            "postgresql_commit_duration_seconds", .histogram, in: [.token, .user],
            "Duration of the last round trip of transactions in PostgreSQL, until the commit is durable."),
        Metric("postgresql_connections", .gauge, in: [.token, .user], "Open connections to PostgreSQL."),
        Metric(
            "postgresql_connections_opened_total", .counter, in: [.token, .user],
            "Connections to PostgreSQL that were opened."),
        Metric(
            "postgresql_grouped_calls_total", .counter, in: [.token],
            "Refreshes and reads that ran as items of a group."),
        Metric(
            "postgresql_groups_total", .counter, in: [.token], "Groups of such calls, each in one statement."),
        Metric(
            "postgresql_sweep_failures_total", .counter, in: [.token, .user], ["kind"],
            "Failed rounds that remove expired rows."),
        Metric("postgresql_swept_rows_total", .counter, in: [.token, .user], ["kind"], "Expired rows removed."),
        Metric(
            "postgresql_unknown_commits_total", .counter, in: [.token, .user],
            "Commits whose outcome is unknown, because the connection broke or a standby was not awaited."),
        Metric("process_cpu_seconds_total", .counter, in: .all, "Processor time used."),
        Metric("process_open_fds", .gauge, in: .all, "Open file descriptors."),
        Metric("process_resident_memory_bytes", .gauge, in: .all, "Resident memory."),
        Metric("process_start_time_seconds", .gauge, in: .all, "Start of the process in Unix time."),
        Metric("redis_client_connections", .gauge, in: .all, "Connections to Redis that are ready."),
        Metric("redis_client_errors_total", .counter, in: .all, ["code"], "Failed Redis commands."),
        Metric("redis_memory_max_bytes", .gauge, in: .all, "Memory limit of Redis; 0 without one."),
        Metric("redis_memory_used_bytes", .gauge, in: .all, "Memory that Redis uses."),
        Metric(
            "sqlite_backup_age_seconds", .gauge, in: [.token, .user], from: .firstEvent,
            "Age of the database's last backup by `latchkeyctl backup`."),
        Metric("sqlite_busy_total", .counter, in: [.token, .user], "Waits for another process's write."),
        Metric(
            "sqlite_checkpoint_cycles_total", .counter, in: [.token, .user],
            "Cycles of checkpoints that this process began."),
        Metric(
            "sqlite_checkpoints_total", .counter, in: [.token, .user], ["outcome"],
            "Attempts to empty the write-ahead log."),
        Metric(
            "sqlite_copy_age_seconds", .gauge, in: [.token, .user], from: .firstEvent,
            "Age of the database's continuous copy, once a copier has begun one."),
        Metric(
            "sqlite_sweep_failures_total", .counter, in: [.token, .user], ["kind"],
            "Failed rounds that remove expired rows."),
        Metric("sqlite_swept_rows_total", .counter, in: [.token, .user], ["kind"], "Expired rows removed."),
        Metric(
            "sqlite_transaction_duration_seconds", .histogram, in: [.token, .user], ["kind"],
            "Duration of SQLite transactions, and of short reads without one."),
        Metric(
            "sqlite_version_info", .gauge, in: [.token, .user], ["version", "wal_reset_bug"],
            "Always 1; the labels name SQLite's version and whether it has the WAL-reset bug."),
        Metric("sqlite_wal_bytes", .gauge, in: [.token, .user], "Size of the write-ahead log."),
        Metric(
            "sqlite_wal_impossible_total", .counter, in: [.token, .user],
            "Times that the write-ahead log was in a state that only a bug of SQLite leaves."),
        Metric(
            "sqlite_wal_stuck", .gauge, in: [.token, .user],
            "1 while a reader keeps the write-ahead log above its limit."),
        Metric(
            "tls_certificate_not_after_seconds", .gauge, in: .all, ["name"],
            "End of a certificate's validity, in Unix time."),
        Metric(
            "tls_handshakes_total", .counter, in: [.gateway], from: .configured, ["result"],
            "TLS handshakes with clients of the gateway."),
        Metric(
            "trace_spans_dropped_total", .counter, in: .all, from: .configured, ["reason"],
            "Spans of traces that did not reach the collector."),
        Metric(
            "trace_spans_exported_total", .counter, in: .all, from: .configured,
            "Spans of traces that the collector accepted."),
        Metric(
            "upstream_connections", .gauge, in: [.gateway], ["service", "endpoint", "loop"],
            "Open connections to an upstream."),
        Metric(
            "upstream_desynchronised_total", .counter, in: [.gateway], from: .firstEvent, ["service", "endpoint"],
            "Times that an upstream sent bytes without a request, after which its connections are not reused for a while."
        ),
        Metric(
            "upstream_endpoint_up", .gauge, in: [.gateway], ["service", "endpoint", "loop"],
            "1 while an endpoint gets requests: it accepts connections and is not skipped."),
        Metric(
            "upstream_failures_total", .counter, in: [.gateway], ["service", "reason"],
            "Connections to an upstream that failed."),
        Metric(
            "upstream_requests_in_flight", .gauge, in: [.gateway], ["service", "endpoint", "loop"],
            "Requests that an endpoint is processing."),
        Metric(
            "upstream_requests_waiting", .gauge, in: [.gateway], ["service", "loop"],
            "Requests that wait for a connection to an upstream."),
        Metric(
            "upstream_skips_total", .counter, in: [.gateway], ["service", "reason"],
            "Times that an address of an upstream began to be skipped, because others serve better."),
        Metric(
            "user_events_delivered_total", .counter, in: [.token, .user], from: .configured,
            "Events that the receiver at USER_HOOK_URL has confirmed."),
        Metric(
            "user_events_failed_total", .counter, in: [.token, .user], from: .configured, ["reason"],
            "Attempts at an event that failed."),
        Metric("user_events_given_up", .gauge, in: [.token, .user], "Kept events that were given up."),
        Metric(
            "user_events_given_up_total", .counter, in: [.token, .user], from: .configured,
            "Events that were not delivered in three days, or waited for a month."),
        Metric("user_events_oldest_seconds", .gauge, in: [.token, .user], "How long the oldest event has waited."),
        Metric("user_events_pending", .gauge, in: [.token, .user], "Events that wait to be delivered."),
        Metric("user_hook_stopped", .gauge, in: [.token, .user], "1 after the receiver has answered 410."),
    ]
}
